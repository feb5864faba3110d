// SPDX-License-Identifier: Apache-2.0
//
// Debug information with random damage must neither crash nor hang a run.
#include <unistd.h>

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "dwarf/engine.h"
#include "dwarf/peak_memory.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"
#include "support/full_run.h"

namespace heapprof {
namespace {

// For each damaged file.
constexpr unsigned kMaxSecondsForAll = 10;
constexpr long kMaxGrowthInKib = 1 << 20;

class DamagedDwarfTest : public testing::TestWithParam<EngineAndFixture> {
 protected:
  void TearDown() override {
    alarm(0);
    EXPECT_LE(PeakMemoryInKib() - memory_before_, kMaxGrowthInKib);
  }

 private:
  long memory_before_ = PeakMemoryInKib();
};

std::vector<FileSection> DebugSectionsOf(std::string_view elf) {
  std::vector<FileSection> sections;
  for (const FileSection& section : ReadSections(elf))
    if (section.name.starts_with(".debug_")) sections.push_back(section);
  return sections;
}

// In a full run, 20 000 with our reader.
size_t Rounds(Engine engine) {
  return Scaled(75, engine == Engine::kReader ? 5000 : 500);
}

// Resolves addresses from the whole code; every answer must be consistent.
// `alternate` is the path of the alternate file, or empty.
void Use(Engine engine, const std::string& path,
         const std::vector<uint64_t>& addresses,
         const std::string& alternate = "") {
  alarm(kMaxSecondsForAll);
  const Result<ElfImage> image = ElfImage::Open(path);
  ASSERT_TRUE(image) << image.error().message;
  const Result<ElfImage> other = ElfImage::Open(alternate);
  const SymbolTable symbols = SymbolTable::Load({&*image});
  auto resolver =
      OpenResolver(engine, *image, symbols, other ? &*other : nullptr);
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

std::vector<uint64_t> AddressesOf(const std::string& elf) {
  const FileSection text = FindSection(elf, ".text");
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0; at < text.size; at += 3)
    addresses.push_back(text.address + at);
  return addresses;
}

// Copies of a file with damage in its debug sections.
class Mutations {
 public:
  explicit Mutations(std::string original)
      : original_(std::move(original)), sections_(DebugSectionsOf(original_)) {
    EXPECT_GE(sections_.size(), 4u);
  }

  std::string Next() {
    std::string bytes = original_;
    for (uint64_t i = 1 + Draw(6); i > 0; --i) {
      // Damage to headers, which are small, has the greatest effect.
      const FileSection& section = sections_[Draw(sections_.size())];
      const uint64_t reach = Draw(3) == 0 ? 64 : section.size;
      const uint64_t at = section.offset + Draw(std::min(reach, section.size));
      const uint64_t values[] = {0, 1, 0x7f, 0x80, 0xff, Draw(256)};
      PutNumber(bytes, at, 1, values[Draw(6)]);
    }
    return bytes;
  }

 private:
  uint64_t Draw(uint64_t limit) { return random_() % limit; }

  std::string original_;
  std::vector<FileSection> sections_;
  std::mt19937 random_{7};
};

TEST_P(DamagedDwarfTest, SurvivesMutationsOfItsDebugSections) {
  const std::string original =
      ReadFile(FixturePath(std::get<const char*>(GetParam())));
  const std::vector<uint64_t> addresses = AddressesOf(original);
  Mutations mutations(original);
  const TemporaryFile file("");
  const size_t rounds = Rounds(std::get<Engine>(GetParam()));
  for (size_t round = 0; round < rounds; ++round) {
    SCOPED_TRACE(round);
    file.Write(mutations.Next());
    Use(std::get<Engine>(GetParam()), file.path(), addresses);
  }
}

TEST(DamagedAlternateTest, IsSurvived) {
  const std::string path = FixturePath("gcc_alternate");
  const std::vector<uint64_t> addresses = AddressesOf(ReadFile(path));
  Mutations mutations(ReadFile(FixturePath("alternate.debug")));
  const TemporaryFile file("");
  for (size_t round = 0; round < Rounds(Engine::kReader); ++round) {
    SCOPED_TRACE(round);
    file.Write(mutations.Next());
    Use(Engine::kReader, path, addresses, file.path());
  }
  alarm(0);
}

// Sections that end early, or have a size beyond the end of the file.
TEST_P(DamagedDwarfTest, SurvivesSectionsOfTheWrongSize) {
  const std::string original =
      ReadFile(FixturePath(std::get<const char*>(GetParam())));
  const FileSection text = FindSection(original, ".text");
  const TemporaryFile file("");
  std::mt19937 random(11);
  for (const FileSection& section : DebugSectionsOf(original)) {
    for (const uint64_t size :
         {uint64_t{0}, uint64_t{1}, uint64_t{random() % section.size},
          section.size - 1, uint64_t{1} << 40, UINT64_MAX}) {
      SCOPED_TRACE(section.name + ' ' + std::to_string(size));
      constexpr size_t kShSize = 0x20;
      std::string bytes = original;
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
