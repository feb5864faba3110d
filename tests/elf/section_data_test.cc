// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/section_data.h"

#include <elf.h>

#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "support/fixture.h"

namespace heapprof {
namespace {

constexpr std::string_view kNames[] = {".debug_info", ".debug_abbrev",
                                       ".debug_line", ".debug_none"};

std::string TextOf(const SectionData& section) {
  return {section.bytes.begin(), section.bytes.end()};
}

std::string ContentOf(std::string_view fixture, std::string_view section) {
  const std::string file = ReadFile(FixturePath(fixture));
  const FileSection found = FindSection(file, section);
  return file.substr(found.offset, found.size);
}

// The problem of the first section of the file `bytes`.
std::string ProblemOf(const std::string& bytes) {
  const TemporaryFile file(bytes);
  const Result<ElfImage> image = ElfImage::Open(file.path());
  EXPECT_TRUE(image) << image.error().message;
  const std::vector<SectionData> sections = LoadSections(*image, kNames, 1);
  EXPECT_TRUE(sections[0].bytes.empty());
  return sections[0].problem;
}

TEST(SectionDataTest, ReadsSectionsOfEveryCompression) {
  for (const char* fixture :
       {"pie", "packed_zlib", "packed_zlib-gnu", "packed_zstd"}) {
    const Result<ElfImage> image = ElfImage::Open(FixturePath(fixture));
    ASSERT_TRUE(image) << image.error().message;
    for (const unsigned jobs : {1U, 4U}) {
      SCOPED_TRACE(fixture + std::to_string(jobs));
      const std::vector<SectionData> sections =
          LoadSections(*image, kNames, jobs);
      ASSERT_EQ(sections.size(), 4u);
      for (size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(sections[i].problem, "");
        EXPECT_TRUE(TextOf(sections[i]) == ContentOf("pie", kNames[i]))
            << kNames[i];
      }
      EXPECT_TRUE(sections[3].bytes.empty());
      EXPECT_EQ(sections[3].problem, "");
    }
  }
}

// The fixture with .debug_line renamed.
std::string TwoSectionsOfOneName(std::string_view fixture) {
  std::string bytes = ReadFile(FixturePath(fixture));
  const size_t info = FindSection(bytes, ".debug_info").header_at;
  bytes.replace(FindSection(bytes, ".debug_line").header_at, 4,
                bytes.substr(info, 4));
  return bytes;
}

TEST(SectionDataTest, StreamsALargeSection) {
  const std::string content = ContentOf("pie", ".debug_info");
  for (const char* fixture :
       {"packed_zlib", "packed_zlib-gnu", "packed_zstd"}) {
    SCOPED_TRACE(fixture);
    const Result<ElfImage> image = ElfImage::Open(FixturePath(fixture));
    ASSERT_TRUE(image) << image.error().message;
    const std::vector<SectionData> sections = LoadSections(
        *image, kNames, 2, {.name = ".debug_info", .min_size = content.size()});
    ASSERT_NE(sections[0].stream, nullptr);
    EXPECT_TRUE(sections[0].stream->Finish());
    EXPECT_TRUE(TextOf(sections[0]) == content);
    EXPECT_EQ(sections[1].stream, nullptr);
    EXPECT_TRUE(TextOf(sections[1]) == ContentOf("pie", ".debug_abbrev"));
  }
}

TEST(SectionDataTest, InflatesSmallAndUnstreamableSectionsAtOnce) {
  const std::string sound = ReadFile(FixturePath("packed_zlib"));
  const uint64_t size = ContentOf("pie", ".debug_info").size();
  std::string large = sound;
  PutNumber(large, FindSection(sound, ".debug_info").offset + 8, 8,
            uint64_t{1} << 60);
  const std::string plain = ReadFile(FixturePath("pie"));
  for (const auto& [bytes, min_size, problem] :
       {std::tuple(sound, size + 1, ""), std::tuple(plain, uint64_t{0}, ""),
        std::tuple(TwoSectionsOfOneName("packed_zlib"), uint64_t{0}, ""),
        std::tuple(large, uint64_t{0}, "cannot inflate to the")}) {
    const TemporaryFile file(bytes);
    const Result<ElfImage> image = ElfImage::Open(file.path());
    ASSERT_TRUE(image) << image.error().message;
    const std::vector<SectionData> sections = LoadSections(
        *image, kNames, 2, {.name = ".debug_info", .min_size = min_size});
    EXPECT_EQ(sections[0].stream, nullptr);
    EXPECT_NE(sections[0].problem.find(problem), std::string::npos);
    EXPECT_EQ(sections[0].bytes.empty(), *problem != '\0');
  }
}

// The fixtures are usable only if the tools really compressed them.
TEST(SectionDataTest, HasFixturesThatAreCompressed) {
  EXPECT_EQ(ContentOf("packed_zlib", ".debug_info").at(0), '\x01');
  EXPECT_EQ(ContentOf("packed_zlib-gnu", ".zdebug_info").substr(0, 4), "ZLIB");
  EXPECT_EQ(ContentOf("packed_zstd", ".debug_info").at(0), '\x02');
}

// Elf64_Chdr: type in 4 bytes, 4 unused, size, alignment in 8 bytes each.
TEST(SectionDataTest, SaysWhyACompressedSectionCannotBeRead) {
  struct Case {
    size_t at;
    size_t size;
    uint64_t value;
    std::string problem;
  };
  const uint64_t kSize = ContentOf("pie", ".debug_info").size();
  const std::string sound = ReadFile(FixturePath("packed_zlib"));
  const FileSection section = FindSection(sound, ".debug_info");
  for (const Case& c :
       {Case{0, 4, 7, "unknown compression 7"},
        Case{8, 8, kSize + 1,
             "expected " + std::to_string(kSize + 1) + " bytes, found " +
                 std::to_string(kSize)},
        Case{8, 8, kSize - 1,
             "expected " + std::to_string(kSize - 1) + " bytes, found more"},
        Case{8, 8, uint64_t{1} << 60,
             std::to_string(section.size - sizeof(Elf64_Chdr)) +
                 " bytes cannot inflate to the 1152921504606846976 expected"},
        Case{24, 1, 0xff, "damaged zlib data"}}) {
    std::string bytes = sound;
    PutNumber(bytes, section.offset + c.at, c.size, c.value);
    EXPECT_EQ(ProblemOf(bytes), "section .debug_info: " + c.problem);
  }
  std::string bytes = sound;
  constexpr size_t kShSize = 0x20;
  PutNumber(bytes, section.header_at + kShSize, 8, sizeof(Elf64_Chdr) - 1);
  EXPECT_EQ(ProblemOf(bytes),
            "section .debug_info: its compression header is damaged");
}

TEST(SectionDataTest, SaysWhyASectionOfTheOldCompressionCannotBeRead) {
  std::string bytes = ReadFile(FixturePath("packed_zlib-gnu"));
  const FileSection section = FindSection(bytes, ".zdebug_info");
  PutNumber(bytes, section.offset + 4, 1, 0x7f);  // the size's highest byte
  EXPECT_EQ(ProblemOf(bytes),
            "section .debug_info: " + std::to_string(section.size - 12) +
                " bytes cannot inflate to the " +
                std::to_string((uint64_t{0x7f} << 56) +
                               ContentOf("pie", ".debug_info").size()) +
                " expected");
}

TEST(SectionDataTest, JoinsSectionsOfOneName) {
  for (const char* fixture : {"pie", "packed_zlib", "packed_zstd"}) {
    const TemporaryFile file(TwoSectionsOfOneName(fixture));
    const Result<ElfImage> image = ElfImage::Open(file.path());
    ASSERT_TRUE(image) << image.error().message;
    const std::vector<SectionData> sections = LoadSections(*image, kNames, 2);
    EXPECT_TRUE(TextOf(sections[0]) == ContentOf("pie", ".debug_info") +
                                           ContentOf("pie", ".debug_line"))
        << fixture;
    EXPECT_EQ(TextOf(sections[1]), ContentOf("pie", ".debug_abbrev"));
    EXPECT_TRUE(sections[2].bytes.empty());
  }
}

TEST(SectionDataTest, SaysWhySectionsOfOneNameCannotBeJoined) {
  std::string bytes = TwoSectionsOfOneName("packed_zlib");
  const FileSection section = FindSection(bytes, ".debug_info");
  std::string damaged = bytes;
  PutNumber(damaged, section.offset + 8, 8, uint64_t{1} << 40);
  EXPECT_EQ(
      ProblemOf(damaged),
      "section .debug_info: its parts are implausibly large for this file");
  PutNumber(bytes, section.offset + 24, 1, 0xff);
  EXPECT_EQ(ProblemOf(bytes), "section .debug_info: damaged zlib data");
}

TEST(SectionDataTest, TakesAnOldSectionWithoutMagicAsItIs) {
  std::string bytes = ReadFile(FixturePath("packed_zlib-gnu"));
  const FileSection section = FindSection(bytes, ".zdebug_info");
  PutNumber(bytes, section.offset, 1, 'z');
  const TemporaryFile file(bytes);
  const Result<ElfImage> image = ElfImage::Open(file.path());
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_EQ(TextOf(LoadSections(*image, kNames, 1)[0]),
            bytes.substr(section.offset, section.size));
}

}  // namespace
}  // namespace heapprof
