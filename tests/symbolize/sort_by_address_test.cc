// SPDX-License-Identifier: Apache-2.0
#include "symbolize/sort_by_address.h"

#include <cstdint>
#include <random>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

struct Row {
  uint64_t address = 0;
  uint64_t twice = 0;

  bool operator==(const Row&) const = default;
};

// From no rows to more than one part for each thread; some addresses occur
// several times.
TEST(SortByAddressTest, SortsWithAnyNumberOfThreads) {
  std::mt19937_64 random(7);
  for (const size_t count : std::vector<size_t>{0, 1, 1000, 65'536, 400'000}) {
    std::vector<Row> rows(count);
    for (Row& row : rows) {
      row.address = 0x7f00'0000'0000 + random() % 300'000 * 16;
      row.twice = 2 * row.address;
    }
    std::vector<Row> expected = rows;
    std::ranges::sort(expected, {}, &Row::address);
    for (const unsigned jobs : {0u, 1u, 2u, 3u, 8u}) {
      std::vector<Row> sorted = rows;
      SortByAddress(sorted, &Row::address, jobs);
      EXPECT_EQ(sorted, expected) << count << " rows, " << jobs << " threads";
    }
  }
}

}  // namespace
}  // namespace heapprof
