// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/line_table.h"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

struct Header {
  uint64_t version = 4;
  bool is_64_bit = false;
  bool big_endian = false;
  uint64_t instruction_size = 1;
  uint64_t operations_per_instruction = 1;
  int line_base = -5;
  uint64_t line_range = 14;
  std::vector<uint8_t> operand_counts = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
  uint64_t extra_length = 0;  // added to the length in the header
};

class Bytes {
 public:
  explicit Bytes(bool big_endian) : big_endian_(big_endian) {}
  void Number(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i)
      bytes_.push_back(static_cast<uint8_t>(
          value >> (8 * (big_endian_ ? size - 1 - i : i))));
  }
  void Append(const std::vector<uint8_t>& more) {
    bytes_.insert(bytes_.end(), more.begin(), more.end());
  }
  const std::vector<uint8_t>& all() const { return bytes_; }

 private:
  bool big_endian_;
  std::vector<uint8_t> bytes_;
};

// A unit of .debug_line (DWARF 5, section 6.2.4). The file table is four
// meaningless bytes.
std::vector<uint8_t> Encode(const Header& h,
                            const std::vector<uint8_t>& program) {
  const size_t offset_size = h.is_64_bit ? 8 : 4;
  Bytes header(h.big_endian);
  header.Number(h.instruction_size, 1);
  if (h.version >= 4) header.Number(h.operations_per_instruction, 1);
  header.Number(1, 1);
  header.Number(static_cast<uint8_t>(h.line_base), 1);
  header.Number(h.line_range, 1);
  header.Number(h.operand_counts.size() + 1, 1);
  header.Append(h.operand_counts);
  header.Number(0xdeadbeef, 4);
  Bytes unit(h.big_endian);
  unit.Number(h.version, 2);
  if (h.version == 5) unit.Number(0x0008, 2);
  unit.Number(header.all().size(), offset_size);
  unit.Append(header.all());
  unit.Append(program);
  Bytes section(h.big_endian);
  if (h.is_64_bit) section.Number(0xffffffff, 4);
  section.Number(unit.all().size() + h.extra_length, offset_size);
  section.Append(unit.all());
  return section.all();
}

std::vector<uint8_t> SetAddress(uint64_t address, bool big_endian = false) {
  Bytes bytes(big_endian);
  bytes.Append({0, 9, 2});
  bytes.Number(address, 8);
  return bytes.all();
}

std::vector<uint8_t> Join(std::initializer_list<std::vector<uint8_t>> parts) {
  std::vector<uint8_t> all;
  for (const auto& part : parts)
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

const std::vector<uint8_t> kEndSequence = {0, 1, 1};

// "ADDRESS:FILE:LINE:COLUMN ..." per sequence, then its end.
std::vector<std::string> Decode(const std::vector<uint8_t>& section,
                                uint64_t offset = 0, bool big_endian = false) {
  LineTable program(section, offset, big_endian);
  std::vector<std::string> sequences;
  LineSequence sequence;
  while (program.Next(sequence)) {
    std::string& text = sequences.emplace_back();
    for (const LineRow& row : sequence.rows)
      text += std::to_string(row.address) + ':' + std::to_string(row.file) +
              ':' + std::to_string(row.line) + ':' +
              std::to_string(row.column) + ' ';
    text += "to " + std::to_string(sequence.end);
  }
  return sequences;
}

using Sequences = std::vector<std::string>;

TEST(LineTableTest, RunsEveryStandardOpcode) {
  const std::vector<uint8_t> program =
      Join({SetAddress(4096),
            {
                1,                  // copy
                2,  0x81, 1,        // pc + 129
                3,  0x7e,           // line - 2
                3,  20,             // line + 20
                4,  3,              // file 3
                5,  17,             // column 17
                6,  7,              // no effect here
                1,                  // copy
                8,                  // pc + 17
                9,  0x00, 0x02,     // pc + 512
                10, 11,   12,   5,  // no effect
                1,                  // copy
            },
            kEndSequence});
  for (const uint64_t version : {2U, 3U, 4U, 5U})
    EXPECT_EQ(Decode(Encode({.version = version}, program)),
              Sequences{"4096:1:1:0 4225:3:19:17 4754:3:19:17 to 4754"})
        << version;
}

// DWARF 5, 6.2.5.1: opcode = (line - base) + (range * advance) + 13.
TEST(LineTableTest, RunsSpecialOpcodes) {
  const auto special = [](int line, int advance) {
    return static_cast<uint8_t>(line + 5 + 14 * advance + 13);
  };
  const std::vector<uint8_t> program =
      Join({SetAddress(100),
            {special(3, 0), special(-4, 1), special(8, 16)},
            kEndSequence});
  EXPECT_EQ(Decode(Encode({}, program)),
            Sequences{"100:1:4:0 101:1:0:0 117:1:8:0 to 117"});
}

TEST(LineTableTest, ResetsTheRegistersForEverySequence) {
  const std::vector<uint8_t> program = Join({SetAddress(0),
                                             {3, 9, 4, 2, 1, 2, 16},
                                             kEndSequence,
                                             SetAddress(8192),
                                             {1, 2, 1},
                                             kEndSequence});
  EXPECT_EQ(Decode(Encode({}, program)),
            (Sequences{"0:2:10:0 to 16", "8192:1:1:0 to 8193"}));
}

TEST(LineTableTest, CountsOperationsOfLongInstructions) {
  // Four bytes with three operations each: 2 + 2 operations are one
  // instruction and a third.
  const std::vector<uint8_t> program =
      Join({SetAddress(64), {2, 2, 1, 2, 2, 1, 2, 2, 1}, kEndSequence});
  EXPECT_EQ(
      Decode(Encode({.instruction_size = 4, .operations_per_instruction = 3},
                    program)),
      Sequences{"64:1:1:0 68:1:1:0 72:1:1:0 to 72"});
}

TEST(LineTableTest, ReadsBigEndianAnd64BitUnits) {
  const std::vector<uint8_t> big =
      Join({SetAddress(0x12345678, true), {1, 9, 1, 2, 1}, kEndSequence});
  EXPECT_EQ(Decode(Encode({.big_endian = true}, big), 0, true),
            Sequences{"305419896:1:1:0 305420154:1:1:0 to 305420154"});
  const std::vector<uint8_t> program =
      Join({SetAddress(64), {1}, kEndSequence});
  EXPECT_EQ(Decode(Encode({.version = 5, .is_64_bit = true}, program)),
            Sequences{"64:1:1:0 to 64"});
}

TEST(LineTableTest, StartsAtTheGivenOffset) {
  const std::vector<uint8_t> first =
      Encode({}, Join({SetAddress(1), {1}, kEndSequence}));
  const std::vector<uint8_t> second =
      Encode({}, Join({SetAddress(2), {1}, kEndSequence}));
  const std::vector<uint8_t> section = Join({first, second});
  EXPECT_EQ(Decode(section, 0), Sequences{"1:1:1:0 to 1"});
  EXPECT_EQ(Decode(section, first.size()), Sequences{"2:1:1:0 to 2"});
  EXPECT_EQ(Decode(section, section.size()), Sequences{});
  EXPECT_EQ(Decode(section, UINT64_MAX), Sequences{});
}

TEST(LineTableTest, SkipsUnknownOpcodes) {
  // A producer with 14 standard opcodes; 13 and 14 take two operands and none.
  Header header;
  header.operand_counts.insert(header.operand_counts.end(), {2, 0});
  const std::vector<uint8_t> program =
      Join({SetAddress(64),
            {13, 0x80, 1, 5, 14, 1, 0, 3, 0x80, 9, 9},
            kEndSequence});
  EXPECT_EQ(Decode(Encode(header, program)), Sequences{"64:1:1:0 to 64"});
}

TEST(LineTableTest, TreatsOpcodesBeyondAShortTableAsSpecial) {
  // DWARF 2 had nine standard opcodes: 10 is the first special one.
  Header header{.version = 2};
  header.operand_counts.resize(9);
  const std::vector<uint8_t> program =
      Join({SetAddress(64), {10 + 5 + 2}, kEndSequence});
  EXPECT_EQ(Decode(Encode(header, program)), Sequences{"64:1:3:0 to 64"});
}

TEST(LineTableTest, EndsWhereTheProgramIsCut) {
  const std::vector<uint8_t> program = Join({SetAddress(64),
                                             {1, 2, 4},
                                             kEndSequence,
                                             SetAddress(128),
                                             {1, 2, 4},
                                             kEndSequence});
  const std::vector<uint8_t> whole = Encode({}, program);
  ASSERT_EQ(Decode(whole).size(), 2u);
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<uint8_t> cut(whole.begin(),
                                   whole.begin() + static_cast<int>(size));
    EXPECT_LE(Decode(cut).size(), 1u) << size;
  }
}

TEST(LineTableTest, ReadsNothingAfterAnInvalidHeader) {
  const std::vector<uint8_t> program =
      Join({SetAddress(64), {1}, kEndSequence});
  for (const Header& header :
       {Header{.version = 1}, Header{.version = 6},
        Header{.operations_per_instruction = 0}, Header{.line_range = 0},
        Header{.extra_length = 1}})
    EXPECT_EQ(Decode(Encode(header, program)), Sequences{});
}

}  // namespace
}  // namespace heapprof
