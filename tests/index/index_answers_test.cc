// SPDX-License-Identifier: Apache-2.0
//
// An index gives the same answers as the engine that made it, whichever
// addresses are resolved together.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "index/index_memo.h"
#include "index/index_testing.h"
#include "support/alternate_file.h"
#include "support/compare_answers.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

// A fixture with its .dwo files, which are at another path than it records; or,
// if the name is that of a package, with the package.
class IndexAnswersTest : public testing::TestWithParam<const char*> {
 protected:
  static std::string Path() {
    const std::filesystem::path path = FixturePath(GetParam());
    return path.extension() == ".dwp" ? path.parent_path() / path.stem() : path;
  }
  static SplitSearch Search() {
    if (Path() != FixturePath(GetParam()))
      return {.packages = {FixturePath(GetParam())}};
    return {.candidates = [](std::string_view, std::string_view name) {
      return std::vector{
          FixturePath(std::filesystem::path(name).filename().string())};
    }};
  }

  void SetUp() override {
    Result<ElfImage> image = ElfImage::Open(Path());
    ASSERT_TRUE(image) << image.error().message;
    image_.emplace(std::move(*image));
    alternate_ = OpenAlternate(*image_);
    symbols_ = SymbolTable::Load({&*image_});
    const auto resolver = Open();
    const auto map = resolver->MapCode(1);
    ASSERT_TRUE(map);
    const auto bytes = EncodeIndex(SmallKey(), &*map);
    ASSERT_TRUE(bytes) << bytes.error().message;
    bytes_ = *bytes;
  }

  std::unique_ptr<AddressResolver> Open() {
    SplitSearch search = Search();
    search.alternate = PointerTo(alternate_);
    auto resolver = OpenDwarfResolver(*image_, *image_, symbols_, 1, search);
    EXPECT_TRUE(resolver) << resolver.error().message;
    return std::move(*resolver);
  }

  // Every address from a page before the code to a page after it.
  std::vector<uint64_t> AllAddresses() const {
    const FileSection text = FindSection(ReadFile(Path()), ".text");
    constexpr uint64_t kPage = 0x1000;
    std::vector<uint64_t> addresses;
    for (uint64_t at = text.address - std::min(text.address, kPage);
         at < text.address + text.size + kPage; ++at)
      addresses.push_back(at);
    return addresses;
  }

  void ExpectSame(const std::vector<uint64_t>& addresses) {
    const auto index = IndexFile::Open(BytesOf(bytes_));
    ASSERT_TRUE(index) << index.error().message;
    const auto found = index->Resolve(addresses, 2);
    ASSERT_TRUE(found);
    const ResolvedAddresses expected = Open()->Resolve(addresses);
    for (size_t i = 0; i < addresses.size(); ++i)
      ASSERT_EQ(DescribeAnswer(*found, i), DescribeAnswer(expected, i))
          << fmt::format("{:#x}", addresses[i]);
  }

  std::optional<ElfImage> image_;
  std::optional<ElfImage> alternate_;
  SymbolTable symbols_;
  std::string bytes_;
};

TEST_P(IndexAnswersTest, AgreesAtEveryAddress) {
  const std::vector<uint64_t> addresses = AllAddresses();
  ASSERT_GT(addresses.size(), 0x1000u);
  ExpectSame(addresses);
}

TEST_P(IndexAnswersTest, AgreesWhicheverAddressesAreResolvedTogether) {
  const std::vector<uint64_t> all = AllAddresses();
  std::mt19937 random(17);
  for (int round = 0; round < 40; ++round) {
    std::vector<uint64_t> addresses;
    std::ranges::sample(all, std::back_inserter(addresses), 1 + random() % 30,
                        random);
    ExpectSame(addresses);
  }
}

// The answers of a lookup, with all numbers: of functions, files and texts.
void ExpectEqual(const ResolvedAddresses& a, const ResolvedAddresses& b) {
  EXPECT_EQ(a.files, b.files);
  EXPECT_TRUE(
      std::ranges::equal(a.runs, b.runs, [](const auto& x, const auto& y) {
        return x.first == y.first && x.count == y.count;
      }));
  EXPECT_TRUE(
      std::ranges::equal(a.frames, b.frames, [](const auto& x, const auto& y) {
        return std::tie(x.function, x.file, x.line, x.column) ==
               std::tie(y.function, y.file, y.line, y.column);
      }));
  EXPECT_TRUE(std::ranges::equal(
      a.functions, b.functions, [](const auto& x, const auto& y) {
        return std::tie(x.linkage_name, x.demangled_name, x.scoped_name, x.file,
                        x.start_line, x.start_address) ==
               std::tie(y.linkage_name, y.demangled_name, y.scoped_name, y.file,
                        y.start_line, y.start_address);
      }));
}

TEST_P(IndexAnswersTest, DoesNotDependOnEarlierLookups) {
  const std::vector<uint64_t> all = AllAddresses();
  const auto index = IndexFile::Open(BytesOf(bytes_));
  ASSERT_TRUE(index) << index.error().message;
  std::mt19937 random(18);
  std::vector<ResolvedAddresses> kept;
  std::vector<ResolvedAddresses> expected;
  {
    IndexMemo memo;
    for (unsigned round = 0; round < 40; ++round) {
      std::vector<uint64_t> addresses;
      std::ranges::sample(all, std::back_inserter(addresses),
                          1 + random() % 300, random);
      auto found = index->Resolve(addresses, 1 + round % 2, &memo);
      auto alone = index->Resolve(addresses, 1);
      ASSERT_TRUE(found && alone);
      kept.push_back(*std::move(found));
      expected.push_back(*std::move(alone));
    }
  }
  // Answers outlive the memo.
  for (size_t i = 0; i < kept.size(); ++i) ExpectEqual(kept[i], expected[i]);
}

TEST_P(IndexAnswersTest, DoesNotDependOnTheNumberOfThreads) {
  const auto resolver = Open();
  const auto map = resolver->MapCode(4);
  ASSERT_TRUE(map);
  EXPECT_EQ(*EncodeIndex(SmallKey(), &*map), bytes_);
}

INSTANTIATE_TEST_SUITE_P(
    Fixtures, IndexAnswersTest,
    testing::Values("gcc_dwarf4", "gcc_dwarf5", "gcc_O0", "gcc_exec", "gcc_lto",
                    "gcc_lto_units", "gcc_sections", "gcc_sections_dwarf4",
                    "gcc_one_segment", "gcc_compressed", "gcc_zstd",
                    "gcc_partial_units", "gcc_alternate", "gcc_type_units",
                    "gcc_type_units_dwarf4", "clang_type_units",
                    "clang_type_units_dwarf4", "clang_dwarf4", "clang_dwarf5",
                    "clang_O0", "clang_lto", "clang_sections",
                    "clang_lld_sections", "clang_lld_sections_dwarf4",
                    "padding", "padding_damaged"),
    [](const auto& test) { return std::string(test.param); });

INSTANTIATE_TEST_SUITE_P(
    Split, IndexAnswersTest,
    testing::Values("gcc_split", "gcc_split_dwarf4", "gcc_split_mixed",
                    "clang_split", "clang_split_dwarf4",
                    "gcc_split_types_dwarf5", "clang_split_types_dwarf4",
                    "gcc_split_dwarf4.dwp", "clang_split.dwp",
                    "clang_split_types_dwarf5.dwp"),
    [](const auto& test) {
      std::string name = test.param;
      std::ranges::replace(name, '.', '_');
      return name;
    });

// Harmless damage is not reported by a run without an index either.
TEST(MapCodeTest, SucceedsDespiteHarmlessDamage) {
  const Result<ElfImage> image = ElfImage::Open(FixturePath("padding_damaged"));
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  const auto resolver = OpenDwarfResolver(*image, *image, symbols, 1);
  ASSERT_TRUE(resolver) << resolver.error().message;
  const NmSymbol first = FindNm("padding_damaged", "first");
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0; at < 2 * first.size; ++at)
    addresses.push_back(first.address + at);
  const ResolvedAddresses answers = (*resolver)->Resolve(addresses);
  EXPECT_EQ(answers.runs.front().count, 1U);
  EXPECT_EQ(answers.runs.back().count, 0U);
  EXPECT_THAT((*resolver)->problems(), testing::IsEmpty());
  EXPECT_TRUE((*resolver)->MapCode(1));
}

TEST(MapCodeTest, FailsIfAUnitIsNotReadToTheEnd) {
  for (const char* name :
       {"gcc_split", "gcc_alternate_missing", "shared_lines", "wide_ranges"}) {
    const Result<ElfImage> image = ElfImage::Open(FixturePath(name));
    ASSERT_TRUE(image) << image.error().message;
    const SymbolTable symbols = SymbolTable::Load({&*image});
    const auto resolver = OpenDwarfResolver(*image, *image, symbols, 1);
    ASSERT_TRUE(resolver) << resolver.error().message;
    EXPECT_FALSE((*resolver)->MapCode(1)) << name;
  }
}

}  // namespace
}  // namespace heapprof
