// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/check/budgets.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr BudgetsUse kCompared = {.has_base = true};

// Returns why the budgets in a file are refused; empty if they are not.
std::string Refusal(std::string_view text, const BudgetsUse& use) {
  constexpr std::chrono::year_month_day kToday{
      std::chrono::year(2027), std::chrono::January, std::chrono::day(31)};
  const auto budgets = ParseBudgets(text, "b.toml", kToday);
  if (!budgets) return budgets.error().message;
  const auto ok = CheckBudgets(*budgets, use);
  if (ok) return "";
  EXPECT_EQ(ok.error().kind, ErrorKind::kUsage);
  return ok.error().message;
}

TEST(CheckBudgetsTest, NeedALimitUnlessOnlyABaselineIsSaved) {
  EXPECT_THAT(Refusal("", kCompared), HasSubstr("no limit; give --max-total"));
  EXPECT_THAT(Refusal("", {.needs_limit = false}), IsEmpty());
  EXPECT_THAT(Refusal("max_total = '1B'", {}), IsEmpty());
}

TEST(CheckBudgetsTest, NeedABaseForLimitsOnGrowth) {
  for (const char* text :
       {"max_total_growth = '1B'", "max_growth = '1B'", "max_new = '1B'",
        "[[rules]]\nfunction = 'f'\nmax_total = '1B'"}) {
    EXPECT_THAT(Refusal(text, {}), HasSubstr("need a --base")) << text;
    EXPECT_THAT(Refusal(text, kCompared), IsEmpty()) << text;
  }
}

TEST(CheckBudgetsTest, RefuseBytesWithoutAUnit) {
  for (const char* text :
       {"max_total = '5'", "max_total_growth = '5'", "max_growth = '5'",
        "max_new = '5'", "[[rules]]\nfunction = 'f'\nmax_total = '5'",
        "[[rules]]\nfunction = 'f'\nmax_growth = '5'",
        "[[rules]]\nfunction = 'f'\nmax_new = '5'"})
    EXPECT_THAT(Refusal(text, kCompared), HasSubstr("5 has no unit")) << text;
}

TEST(CheckBudgetsTest, RefuseUnitsAndErrorBarsOfObjects) {
  constexpr BudgetsUse kObjects = {.metric = Metric::kInuseObjects,
                                   .has_base = true};
  EXPECT_THAT(Refusal("max_total = '5'", kObjects),
              HasSubstr("have no error bars"));
  EXPECT_THAT(Refusal("noise = 'point'\nmax_total = '5'", kObjects), IsEmpty());
  for (const char* limit :
       {"max_total = '5B'", "max_total_growth = '5B'", "max_growth = '5B'",
        "max_new = '5B'", "[[rules]]\nfunction = 'f'\nmax_new = '5B'"})
    EXPECT_THAT(Refusal(std::string("noise = 'point'\n") + limit, kObjects),
                HasSubstr(": a number of objects has no unit"))
        << limit;
  EXPECT_EQ(Refusal("noise = 'point'\n[[rules]]\nfunction = 'f'\n"
                    "max_new = '5B'",
                    kObjects),
            "b.toml:4: rules[0].max_new: a number of objects has no unit");
}

TEST(CheckBudgetsTest, RefusePatternsThatCanMatchNothing) {
  const auto refusal = [](std::string_view by, std::string_view field) {
    return Refusal(
        fmt::format("by = '{}'\nmax_new = '1B'\n[[ignore]]\n{} = 'x'\n"
                    "reason = 'y'\nexpires = 2027-01-31",
                    by, field),
        kCompared);
  };
  for (const auto& [by, field] : {std::pair("function", "function"),
                                  {"function", "file"},
                                  {"stack", "function"},
                                  {"file", "file"},
                                  {"module", "module"}})
    EXPECT_THAT(refusal(by, field), IsEmpty()) << by << ' ' << field;
  for (const auto& [by, field] : {std::pair("function", "module"),
                                  {"stack", "file"},
                                  {"file", "function"},
                                  {"module", "file"},
                                  {"thread", "function"}})
    EXPECT_EQ(refusal(by, field),
              fmt::format("b.toml: ignore[0]: a pattern for '{}' matches "
                          "nothing with --by {}",
                          field, by));
}

}  // namespace
}  // namespace heapprof
