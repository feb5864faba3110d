// SPDX-License-Identifier: Apache-2.0
#include "io/memory_window.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr size_t kMebibyte = 1 << 20;

// What RLIMIT_DATA limits, in MiB: the sixth number of the kernel's statm.
int64_t DataInUse() {
  std::ifstream file("/proc/self/statm");
  std::array<int64_t, 6> pages = {};
  for (int64_t& number : pages) file >> number;
  return pages[5] * sysconf(_SC_PAGESIZE) / static_cast<int64_t>(kMebibyte);
}

TEST(MemoryWindowTest, CountsOnlyTheWindowAsMemory) {
  constexpr size_t kSize = 1024 * kMebibyte;
  const int64_t before = DataInUse();
  MemoryWindow window(kSize);
  EXPECT_LE(DataInUse() - before, 1);
  int64_t most = 0;
  for (size_t at = 0; at < kSize; at += kMebibyte) {
    window.Extend(at + kMebibyte);
    EXPECT_EQ(window.data()[at], 0);
    std::fill_n(window.data() + at, kMebibyte, uint8_t{7});
    most = std::max(most, DataInUse() - before);
    if (at > 0) {
      window.Free(at - kMebibyte, at);
      EXPECT_EQ(window.data()[at], 7);
    }
  }
  EXPECT_GE(most, 1);
  EXPECT_LE(most, 24);
  window.Free(kSize - kMebibyte, kSize);
  EXPECT_LE(DataInUse() - before, 2);
  EXPECT_EQ(window.data()[0], 0);
}

TEST(MemoryWindowTest, MayBeEmpty) {
  MemoryWindow window(0);
  window.Extend(0);
  window.Free(0, 0);
  EXPECT_EQ(window.size(), 0);
}

}  // namespace
}  // namespace heapprof
