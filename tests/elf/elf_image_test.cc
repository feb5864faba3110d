// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/elf_image.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <gelf.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "support/fixture.h"
#include "support/resident_size.h"
#include "support/temporary_files.h"

namespace heapprof {
namespace {

ElfImage Open(const std::string& fixture) {
  Result<ElfImage> image = ElfImage::Open(FixturePath(fixture));
  EXPECT_TRUE(image) << image.error().message;
  return std::move(*image);
}

TEST(ElfImageTest, SaysTypeAndMachine) {
  struct Case {
    const char* fixture;
    uint16_t type;
    uint16_t machine;
  };
  for (const Case& c :
       {Case{"pie", ET_DYN, EM_X86_64}, Case{"exec", ET_EXEC, EM_X86_64},
        Case{"shared", ET_DYN, EM_X86_64},
        Case{"calls_aarch64", ET_DYN, EM_AARCH64},
        Case{"calls_i386", ET_DYN, EM_386}}) {
    const ElfImage image = Open(c.fixture);
    EXPECT_EQ(image.type(), c.type) << c.fixture;
    EXPECT_EQ(image.machine(), c.machine) << c.fixture;
    EXPECT_EQ(image.path(), FixturePath(c.fixture));
  }
}

TEST(ElfImageTest, ReadsTheBuildId) {
  EXPECT_EQ(Open("pie").build_id(), "0123456789abcdef");
  EXPECT_EQ(Open("pie.debug").build_id(), "0123456789abcdef");
  EXPECT_EQ(Open("linked").build_id(), "0123456789abcdef");
  EXPECT_EQ(Open("exec").build_id(), "");
  EXPECT_EQ(Open("shared").build_id().size(), 40u);
}

TEST(ElfImageTest, ReadsTheDebugLinkAndItsChecksum) {
  const std::string debug = ReadFile(FixturePath("pie.debug"));
  const auto crc = static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(debug.data()),
            static_cast<uInt>(debug.size())));
  const ElfImage image = Open("linked");
  ASSERT_TRUE(image.debug_link());
  EXPECT_EQ(image.debug_link()->file_name, "pie.debug");
  EXPECT_EQ(image.debug_link()->crc, crc);
  EXPECT_FALSE(Open("pie").debug_link());
}

TEST(ElfImageTest, IgnoresADebugLinkWithADirectoryOrWithoutAnEnd) {
  const std::string linked = ReadFile(FixturePath("linked"));
  const FileSection section = FindSection(linked, ".gnu_debuglink");
  std::string with_directory = linked;
  with_directory[section.offset + 3] = '/';
  std::string endless = linked;
  std::fill_n(endless.begin() + static_cast<ptrdiff_t>(section.offset),
              section.size, 'x');
  std::string empty = linked;
  empty[section.offset] = '\0';
  std::string cut = linked;  // no room for the checksum
  PutNumber(cut, section.header_at + 0x20, 8, sizeof "pie.debug");
  for (const std::string& bytes : {with_directory, endless, empty, cut}) {
    const TemporaryFile file(bytes);
    const Result<ElfImage> image = ElfImage::Open(file.path());
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_FALSE(image->debug_link());
  }
}

TEST(ElfImageTest, KnowsWhichFilesCarryDwarf) {
  EXPECT_TRUE(Open("pie").HasDwarf());
  EXPECT_TRUE(Open("pie.debug").HasDwarf());
  EXPECT_TRUE(Open("compressed").HasDwarf());
  EXPECT_FALSE(Open("linked").HasDwarf());
  EXPECT_FALSE(Open("symbols").HasDwarf());
}

TEST(ElfImageTest, KnowsItsSections) {
  const ElfImage image = Open("pie");
  for (const FileSection& section : ReadSections(ReadFile(FixturePath("pie"))))
    EXPECT_TRUE(section.name.empty() || image.HasSection(section.name))
        << section.name;
  EXPECT_FALSE(image.HasSection(".gnu_debuglink"));
  EXPECT_FALSE(image.HasSection("text"));
}

TEST(ElfImageTest, MapsFileOffsetsToAddressesAsTheSectionsSay) {
  for (const char* fixture : {"pie", "exec", "shared"}) {
    const std::string bytes = ReadFile(FixturePath(fixture));
    const ElfImage image = Open(fixture);
    for (const char* name : {".text", ".rodata", ".data", ".dynsym"}) {
      const FileSection section = FindSection(bytes, name);
      EXPECT_EQ(image.FileAddressOf(section.offset), section.address)
          << fixture << ' ' << name;
      EXPECT_EQ(image.FileAddressOf(section.offset + section.size - 1),
                section.address + section.size - 1)
          << fixture << ' ' << name;
    }
    EXPECT_EQ(image.FileAddressOf(bytes.size()), std::nullopt) << fixture;
    EXPECT_EQ(image.FileAddressOf(UINT64_MAX), std::nullopt) << fixture;
  }
}

TEST(ElfImageTest, TellsCodeFromData) {
  for (const char* fixture : {"pie", "exec", "shared"}) {
    const std::string bytes = ReadFile(FixturePath(fixture));
    const ElfImage image = Open(fixture);
    const FileSection text = FindSection(bytes, ".text");
    EXPECT_TRUE(image.IsExecutable(text.address)) << fixture;
    EXPECT_TRUE(image.IsExecutable(text.address + text.size - 1)) << fixture;
    EXPECT_FALSE(image.IsExecutable(FindSection(bytes, ".data").address))
        << fixture;
    EXPECT_FALSE(image.IsExecutable(0)) << fixture;
    EXPECT_FALSE(image.IsExecutable(UINT64_MAX)) << fixture;
  }
}

// The headers and the code share a segment. The debug information of discarded
// functions claims address 0.
TEST(ElfImageTest, DoesNotTakeItsHeaderForCode) {
  for (const char* fixture : {"one_segment", "one_segment.llvm_debug"}) {
    const ElfImage image = Open(fixture);
    const LoadSegment& first = image.load_segments().front();
    ASSERT_EQ(first.address, 0u);
    ASSERT_TRUE(first.executable);
    EXPECT_FALSE(image.IsExecutable(0));
    EXPECT_FALSE(image.IsExecutable(1));
    EXPECT_FALSE(image.IsExecutable(63));
    EXPECT_TRUE(image.IsExecutable(FindNm("one_segment", "main").address));
  }
}

// Its segments without contents have the file offset 0, where the header is.
TEST(ElfImageTest, KnowsAllCodeOfADebugFile) {
  const ElfImage binary = Open("pie");
  const auto code =
      std::ranges::find_if(binary.load_segments(), &LoadSegment::executable);
  ASSERT_NE(code, binary.load_segments().end());
  for (const char* fixture : {"pie", "pie.debug", "pie.llvm_debug"})
    EXPECT_TRUE(Open(fixture).IsExecutable(code->address)) << fixture;
}

TEST(ElfImageTest, ReturnsTheBytesBeforeAnAddress) {
  const std::string bytes = ReadFile(FixturePath("exec"));
  const ElfImage image = Open("exec");
  const FileSection text = FindSection(bytes, ".text");
  const std::span<const uint8_t> found = image.BytesBefore(text.address + 8, 8);
  EXPECT_EQ(std::string(found.begin(), found.end()),
            bytes.substr(text.offset, 8));
}

TEST(ElfImageTest, ReturnsFewerBytesAtTheStartOfASegment) {
  const ElfImage image = Open("exec");
  const auto code =
      std::ranges::find_if(image.load_segments(), &LoadSegment::executable);
  ASSERT_NE(code, image.load_segments().end());
  EXPECT_EQ(image.BytesBefore(code->address + 3, 8).size(), 3u);
  EXPECT_EQ(image.BytesBefore(code->address + 1, 8).size(), 1u);
}

TEST(ElfImageTest, HasNoBytesInBssOrInADebugFile) {
  const uint64_t zeroed = FindNm("pie", "zeroed").address;
  EXPECT_TRUE(Open("pie").BytesBefore(zeroed + 4096, 8).empty());
  const uint64_t main = FindNm("pie", "main").address;
  EXPECT_EQ(Open("pie").BytesBefore(main + 8, 8).size(), 8u);
  EXPECT_TRUE(Open("pie.debug").BytesBefore(main + 8, 8).empty());
  EXPECT_TRUE(Open("pie").BytesBefore(0, 8).empty());
}

TEST(ElfImageTest, DropsItsPagesAndReadsThemAgain) {
  const std::string path = FixturePath("pie");
  const ElfImage image = Open("pie");
  const auto bytes = image.bytes();
  const std::string content(bytes.begin(), bytes.end());
  const size_t resident = ResidentSize(path);
  EXPECT_GT(resident, 0u);
  image.DropPages(bytes);
  EXPECT_LT(ResidentSize(path), resident);
  EXPECT_TRUE(std::ranges::equal(
      bytes, content, {}, {}, [](char c) { return static_cast<uint8_t>(c); }));
}

// libdw has inflated a section and noted that in its header.
TEST(ElfImageTest, KeepsTheHeadersThatWereChanged) {
  // The last page of a file is not dropped if it is not full.
  const TemporaryFile file(ReadFile(FixturePath("compressed")) +
                           std::string(8192, '\0'));
  const Result<ElfImage> opened = ElfImage::Open(file.path());
  ASSERT_TRUE(opened) << opened.error().message;
  const ElfImage& image = *opened;
  Elf_Scn* section = nullptr;
  GElf_Shdr header = {};
  while ((section = elf_nextscn(image.handle(), section)) != nullptr) {
    ASSERT_NE(gelf_getshdr(section, &header), nullptr);
    if ((header.sh_flags & SHF_COMPRESSED) != 0) break;
  }
  ASSERT_NE(section, nullptr);
  ASSERT_GE(elf_compress(section, 0, 0), 0);
  image.DropPages(image.bytes());
  ASSERT_NE(gelf_getshdr(section, &header), nullptr);
  EXPECT_EQ(header.sh_flags & SHF_COMPRESSED, 0u);
}

TEST(LooksLikeElfTest, RequiresTheMagicNumber) {
  EXPECT_TRUE(
      LooksLikeElf("\x7f"
                   "ELF"));
  EXPECT_TRUE(
      LooksLikeElf("\x7f"
                   "ELF\x02\x01"));
  EXPECT_FALSE(
      LooksLikeElf("\x7f"
                   "EL"));
  EXPECT_FALSE(LooksLikeElf("heap_v2/524288"));
  EXPECT_FALSE(LooksLikeElf(""));
}

}  // namespace
}  // namespace heapprof
