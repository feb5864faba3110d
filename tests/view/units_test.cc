// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/units.h"

#include <utility>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(FormatBytesTest, ChoosesTheLargestUnitThatLeavesAWholeNumber) {
  const std::pair<double, const char*> cases[] = {
      {0, "0 B"},
      {1023, "1023 B"},
      {1023.6, "1.0 KiB"},
      {1024, "1.0 KiB"},
      {1536, "1.5 KiB"},
      {-1536, "-1.5 KiB"},
      {1048524, "1023.9 KiB"},
      {1048570, "1.0 MiB"},
      {7430912, "7.1 MiB"},
      {1.5 * (1 << 30), "1.5 GiB"},
      {3e12, "2.7 TiB"},
      {2e20, "177635.7 PiB"},
  };
  for (const auto& [bytes, text] : cases) EXPECT_EQ(FormatBytes(bytes), text);
}

}  // namespace
}  // namespace heapprof
