// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/budgets.h"

#include <chrono>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/base/error.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::chrono::year_month_day kToday{
    std::chrono::year(2027), std::chrono::January, std::chrono::day(31)};

Result<Budgets> Parse(std::string_view text) {
  return ParseBudgets(text, "b.toml", kToday);
}

std::string ErrorOf(std::string_view text) {
  const auto budgets = Parse(text);
  if (budgets) return "no error";
  EXPECT_EQ(budgets.error().kind, ErrorKind::kUsage);
  return budgets.error().message;
}

TEST(BudgetsTest, ReadsEverySetting) {
  const auto budgets = Parse(R"(
max_total = "2GiB"
max_total_growth = "5% + 8MiB"
max_growth = "10%"
max_new = "2MiB"
by = "module"
metric = "alloc_space"
confidence = 0.99
noise = "strict"
fail_on = "inconclusive"
require_symbols = 90
)");
  ASSERT_TRUE(budgets) << budgets.error().message;
  const CheckSettings& settings = budgets->settings;
  EXPECT_EQ(settings.max_total->value, 0x1p31);
  EXPECT_EQ(settings.max_total_growth->limit.bytes, 0x1p23);
  EXPECT_DOUBLE_EQ(settings.max_growth->limit.ratio, 1.1);
  EXPECT_EQ(settings.max_new->value, 0x1p21);
  EXPECT_EQ(settings.by, CompareBy::kModule);
  EXPECT_EQ(settings.metric, Metric::kAllocSpace);
  EXPECT_EQ(settings.confidence, 0.99);
  EXPECT_EQ(settings.noise, NoiseMode::kStrict);
  EXPECT_EQ(settings.fail_on, FailOn::kInconclusive);
  EXPECT_EQ(settings.require_symbols, 90);
}

TEST(BudgetsTest, RefusesWhatWouldTakeTooMuchStackOrMemory) {
  std::string keys = "x";
  for (int i = 0; i < 500'000; ++i) keys += ".x";
  for (const char* end : {" = 1", "", "]"})
    EXPECT_EQ(
        ErrorOf("# budgets\n" + keys + end),
        "b.toml:2: not TOML for budgets: expected keys with at most 16 dots");
  EXPECT_EQ(
      ErrorOf("[" + keys + "]"),
      "b.toml:1: not TOML for budgets: expected keys with at most 16 dots");
  EXPECT_EQ(ErrorOf(std::string(2'000'000, '\n')),
            "b.toml: expected at most 1048576 bytes, found 2000000");
  // As deep as is possible with the dots that are allowed.
  std::string nested = "x = ";
  for (int i = 0; i < 300; ++i) nested += "[\n{x.x.x.x.x.x.x.x.x.x.x.x.x = ";
  EXPECT_THAT(ErrorOf(nested), StartsWith("b.toml:"));
}

TEST(BudgetsTest, ReadsRulesAndIgnores) {
  const auto budgets = Parse(R"(
[[rules]]
function = "^cache::"
max_growth = "50%"
[[rules]]
file = "\\.rs$"
max_total = "1GiB"
max_new = "1MiB"
[[ignore]]
module = "libold"
reason = "goes away"
expires = 2027-01-31
[[ignore]]
function = "f"
reason = "late"
expires = 2027-01-30
)");
  ASSERT_TRUE(budgets) << budgets.error().message;
  ASSERT_EQ(budgets->rules.size(), 2U);
  EXPECT_EQ(budgets->rules[0].name, "rules[0]");
  EXPECT_EQ(budgets->rules[1].pattern.field, EntryPattern::Field::kFile);
  EXPECT_EQ(*budgets->rules[0].pattern.regex.Matches("cache::Put"), true);
  EXPECT_EQ(budgets->rules[1].limits.max_total->value, 0x1p30);
  ASSERT_EQ(budgets->ignores.size(), 2U);
  EXPECT_EQ(budgets->ignores[0].reason, "goes away");
  EXPECT_EQ(budgets->ignores[0].expires, "2027-01-31");
  EXPECT_FALSE(budgets->ignores[0].is_expired);  // the last day
  EXPECT_TRUE(budgets->ignores[1].is_expired);
}

TEST(BudgetsTest, AcceptsAnEmptyFile) { EXPECT_TRUE(Parse("")); }

struct Malformed {
  std::string_view text;
  std::string_view message;
};

TEST(BudgetsTest, NamesFileLineKeyAndWhatWasExpected) {
  constexpr Malformed kCases[] = {
      {"\nmax_grwoth = \"5%\"",
       "b.toml:2: unknown key 'max_grwoth'; expected one of max_total, "},
      {"max_total = 5",
       "b.toml:1: max_total: expected a size such as 512MiB or 4GiB in quotes, "
       "found an integer"},
      {"max_total = \"5 Mib\"", "found '5 Mib'"},
      {"max_growth = true", "max_growth: expected a limit in quotes"},
      {"max_growth = \"5\\u0025 8MiB\"", "found '5% 8MiB'"},
      {"by = \"functions\"",
       "by: expected function, stack, file, module, thread or group, found "
       "'functions'"},
      {"by = 1", "found an integer"},
      {"confidence = \"0.95\"", "confidence: expected a number from 0.5"},
      {"confidence = 95", "confidence: expected a number from 0.5"},
      {"confidence = nan", "confidence: expected a number from 0.5"},
      {"require_symbols = 101", "require_symbols: expected 0 to 100"},
      {"noise = \"\"", "noise: expected ci, point or strict"},
      {"max_new = \"1B\"\nmax_new = \"2B\"", "b.toml:2: not TOML: "},
      {"max_new", "b.toml:1: not TOML: "},
      {"\xff\xfe", "not TOML"},
      {"[rules]\nfunction = \"f\"", "rules: expected [[rules]], found a table"},
      {"rules = [1]", "rules: expected [[rules]], found an array"},
      {"[[rules]]\nmax_new = \"1B\"",
       "b.toml:1: rules[0]: expected function, file, module or group, found "
       "none"},
      {"[[rules]]\nfunction = \"f\"",
       "rules[0]: expected max_total, max_growth or max_new, found none"},
      {"[[rules]]\nfunction = \"f\"\nfile = \"g\"\nmax_new = \"1B\"",
       "b.toml:3: rules[0].file: expected only one of function, file, "
       "module and group"},
      {"[[rules]]\nfunction = \"(\"\nmax_new = \"1B\"",
       "b.toml:2: rules[0].function"},
      {"[[rules]]\nfunction = \"\"\nmax_new = \"1B\"",
       "rules[0].function: expected a text in quotes, found ''"},
      {"[[rules]]\nfunction = \"f\"\nreason = \"x\"",
       "unknown key 'rules[0].reason'"},
      {"[[ignore]]\nfunction = \"f\"\nexpires = 2027-01-31",
       "ignore[0]: expected reason, found none"},
      {"[[ignore]]\nfunction = \"f\"\nreason = \" \"",
       "ignore[0].reason: expected a text in quotes"},
      {"[[ignore]]\nfunction = \"f\"\nreason = \"x\"",
       "ignore[0]: expected expires, such as expires = 2027-01-31"},
      {"[[ignore]]\nfunction = \"f\"\nreason = \"x\"\nexpires = \"2027-01-31\"",
       "b.toml:4: ignore[0].expires: expected a date without quotes"},
      {"[[ignore]]\nfunction = \"f\"\nreason = \"x\"\nexpires = "
       "2027-01-31T00:00:00Z",
       "found a date with a time"},
      {"[[ignore]]\nfunction = \"f\"\nreason = \"x\"\nexpires = 2027-02-30",
       "b.toml:4: not TOML"},
      {"max_growth = 10%", "; a text needs quotes, such as \"10%\""},
      {"max_growth = 10 MiB", "; a text needs quotes"},
      {"max_growth = 1.5MiB", "; a text needs quotes"},
      {"max_growth = none", "; a text needs quotes"},
      {"[[ignore]]\nmax_new = \"1B\"", "unknown key 'ignore[0].max_new'"},
  };
  for (const auto& [text, message] : kCases) {
    EXPECT_THAT(ErrorOf(text), StartsWith("b.toml:")) << text;
    EXPECT_THAT(ErrorOf(text), HasSubstr(std::string(message))) << text;
  }
}

TEST(BudgetsTest, ReportsTheFirstErrorOfTheFile) {
  EXPECT_THAT(ErrorOf("zzz = 1\naaa = 2"), HasSubstr("b.toml:1: "));
}

}  // namespace
}  // namespace heapprof
