// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/traces.h"

#include <string>

#include <gtest/gtest.h>

#include "support/written_text.h"

namespace heapprof {
namespace {

std::string TextOf(const TraceTable& table, Unit unit) {
  return WrittenText(
      [&](ByteSink& out) { WriteTraces(table, unit, /*width=*/0, out); });
}

TEST(WriteTracesTest, ShowsTheValueAtTheLeaf) {
  EXPECT_EQ(
      TextOf({.labels = {"f\t(inline)", "g", "main"},
              .frames = {0, 2, 1},
              .traces = {{.first = 0, .count = 2, .whole = 2048},
                         {.first = 2, .count = 1, .whole = -5}}},
             Unit::kMegabytes),
      R"(-----------+-------------------------------------------------------
   2.0 KiB   f?(inline)
             main
-----------+-------------------------------------------------------
      -5 B   g
-----------+-------------------------------------------------------
)");
  EXPECT_EQ(TextOf({}, Unit::kBytes), "");
}

TEST(WriteTracesTest, FitsANarrowTerminal) {
  const TraceTable table = {.labels = {"demo::storage::Fill"},
                            .frames = {0},
                            .traces = {{.first = 0, .count = 1, .whole = 5}}};
  EXPECT_EQ(WrittenText([&](ByteSink& out) {
              WriteTraces(table, Unit::kBytes, /*width=*/30, out);
            }),
            R"(-----------+------------------
       5 B   …::storage::Fill
-----------+------------------
)");
}

}  // namespace
}  // namespace heapprof
