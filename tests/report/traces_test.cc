// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/traces.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(WriteTracesTest, ShowsTheValueAtTheLeaf) {
  EXPECT_EQ(
      WriteTraces({{{"f\t(inline)", "main"}, 2048}, {{"g"}, -5}},
                  Unit::kMegabytes),
      R"(-----------+-------------------------------------------------------
    2.0KiB   f?(inline)
             main
-----------+-------------------------------------------------------
       -5B   g
-----------+-------------------------------------------------------
)");
  EXPECT_EQ(WriteTraces({}, Unit::kBytes), "");
}

}  // namespace
}  // namespace heapprof
