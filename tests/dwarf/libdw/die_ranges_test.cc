// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/die_ranges.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/libdw/opened_libdw.h"

namespace heapprof {
namespace {

// A unit whose root has `list` as its DW_AT_ranges.
OpenedLibdw Open(std::initializer_list<uint64_t> list) {
  DwarfBytes ranges;
  for (const uint64_t number : list) ranges.U64(number);
  return OpenedLibdw(
      {{".debug_abbrev",
        DwarfBytes().Ulebs({1, DW_TAG_compile_unit, 0, DW_AT_low_pc,
                            DW_FORM_addr, DW_AT_ranges, DW_FORM_sec_offset, 0,
                            0, 0})},
       {".debug_info",
        DwarfBytes().Unit(OldUnitHeader().U8(1).U64(kCodeStart).U32(0))},
       {".debug_ranges", ranges}});
}

// The ranges of the root, as offsets from kCodeStart: "0-16 32-48 ".
std::string Read(OpenedLibdw& file, uint64_t budget = 100) {
  file.ranges().SetBudget(budget);
  Dwarf_Die root = file.root();
  std::vector<AddressRange> found = {{1, 2}};
  const DieRangeReader::Found result = file.ranges().Read(&root, found);
  std::string text;
  for (const AddressRange& range : found)
    text += std::to_string(range.start - kCodeStart) + '-' +
            std::to_string(range.end - kCodeStart) + ' ';
  if (result.damaged) text += "damaged";
  return result.has_ranges ? text : text + "none";
}

TEST(DieRangesTest, ReplacesTheRangesWithThoseOfTheDie) {
  OpenedLibdw file = Open({32, 48, 0, 16, 0, 0});
  EXPECT_EQ(Read(file), "32-48 0-16 ");
}

TEST(DieRangesTest, LeavesOutRangesThatDoNotStartInCode) {
  const uint64_t tombstone = 1 - kCodeStart;
  OpenedLibdw file =
      Open({tombstone, tombstone + 64, 0, 16, kCodeSize, kCodeSize + 8, 0, 0});
  EXPECT_EQ(Read(file), "0-16 ");
}

TEST(DieRangesTest, DistinguishesRangesWithoutCodeFromNoRanges) {
  OpenedLibdw discarded = Open({1 - kCodeStart, 65 - kCodeStart, 0, 0});
  EXPECT_EQ(Read(discarded), "");
  OpenedLibdw empty = Open({0, 0});
  EXPECT_EQ(Read(empty), "none");
}

TEST(DieRangesTest, ReportsAListThatIsCutOff) {
  OpenedLibdw file = Open({0, 16, 32});
  EXPECT_EQ(Read(file), "0-16 damaged");
}

TEST(DieRangesTest, StopsWhenTheBudgetIsUsedUp) {
  OpenedLibdw file = Open({0, 1, 1, 2, 2, 3, 0, 0});
  EXPECT_EQ(Read(file, 2), "0-1 1-2 ");
  EXPECT_TRUE(file.ranges().exhausted());
  EXPECT_EQ(Read(file, 4), "0-1 1-2 2-3 ");
  EXPECT_FALSE(file.ranges().exhausted());
}

}  // namespace
}  // namespace heapprof
