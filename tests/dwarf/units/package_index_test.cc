// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/package_index.h"

#include <cstring>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/peak_memory.h"

namespace heapprof {
namespace {

constexpr uint32_t kVersion = 5;

// A section of little-endian words of four bytes.
std::vector<uint8_t> Words(std::initializer_list<uint32_t> words) {
  std::vector<uint8_t> bytes(4 * words.size());
  std::memcpy(bytes.data(), std::data(words), bytes.size());
  return bytes;
}

TEST(PackageIndexTest, FindsThePartOfEachUnit) {
  const std::vector<uint8_t> section = Words({kVersion, 2,  2,  2,   // header
                                              7,        0,  8,  1,   // ids
                                              2,        1,           // rows
                                              1,        3,           // kinds
                                              10,       11, 20, 21,  // offsets
                                              12,       13, 22, 23});  // sizes
  const auto index = PackageIndex::Read(section);
  ASSERT_TRUE(index);
  EXPECT_FALSE(index->Contains(8));
  ASSERT_TRUE(index->Contains(7));
  EXPECT_EQ(index->Find(7, PackageSection::kInfo).offset, 20u);
  EXPECT_EQ(index->Find(7, PackageSection::kAbbreviations).size, 23u);
  EXPECT_EQ(index->Find(7, PackageSection::kStringOffsets).size, 0u);
  EXPECT_EQ(index->Find((uint64_t{1} << 32) + 8, PackageSection::kAbbreviations)
                .offset,
            11u);
}

TEST(PackageIndexTest, RejectsTablesThatDoNotFit) {
  for (const auto& section :
       {Words({kVersion, 2, 2}), Words({7, 0, 0, 0}),
        Words({kVersion, 9, 0, 0}), Words({kVersion, 1, 1, 0, 1, 0}),
        Words({kVersion, 0, 0, 1, 1, 0}),
        Words({kVersion, 1, 0, 1, 7, 0, 1, 1})})
    EXPECT_FALSE(PackageIndex::Read(section));
}

// Rows without columns take no bytes, so any number of them fits.
TEST(PackageIndexTest, RejectsRowsWithoutColumns) {
  const long before = PeakMemoryInKib();
  for (const uint32_t rows : {1u, 20'000'000u, UINT32_MAX})
    EXPECT_FALSE(PackageIndex::Read(Words({kVersion, 0, rows, 0})));
  EXPECT_LT(PeakMemoryInKib() - before, 1 << 10);
  EXPECT_TRUE(PackageIndex::Read(Words({kVersion, 0, 0, 0})));
}

}  // namespace
}  // namespace heapprof
