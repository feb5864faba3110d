// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/line_sequences.h"

#include <cstdint>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"

namespace heapprof::line_sequences_test {
namespace {

constexpr uint8_t kOpcodeBase = 13;

const DwarfBytes kEnd = DwarfBytes().U8(0).U8(1).U8(1);

DwarfBytes SetAddress(uint64_t address) {
  return DwarfBytes().U8(0).U8(9).U8(2).U64(address);
}

std::optional<std::vector<LineSequenceBytes>> SequencesOf(
    const DwarfBytes& program) {
  return FindLineSequences(program.bytes(), kOpcodeBase);
}

TEST(LineSequencesTest, FindsWhereEachSequenceStarts) {
  // With columns, files and discriminators before the address, as gcc and clang
  // write them.
  DwarfBytes first = SetAddress(0x1000).U8(20).Append(kEnd);
  DwarfBytes second = DwarfBytes().U8(5).U8(200).U8(1).U8(4).U8(2).U8(10);
  second.U8(0).U8(2).U8(4).U8(7).Append(SetAddress(0x20)).U8(1).Append(kEnd);
  DwarfBytes program = first;
  program.Append(second);
  const auto sequences = SequencesOf(program);
  ASSERT_TRUE(sequences);
  ASSERT_EQ(sequences->size(), 2u);
  EXPECT_EQ((*sequences)[0].address, 0x1000u);
  EXPECT_EQ((*sequences)[0].opcodes.size(), first.size());
  EXPECT_EQ((*sequences)[1].address, 0x20u);
  EXPECT_EQ((*sequences)[1].opcodes.size(), second.size());
  EXPECT_EQ((*sequences)[1].opcodes.data(),
            program.bytes().data() + first.size());
}

TEST(LineSequencesTest, TakesNoOtherProgram) {
  EXPECT_TRUE(SequencesOf({}));
  const DwarfBytes regular = SetAddress(0).U8(20).Append(kEnd);
  EXPECT_TRUE(SequencesOf(regular));
  for (size_t size = 1; size < regular.size(); ++size)
    EXPECT_FALSE(SequencesOf(DwarfBytes(regular.bytes().first(size)))) << size;
  // A row, or an advance of the address, before the address is set.
  for (const uint8_t opcode : {1, 2, 8, 20})
    EXPECT_FALSE(SequencesOf(DwarfBytes().U8(opcode).U8(1).Append(regular)));
  EXPECT_FALSE(SequencesOf(DwarfBytes(regular).U8(0)));
}

}  // namespace
}  // namespace heapprof::line_sequences_test
