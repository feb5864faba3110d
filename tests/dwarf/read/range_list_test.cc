// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/range_list.h"

#include <cstdint>
#include <string>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "dwarf/opened_dwarf.h"

namespace heapprof {
namespace {

constexpr uint64_t kBudget = 1000;

// The list at `offset`, as offsets from kCodeStart: "0-16 32-48 "; "damaged" at
// the end if the list is damaged.
std::string ReadList(uint64_t version, const DwarfBytes& list,
                     uint64_t offset = 0, uint64_t budget = kBudget) {
  DwarfBytes unit = version == 5 ? UnitHeader5() : OldUnitHeader(0, version);
  DwarfBytes addresses;
  addresses.Number(0, 8).U64(kCodeStart + 256).U64(kCodeStart + 512);
  const OpenedDwarf dwarf(
      {{".debug_abbrev",
        DwarfBytes().Ulebs(
            {1, DW_TAG_compile_unit, 0, DW_AT_low_pc, DW_FORM_addr, 0, 0, 0})},
       {".debug_info", DwarfBytes().Unit(unit.U8(1).U64(kCodeStart))},
       {".debug_addr", addresses},
       {version == 5 ? ".debug_rnglists" : ".debug_ranges", list}});
  const UnitReader reader = dwarf.reader();
  RangeListReader ranges(reader, dwarf.image(), budget);
  std::vector<AddressRange> found;
  const bool is_valid = ranges.ReadList(offset, found);
  std::string text;
  for (const AddressRange& range : found)
    text += std::to_string(range.start - kCodeStart) + '-' +
            std::to_string(range.end - kCodeStart) + ' ';
  return is_valid ? text : text + "damaged";
}

DwarfBytes Old(std::initializer_list<uint64_t> numbers) {
  DwarfBytes list;
  for (const uint64_t number : numbers) list.U64(number);
  return list;
}

TEST(RangeListTest, ReadsOldLists) {
  EXPECT_EQ(ReadList(4, Old({0, 16, 32, 48, 0, 0})), "0-16 32-48 ");
  EXPECT_EQ(ReadList(2, Old({7, 7, 0, 0, 1, 2, 0, 0}), 32), "1-2 ");
  EXPECT_EQ(ReadList(3, Old({UINT64_MAX, kCodeStart + 64, 0, 8, 16, 24, 0, 0})),
            "64-72 80-88 ");
}

TEST(RangeListTest, ReadsEveryEntryOfNewLists) {
  const DwarfBytes end = DwarfBytes().U8(DW_RLE_end_of_list);
  struct Case {
    DwarfBytes entry;
    std::string ranges;
  };
  for (const Case& c : {
           Case{{}, ""},
           Case{DwarfBytes().U8(DW_RLE_offset_pair).Ulebs({1, 200}), "1-200 "},
           Case{DwarfBytes().Ulebs(
                    {DW_RLE_base_addressx, 1, DW_RLE_offset_pair, 1, 2}),
                "513-514 "},
           Case{DwarfBytes()
                    .U8(DW_RLE_base_address)
                    .U64(kCodeStart + 64)
                    .Ulebs(
                        {DW_RLE_offset_pair, 0, 8, DW_RLE_offset_pair, 9, 10}),
                "64-72 73-74 "},
           Case{DwarfBytes().Ulebs({DW_RLE_startx_endx, 0, 1}), "256-512 "},
           Case{DwarfBytes().Ulebs({DW_RLE_startx_length, 1, 300}), "512-812 "},
           Case{DwarfBytes()
                    .U8(DW_RLE_start_end)
                    .U64(kCodeStart + 2)
                    .U64(kCodeStart + 4),
                "2-4 "},
           Case{DwarfBytes().U8(DW_RLE_start_length).U64(kCodeStart).Uleb(3),
                "0-3 "},
       })
    EXPECT_EQ(ReadList(5, DwarfBytes(c.entry).Append(end)), c.ranges);
}

// Linkers put these addresses in place of discarded functions.
TEST(RangeListTest, LeavesOutTombstones) {
  for (const uint64_t tombstone :
       {uint64_t{0}, uint64_t{1}, UINT64_MAX, UINT64_MAX - 1}) {
    DwarfBytes list;
    list.U8(DW_RLE_start_length).U64(tombstone).Uleb(64);
    list.U8(DW_RLE_base_address).U64(tombstone);
    list.Ulebs({DW_RLE_offset_pair, 0, 64});
    list.U8(DW_RLE_start_length).U64(kCodeStart).Uleb(8);
    EXPECT_EQ(ReadList(5, list.U8(DW_RLE_end_of_list)), "0-8 ") << tombstone;
  }
  EXPECT_EQ(ReadList(4, Old({UINT64_MAX, 0, 1, 1, 1, 65, 0, 0})), "");
  EXPECT_EQ(ReadList(4, Old({UINT64_MAX - 1, UINT64_MAX - 1, 0, 8, 0, 0})),
            "0-8 ");
}

TEST(RangeListTest, LeavesOutRangesThatAreEmptyOrReversed) {
  EXPECT_EQ(ReadList(4, Old({8, 8, 9, 8, 1, 2, 0, 0})), "1-2 ");
  DwarfBytes list;
  list.U8(DW_RLE_start_length).U64(kCodeStart).Uleb(UINT64_MAX);
  EXPECT_EQ(ReadList(5, list.U8(DW_RLE_end_of_list)), "");
}

TEST(RangeListTest, KeepsRangesBeforeTheDamage) {
  EXPECT_EQ(ReadList(4, Old({0, 16, 32})), "0-16 damaged");
  EXPECT_EQ(ReadList(4, Old({0, 16, 0, 0}), 1000), "damaged");
  EXPECT_EQ(ReadList(4, Old({0, 16, 0, 0}), UINT64_MAX), "damaged");
  const DwarfBytes pair = DwarfBytes().U8(DW_RLE_offset_pair).Ulebs({0, 1});
  EXPECT_EQ(ReadList(5, pair), "0-1 damaged");
  EXPECT_EQ(ReadList(5, DwarfBytes(pair).U8(0x55)), "0-1 damaged");
  EXPECT_EQ(ReadList(5, DwarfBytes(pair).U8(DW_RLE_start_end).U64(kCodeStart)),
            "0-1 damaged");
}

TEST(RangeListTest, StopsAtTheLimitOfEntries) {
  EXPECT_EQ(ReadList(4, Old({0, 1, 1, 2, 2, 3, 0, 0}), 0, 2),
            "0-1 1-2 damaged");
  EXPECT_EQ(ReadList(4, Old({0, 1, 1, 2, 2, 3, 0, 0}), 0, 4), "0-1 1-2 2-3 ");
}

}  // namespace
}  // namespace heapprof
