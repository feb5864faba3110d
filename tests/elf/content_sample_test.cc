// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/content_sample.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "heapprof/elf/elf_image.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

// The pieces, each after its length.
std::string SampleOf(const std::string& elf) {
  const TemporaryFile file(elf);
  const Result<ElfImage> image = ElfImage::Open(file.path());
  EXPECT_TRUE(image) << image.error().message;
  if (!image) return "";
  std::string text;
  for (const std::span<const uint8_t> piece : SampleContent(*image)) {
    text += std::to_string(piece.size()) + ' ';
    text.append(piece.begin(), piece.end());
  }
  return text;
}

// True if changing the byte at `offset` changes the sample.
bool Sees(const std::string& elf, uint64_t offset) {
  std::string changed = elf;
  changed.at(offset) ^= 1;
  return SampleOf(changed) != SampleOf(elf);
}

TEST(ContentSampleTest, HasAllOfSmallSections) {
  const std::string elf = ReadFile(FixturePath("pie"));
  for (const FileSection& section : ReadSections(elf)) {
    if (section.size == 0 || section.name == ".bss") continue;
    // libelf must still find the names and the build id.
    if (section.name == ".shstrtab" || section.name.starts_with(".note"))
      continue;
    EXPECT_TRUE(Sees(elf, section.offset)) << section.name;
    EXPECT_TRUE(Sees(elf, section.offset + section.size / 2)) << section.name;
    EXPECT_TRUE(Sees(elf, section.offset + section.size - 1)) << section.name;
  }
}

TEST(ContentSampleTest, HasTheHeaders) {
  const std::string elf = ReadFile(FixturePath("pie"));
  constexpr size_t kEntry = 0x18;
  constexpr size_t kProgramHeaders = 0x40;
  EXPECT_TRUE(Sees(elf, kEntry));
  EXPECT_TRUE(Sees(elf, kProgramHeaders + kEntry));
  for (const FileSection& section : ReadSections(elf))
    EXPECT_TRUE(Sees(elf, section.header_at + 0x10)) << section.name;
}

TEST(ContentSampleTest, HasFourPlacesOfALargeSection) {
  constexpr size_t kSize = 10'000'000;
  constexpr size_t kPage = 4096;
  const std::string elf =
      MakeElf({{".debug_info", DwarfBytes().Number(0, kSize)}});
  EXPECT_LT(SampleOf(elf).size(), 5 * kPage);
  const FileSection info = FindSection(elf, ".debug_info");
  EXPECT_TRUE(Sees(elf, info.offset));
  EXPECT_TRUE(Sees(elf, info.offset + kPage - 1));
  EXPECT_TRUE(Sees(elf, info.offset + (kSize - kPage) / 3));
  EXPECT_TRUE(Sees(elf, info.offset + (kSize - kPage) / 3 * 2));
  EXPECT_TRUE(Sees(elf, info.offset + kSize - 1));
  EXPECT_FALSE(Sees(elf, info.offset + kSize / 2));
}

// Sections may share their bytes and claim to have more than exist.
TEST(ContentSampleTest, IsSmallWhateverTheHeadersSay) {
  std::map<std::string, DwarfBytes> sections;
  for (int i = 0; i < 2000; ++i)
    sections.emplace("section" + std::to_string(i), DwarfBytes().U8(1));
  std::string elf = MakeElf(sections);
  elf.append(100'000, 'x');
  for (const FileSection& section : ReadSections(elf)) {
    if (section.name == ".shstrtab") continue;
    PutNumber(elf, section.header_at + 0x18, 8, 0);
    PutNumber(elf, section.header_at + 0x20, 8, UINT64_MAX);
  }
  EXPECT_LT(SampleOf(elf).size(), size_t{5} << 20);
}

}  // namespace
}  // namespace heapprof
