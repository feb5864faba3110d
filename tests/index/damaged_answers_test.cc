// SPDX-License-Identifier: Apache-2.0
//
// A damaged file has no index, or an index with the same answers as the file
// itself. The number of threads does not change them.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/alternate_file.h"
#include "support/compare_answers.h"
#include "support/fixture.h"
#include "support/full_run.h"
#include "support/mutations.h"

namespace heapprof {
namespace {

// For each damaged file.
constexpr unsigned kMaxSeconds = 20;

constexpr size_t kLarge = 256 << 10;

// Changes with each repetition with --gtest_shuffle.
uint32_t Seed() {
  return 7 +
         static_cast<uint32_t>(testing::UnitTest::GetInstance()->random_seed());
}

bool IsDamaged(std::string_view section) {
  return section.starts_with(".debug_") || section == ".symtab" ||
         section == ".strtab";
}

bool HasInfo(std::string_view elf) {
  return std::ranges::any_of(ReadSections(elf), [](const FileSection& section) {
    return section.name == ".debug_info";
  });
}

struct DamagedCase {
  const char* binary;
  const char* damaged;  // the binary itself, or a file that belongs to it
};

void PrintTo(const DamagedCase& damaged, std::ostream* out) {
  *out << damaged.damaged;
}

class DamagedAnswersTest : public testing::TestWithParam<DamagedCase> {
 protected:
  void TearDown() override { alarm(0); }

  // The answers of the binary with this file instead of the damaged one.
  ComparedAnswers Compare(const std::string& damaged) {
    alarm(kMaxSeconds);
    const std::string binary = PathOf(GetParam().binary, damaged);
    const Result<ElfImage> image = ElfImage::Open(binary);
    if (!image) return {};
    std::optional<ElfImage> alternate;
    if (image->alternate_link())
      if (auto opened = ElfImage::Open(PathOf("alternate.debug", damaged)))
        alternate = *std::move(opened);
    const SymbolTable symbols = SymbolTable::Load({&*image});
    const SplitSearch split = {
        .packages = {PathOf(std::string(GetParam().binary) + ".dwp", damaged)},
        .candidates =
            [&](std::string_view, std::string_view name) {
              return std::vector{PathOf(
                  std::filesystem::path(name).filename().string(), damaged)};
            },
        .alternate = PointerTo(alternate)};
    return CompareAnswers(*image, symbols, split, SomeAddresses());
  }

  std::vector<uint64_t> SomeAddresses() {
    const uint64_t step = 1 + random_() % 24;
    std::vector<uint64_t> addresses;
    for (uint64_t at = text_.address + random_() % step;
         at < text_.address + text_.size; at += step)
      addresses.push_back(at);
    return addresses;
  }

  std::mt19937 random_{Seed()};

 private:
  static std::string PathOf(const std::string& name,
                            const std::string& damaged) {
    return name == GetParam().damaged ? damaged : FixturePath(name);
  }

  FileSection text_ =
      FindSection(ReadFile(FixturePath(GetParam().binary)), ".text");
};

TEST_P(DamagedAnswersTest, AreThoseOfTheIndex) {
  const std::string original = ReadFile(FixturePath(GetParam().damaged));
  Mutations mutations(original, Seed(), IsDamaged);
  const TemporaryFile file("");
  size_t index_count = 0;
  const size_t rounds = Scaled(16, 4000) / (original.size() > kLarge ? 4 : 1);
  // Without an index there is nothing to compare, and a few rounds may all
  // prevent one: the bytes depend on the compiler and the path.
  const size_t max_rounds = 16 * rounds;
  for (size_t round = 0;
       round < rounds || (index_count == 0 && round < max_rounds); ++round) {
    const std::string damaged = mutations.Next();
    const bool is_packed = round % 4 == 0 && HasInfo(damaged);
    file.Write(is_packed ? WithCompressedInfo(damaged) : damaged);
    const ComparedAnswers compared = Compare(file.path());
    EXPECT_EQ(compared.disagreement, "")
        << "round " << round << (is_packed ? ", packed:\n" : ":\n")
        << DescribeChanges(original, damaged);
    index_count += compared.has_index;
  }
  EXPECT_GT(index_count, rounds / 50);
}

std::string NameOf(const testing::TestParamInfo<DamagedCase>& test) {
  std::string name = test.param.damaged;
  for (char& c : name)
    if (c == '.' || c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(
    Binaries, DamagedAnswersTest,
    testing::Values(DamagedCase{"gcc_dwarf4", "gcc_dwarf4"},
                    DamagedCase{"gcc_dwarf5", "gcc_dwarf5"},
                    DamagedCase{"gcc_O0", "gcc_O0"},
                    DamagedCase{"gcc_lto", "gcc_lto"},
                    DamagedCase{"gcc_lto_units", "gcc_lto_units"},
                    DamagedCase{"gcc_partial_units", "gcc_partial_units"},
                    DamagedCase{"gcc_sections", "gcc_sections"},
                    DamagedCase{"gcc_type_units", "gcc_type_units"},
                    DamagedCase{"clang_dwarf4", "clang_dwarf4"},
                    DamagedCase{"clang_dwarf5", "clang_dwarf5"},
                    DamagedCase{"clang_lto", "clang_lto"},
                    DamagedCase{"clang_lld_sections", "clang_lld_sections"},
                    DamagedCase{"gcc_large", "gcc_large"},
                    DamagedCase{"clang_large", "clang_large"},
                    DamagedCase{"padding", "padding"},
                    DamagedCase{"gcc_alternate", "gcc_alternate"},
                    DamagedCase{"gcc_split", "gcc_split"},
                    DamagedCase{"clang_split_dwarf4", "clang_split_dwarf4"}),
    NameOf);

INSTANTIATE_TEST_SUITE_P(
    OtherFiles, DamagedAnswersTest,
    testing::Values(DamagedCase{"gcc_alternate", "alternate.debug"},
                    DamagedCase{"gcc_split", "gcc_split-frames.dwo"},
                    DamagedCase{"gcc_split_dwarf4",
                                "gcc_split_dwarf4-frames.dwo"},
                    DamagedCase{"clang_split", "clang_split-frames.dwo"},
                    DamagedCase{"clang_split", "clang_split.dwp"}),
    NameOf);

}  // namespace
}  // namespace heapprof
