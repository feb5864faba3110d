// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/traces.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(WriteTracesTest, ShowsTheValueAtTheLeaf) {
  EXPECT_EQ(
      WriteTraces({.labels = {"f\t(inline)", "g", "main"},
                   .traces = {{{0, 2}, 2048}, {{1}, -5}}},
                  Unit::kMegabytes),
      R"(-----------+-------------------------------------------------------
   2.0 KiB   f?(inline)
             main
-----------+-------------------------------------------------------
      -5 B   g
-----------+-------------------------------------------------------
)");
  EXPECT_EQ(WriteTraces({}, Unit::kBytes), "");
}

}  // namespace
}  // namespace heapprof
