// SPDX-License-Identifier: Apache-2.0
//
// Debug information with random damage must neither crash nor hang us.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/engine.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

constexpr unsigned kMaxSeconds = 240;

class DamagedDwarfTest : public testing::TestWithParam<EngineAndFixture> {
 protected:
  // Ends a test that hangs.
  void SetUp() override { alarm(kMaxSeconds); }
  void TearDown() override { alarm(0); }
};

std::vector<FileSection> DebugSections(std::string_view elf) {
  std::vector<FileSection> sections;
  for (const FileSection& section : ReadSections(elf))
    if (section.name.starts_with(".debug_")) sections.push_back(section);
  return sections;
}

// HEAPPROF_MUTATIONS sets the number for a longer run by hand.
int Rounds() {
  const char* rounds = std::getenv("HEAPPROF_MUTATIONS");
  return rounds == nullptr ? 150 : std::atoi(rounds);
}

// Resolves addresses all over the code; every answer must be consistent.
void Use(Engine engine, const std::string& path,
         const std::vector<uint64_t>& addresses) {
  const Result<ElfImage> image = ElfImage::Open(path);
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  auto resolver = OpenResolver(engine, *image, symbols);
  if (!resolver) {
    EXPECT_TRUE(resolver.error().message.starts_with(path + ": "))
        << resolver.error().message;
    return;
  }
  const ResolvedAddresses answer = (*resolver)->Resolve(addresses);
  ASSERT_EQ(answer.runs.size(), addresses.size());
  for (const FrameRun& run : answer.runs)
    EXPECT_LE(run.first + run.count, answer.frames.size());
  for (const SourceFrame& frame : answer.frames) {
    EXPECT_LT(frame.function, answer.functions.size());
    EXPECT_LT(frame.file, answer.files.size());
  }
}

TEST_P(DamagedDwarfTest, SurvivesMutationsOfItsDebugSections) {
  const std::string sound =
      ReadFile(FixturePath(std::get<const char*>(GetParam())));
  const std::vector<FileSection> sections = DebugSections(sound);
  ASSERT_GE(sections.size(), 4u);
  const FileSection text = FindSection(sound, ".text");
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0; at < text.size; at += 3)
    addresses.push_back(text.address + at);
  const TemporaryFile file("");
  std::mt19937 random(7);
  const auto draw = [&random](uint64_t limit) { return random() % limit; };
  for (int round = 0; round < Rounds(); ++round) {
    SCOPED_TRACE(round);
    std::string bytes = sound;
    for (uint64_t i = 1 + draw(6); i > 0; --i) {
      // Headers are small, but matter most.
      const FileSection& section = sections[draw(sections.size())];
      const uint64_t reach = draw(3) == 0 ? 64 : section.size;
      const uint64_t at = section.offset + draw(std::min(reach, section.size));
      const uint64_t values[] = {0, 1, 0x7f, 0x80, 0xff, draw(256)};
      PutNumber(bytes, at, 1, values[draw(6)]);
    }
    file.Write(bytes);
    Use(std::get<Engine>(GetParam()), file.path(), addresses);
  }
}

// Sections that end early, or claim to be longer than the file.
TEST_P(DamagedDwarfTest, SurvivesSectionsOfTheWrongSize) {
  const std::string sound =
      ReadFile(FixturePath(std::get<const char*>(GetParam())));
  const FileSection text = FindSection(sound, ".text");
  const TemporaryFile file("");
  std::mt19937 random(11);
  for (const FileSection& section : DebugSections(sound)) {
    for (const uint64_t size :
         {uint64_t{0}, uint64_t{1}, uint64_t{random() % section.size},
          section.size - 1, uint64_t{1} << 40, UINT64_MAX}) {
      SCOPED_TRACE(section.name + ' ' + std::to_string(size));
      constexpr size_t kShSize = 0x20;
      std::string bytes = sound;
      PutNumber(bytes, section.header_at + kShSize, 8, size);
      file.Write(bytes);
      Use(std::get<Engine>(GetParam()), file.path(),
          {text.address, text.address + text.size / 2});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Compilers, DamagedDwarfTest,
                         BothEngines("gcc_dwarf4", "gcc_dwarf5",
                                     "gcc_partial_units", "clang_dwarf5"),
                         [](const auto& test) { return NameOf(test.param); });

}  // namespace
}  // namespace heapprof
