// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/unwind_table.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/io/byte_buffer.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

using testing::Contains;
using testing::Pair;

// Offsets in .eh_frame_hdr.
constexpr size_t kRowEncodingAt = 3;
constexpr size_t kRowsAt = 12;
constexpr size_t kRow = 8;

ElfImage ImageOf(std::string_view bytes) {
  ByteBuffer content;
  content.Resize(bytes.size());
  std::memcpy(content.data(), bytes.data(), bytes.size());
  Result<ElfImage> image = ElfImage::FromContent("test", std::move(content));
  EXPECT_TRUE(image) << image.error().message;
  return std::move(*image);
}

// A stripped program, and one of its functions.
class UnwindTableTest : public testing::Test {
 protected:
  std::optional<uint64_t> FindStart(uint64_t address) const {
    const ElfImage image = ImageOf(bytes_);
    return UnwindTable(image).FindStart(address);
  }
  size_t OffsetOf(std::string_view section) const {
    return FindSection(bytes_, section).offset;
  }
  // Says that the header is of another version, so that nobody reads it.
  void SpoilHeader() { bytes_[OffsetOf(".eh_frame_hdr")] = 2; }

  // Returns the offset of the FDE of main() in the file.
  size_t FdeOfMain() const {
    const FileSection header = FindSection(bytes_, ".eh_frame_hdr");
    for (size_t at = kRowsAt; at + kRow <= header.size; at += kRow) {
      const auto number = [&](size_t offset) {
        return header.address +
               static_cast<uint64_t>(int64_t{static_cast<int32_t>(
                   GetNumber(bytes_, header.offset + offset, 4))});
      };
      if (number(at) != main_.address) continue;
      const FileSection entries = FindSection(bytes_, ".eh_frame");
      return entries.offset + (number(at + 4) - entries.address);
    }
    ADD_FAILURE() << "main() is not in the table";
    return 0;
  }

  std::string bytes_ = ReadFile(FixturePath("linked"));
  const NmSymbol main_ = FindNm("pie", "main");
};

TEST_F(UnwindTableTest, FindsWhereTheFunctionsOfSymbolsBegin) {
  for (const char* fixture : {"pie", "exec", "shared", "one_segment"}) {
    const ElfImage image = ImageOf(ReadFile(FixturePath(fixture)));
    const UnwindTable table(image);
    for (const char* name : {"main", "_Z6Globali"}) {
      const NmSymbol symbol = FindNm(fixture, name);
      const uint64_t end = symbol.address + symbol.size;
      EXPECT_EQ(table.FindStart(symbol.address), symbol.address) << name;
      EXPECT_EQ(table.FindStart(end - 1), symbol.address) << name;
      EXPECT_NE(table.FindStart(end), symbol.address) << name;
      EXPECT_THAT(table.Functions(), Contains(Pair(symbol.address, end)));
    }
    EXPECT_EQ(table.FindStart(0), std::nullopt);
    EXPECT_EQ(table.FindStart(UINT64_MAX), std::nullopt);
  }
}

TEST_F(UnwindTableTest, DoesNotNeedSymbolsOrSections) {
  ASSERT_EQ(FindStart(main_.address + 1), main_.address);
  constexpr size_t kSectionTable = 0x28, kSectionCount = 0x3c;
  PutNumber(bytes_, kSectionTable, 8, 0);
  PutNumber(bytes_, kSectionCount, 4, 0);
  EXPECT_EQ(FindStart(main_.address + 1), main_.address);
}

TEST_F(UnwindTableTest, ReadsAllEntriesWithoutASearchTable) {
  SpoilHeader();
  EXPECT_EQ(FindStart(main_.address + 1), main_.address);
  EXPECT_EQ(FindStart(main_.address + main_.size), std::nullopt);
}

TEST_F(UnwindTableTest, ReadsAllEntriesIfTheTableIsEncodedInAnotherWay) {
  bytes_[OffsetOf(".eh_frame_hdr") + kRowEncodingAt] = 0x1b;
  EXPECT_EQ(FindStart(main_.address + 1), main_.address);
}

TEST_F(UnwindTableTest, KnowsNothingOfDebugFiles) {
  bytes_ = ReadFile(FixturePath("pie.debug"));
  EXPECT_EQ(FindStart(main_.address + 1), std::nullopt);
}

TEST_F(UnwindTableTest, DoesNotBelieveAMoreDistantStart) {
  const size_t header = OffsetOf(".eh_frame_hdr");
  const auto count = GetNumber(bytes_, header + 8, 4);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = header + kRowsAt + i * kRow;
    PutNumber(bytes_, at, 4, GetNumber(bytes_, at, 4) - 1);
  }
  EXPECT_EQ(FindStart(main_.address + 1), std::nullopt);
}

TEST_F(UnwindTableTest, DoesNotBelieveEntriesThatMakeNoSense) {
  const std::string sound = bytes_;
  const size_t fde = FdeOfMain();
  const auto with = [&](size_t at, uint64_t value) {
    bytes_ = sound;
    PutNumber(bytes_, fde + at, 4, value);
    std::optional<uint64_t> by_table = FindStart(main_.address + 1);
    SpoilHeader();
    EXPECT_EQ(FindStart(main_.address + 1), by_table);
    return by_table;
  };
  constexpr size_t kCieAt = 4, kStartAt = 8, kSizeAt = 12;
  EXPECT_EQ(with(kSizeAt, main_.size), main_.address);
  EXPECT_EQ(with(kSizeAt, 0), std::nullopt);
  EXPECT_EQ(with(kSizeAt, 1), std::nullopt);
  EXPECT_EQ(with(kSizeAt, 0x7fffffff), std::nullopt);
  EXPECT_EQ(with(kStartAt, 0), std::nullopt);
  EXPECT_EQ(with(kCieAt, 0), std::nullopt);
  EXPECT_EQ(with(kCieAt, 1), std::nullopt);
  EXPECT_EQ(with(kCieAt, UINT32_MAX), std::nullopt);
}

}  // namespace
}  // namespace heapprof
