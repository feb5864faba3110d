// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/tree.h"

#include <string>

#include <gtest/gtest.h>

#include "support/written_text.h"

namespace heapprof {
namespace {

constexpr const char* kHead =
    R"(Showing nodes accounting for 60 B, 60.0% of 100 B total
Showing top 1 nodes out of 3
----------------------------------------------------------+-------------
      flat  flat%   sum%        cum   cum%   calls calls% + context
----------------------------------------------------------+-------------
)";

TEST(WriteTreeTest, ShowsAFunctionBetweenItsCallersAndCallees) {
  CallersCalleesTable table = {.names = {"f\n", "main", "g (inline)"},
                               .rows = {},
                               .shown = {{60}},
                               .total = {{100}},
                               .all_rows = 3};
  table.rows.push_back({.name = 0,
                        .flat = {{60.25}, {0.5}},  // each side is rounded
                        .cumulative = {{80}},
                        .flat_percent = 60,
                        .running_percent = 60,
                        .cumulative_percent = 80,
                        .callers = {{1, {{80}}, 100}},
                        .callees = {{2, {{0}, {20}}, -25}}});
  EXPECT_EQ(
      WrittenText([&](ByteSink& out) {
        WriteTree(table, Unit::kBytes, /*width=*/0, out);
      }),
      std::string(kHead) +
          R"(                                              80 B   100% |   main
      60 B  60.0%  60.0%       80 B  80.0%                | f?
                                             -20 B -25.0% |   g (inline)
----------------------------------------------------------+-------------
)");
}

std::string NarrowTree(size_t width) {
  CallersCalleesTable table = {.names = {"demo::storage::Fill", "main"},
                               .rows = {},
                               .shown = {{60}},
                               .total = {{100}},
                               .all_rows = 1};
  table.rows.push_back({.name = 0,
                        .flat = {{60}},
                        .cumulative = {{80}},
                        .flat_percent = 60,
                        .running_percent = 60,
                        .cumulative_percent = 80,
                        .callers = {{1, {{80}}, 100}},
                        .callees = {}});
  return WrittenText(
      [&](ByteSink& out) { WriteTree(table, Unit::kBytes, width, out); });
}

TEST(WriteTreeTest, LeavesOutColumnsThatANarrowTerminalHasNoRoomFor) {
  EXPECT_EQ(NarrowTree(80),
            R"(Showing nodes accounting for 60 B, 60.0% of 100 B total
---------------------------------------------------+-------------
      flat  flat%        cum   cum%   calls calls% + context
---------------------------------------------------+-------------
                                       80 B   100% |   main
      60 B  60.0%       80 B  80.0%                | demo::storage::Fill
---------------------------------------------------+-------------
)");
  EXPECT_EQ(NarrowTree(60), R"(Showing 60 B, 60.0% of 100 B
------------------------------------+-------------
      flat  flat%        cum   cum% + context
------------------------------------+-------------
                        80 B   100% |   main
      60 B  60.0%       80 B  80.0% | demo::storage::Fill
------------------------------------+-------------
)");
  EXPECT_EQ(NarrowTree(36), R"(Showing 60 B, 60.0% of 100 B
------------------+-------------
       cum   cum% + context
------------------+-------------
      80 B   100% |   main
      80 B  80.0% | storag…::Fill
------------------+-------------
)");
}

}  // namespace
}  // namespace heapprof
