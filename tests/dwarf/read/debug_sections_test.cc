// SPDX-License-Identifier: Apache-2.0
#include "dwarf/read/debug_sections.h"

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/dwarf_file.h"
#include "heapprof/elf/elf_image.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

using ::testing::IsEmpty;

constexpr std::array<std::string_view, 9> kNames = {
    ".debug_info",        ".debug_abbrev",   ".debug_line",
    ".debug_str",         ".debug_addr",     ".debug_ranges",
    ".debug_str_offsets", ".debug_rnglists", ".debug_line_str"};

// A file whose sections hold their own names, followed by `suffix`.
std::string FileOfNames(const std::string& suffix) {
  std::map<std::string, DwarfBytes> sections;
  for (const std::string_view name : kNames)
    sections[std::string(name) + suffix].Text(std::string(name) + suffix);
  return MakeElf(sections);
}

std::string_view TextAt(std::span<const uint8_t> section, uint64_t offset) {
  return UpToNul(UnboundedStringAt(section, offset));
}

std::string NameIn(std::span<const uint8_t> section) {
  return std::string(TextAt(section, 0));
}

void ExpectEveryMemberHasItsSection(const DebugSections& sections,
                                    const std::string& suffix) {
  EXPECT_THAT(sections.problems, IsEmpty());
  EXPECT_EQ(NameIn(sections.info), ".debug_info" + suffix);
  EXPECT_EQ(NameIn(sections.abbreviations), ".debug_abbrev" + suffix);
  EXPECT_EQ(NameIn(sections.line), ".debug_line" + suffix);
  EXPECT_EQ(NameIn(sections.strings), ".debug_str" + suffix);
  EXPECT_EQ(NameIn(sections.line_strings), ".debug_line_str" + suffix);
  EXPECT_EQ(NameIn(sections.string_offsets), ".debug_str_offsets" + suffix);
  EXPECT_EQ(NameIn(sections.addresses), ".debug_addr" + suffix);
  EXPECT_EQ(NameIn(sections.ranges), ".debug_ranges" + suffix);
  EXPECT_EQ(NameIn(sections.range_lists), ".debug_rnglists" + suffix);
  EXPECT_THAT(sections.alternate_strings, IsEmpty());
}

ElfImage Open(const TemporaryFile& file) {
  Result<ElfImage> image = ElfImage::Open(file.path());
  EXPECT_TRUE(image) << image.error().message;
  return std::move(*image);
}

TEST(DebugSectionsTest, LoadsEverySection) {
  const TemporaryFile file(FileOfNames(""));
  const ElfImage image = Open(file);
  for (const unsigned jobs : {1U, 4U})
    ExpectEveryMemberHasItsSection(LoadDebugSections(image, jobs), "");
  EXPECT_THAT(LoadSplitSections(image).info, IsEmpty());
}

TEST(DebugSectionsTest, LoadsTheSectionsOfSplitFiles) {
  const TemporaryFile file(FileOfNames(".dwo"));
  const ElfImage image = Open(file);
  ExpectEveryMemberHasItsSection(LoadSplitSections(image), ".dwo");
  EXPECT_THAT(LoadDebugSections(image, 1).info, IsEmpty());
}

TEST(DebugSectionsTest, AcceptsMissingSections) {
  const TemporaryFile file(MakeElf({}));
  const ElfImage image = Open(file);
  const DebugSections sections = LoadDebugSections(image, 1);
  EXPECT_THAT(sections.problems, IsEmpty());
  EXPECT_THAT(sections.info, IsEmpty());
}

TEST(StringAtTest, EndsAtTheNulOrTheSection) {
  const DwarfBytes strings = DwarfBytes().Text("one").Text("two").U8('x');
  EXPECT_EQ(TextAt(strings, 0), "one");
  EXPECT_EQ(TextAt(strings, 5), "wo");
  EXPECT_EQ(TextAt(strings, 8), "x");
  EXPECT_EQ(TextAt(strings, 9), "");
  EXPECT_EQ(TextAt(strings, UINT64_MAX), "");
  EXPECT_TRUE(UnboundedStringAt(strings, 0).starts_with("one"));
}

TEST(StringAtTest, CutsOverlongText) {
  const DwarfBytes strings = DwarfBytes().Text(std::string(100'000, 'x'));
  EXPECT_EQ(TextAt(strings, 0).size(), 65'536u);
}

}  // namespace
}  // namespace heapprof
