// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/callers_callees.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

CallersCalleesTable TableOf(std::string_view stacks,
                            const CallersCalleesOptions& options = {}) {
  return MakeCallersCalleesTable(
      MakeCallGraph(ProfileOf(stacks), {.limits = {0, 0, 0, 0}}), options);
}

std::string Texts(const std::vector<CallerOrCallee>& related,
                  const CallersCalleesTable& table) {
  std::string text;
  for (const CallerOrCallee& n : related)
    text += fmt::format(" {}={}/{}%", table.names[n.name], Difference(n.sum),
                        n.percent);
  return text;
}

// "name flat/cumulative: callers > callees" per row.
std::vector<std::string> Rows(const CallersCalleesTable& table) {
  std::vector<std::string> rows;
  for (const CallersCalleesRow& row : table.rows)
    rows.push_back(fmt::format("{} {}/{}:{} >{}", table.names[row.name],
                               Difference(row.flat), Difference(row.cumulative),
                               Texts(row.callers, table),
                               Texts(row.callees, table)));
  return rows;
}

constexpr std::string_view kCallStacks =
    "main;f|g 30\nmain;f;f 50\nmain;h 20\n";

TEST(CallersCalleesTableTest, PutsFunctionsBetweenCallersAndCallees) {
  EXPECT_THAT(
      Rows(TableOf(kCallStacks)),
      ElementsAre("f 50/80: main=80/100% > g (inline)=30/37.5%",
                  "g (inline) 30/30: f=30/100% >", "h 20/20: main=20/100% >",
                  "main 0/100: > f=80/80% h=20/20%"));
}

TEST(CallersCalleesTableTest, SortsByCumulativeValueWhenAsked) {
  const CallersCalleesTable table =
      TableOf(kCallStacks, {.sort_by_cumulative = true, .top = 2});
  EXPECT_THAT(Rows(table),
              ElementsAre("main 0/100: > f=80/80% h=20/20%",
                          "f 50/80: main=80/100% > g (inline)=30/37.5%"));
  EXPECT_EQ(table.all_rows, 4u);
  EXPECT_EQ(Difference(table.shown), 50);
  EXPECT_EQ(Difference(table.total), 100);
  EXPECT_EQ(table.rows[1].running_percent, 50);
}

TEST(CallersCalleesTableTest, ShowsTheFunctionsThatMatch) {
  const CallersCalleesTable table =
      TableOf(kCallStacks,
              {.matches = [](const std::string& name) { return name == "h"; }});
  EXPECT_THAT(Rows(table), ElementsAre("h 20/20: main=20/100% >"));
  EXPECT_EQ(table.all_rows, 1u);
  EXPECT_EQ(table.rows[0].running_percent, 20);
}

TEST(CallersCalleesTableTest, SortsDifferencesBySize) {
  EXPECT_THAT(
      Rows(TableOf("main;f -50\nmain;g 20\n")),
      ElementsAre("f -50/-50: main=-50/100% >", "g 20/20: main=20/100% >",
                  "main 0/-30: > f=-50/166.66666666666666% "
                  "g=20/-66.66666666666667%"));
}

}  // namespace
}  // namespace heapprof
