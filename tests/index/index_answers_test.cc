// SPDX-License-Identifier: Apache-2.0
//
// An index answers as the engine that it was made with does, whatever is asked
// together.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/libdw_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "index/index_testing.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

std::string Describe(const ResolvedAddresses& answer, size_t address) {
  std::string text;
  const FrameRun& run = answer.runs.at(address);
  for (uint32_t i = run.first; i < run.first + run.count; ++i) {
    const SourceFrame& frame = answer.frames[i];
    const SourceFunction& function = answer.functions[frame.function];
    fmt::format_to(std::back_inserter(text), "{}|{}|{}:{}|{:#x} {}:{}:{}\n",
                   function.linkage_name, function.scoped_name, function.file,
                   function.start_line, function.start_address,
                   answer.files[frame.file], frame.line, frame.column);
  }
  return text;
}

class IndexAnswersTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string path = FixturePath(GetParam());
    Result<ElfImage> image = ElfImage::Open(path);
    ASSERT_TRUE(image) << image.error().message;
    image_.emplace(std::move(*image));
    symbols_ = SymbolTable::Load({&*image_});
    map_ = Open()->MapCode(1);
    ASSERT_TRUE(map_);
    const auto bytes = EncodeIndex(SmallKey(), &*map_);
    ASSERT_TRUE(bytes) << bytes.error().message;
    bytes_ = *bytes;
  }

  std::unique_ptr<AddressResolver> Open() {
    auto resolver = OpenDwarfResolver(*image_, *image_, symbols_, 1);
    EXPECT_TRUE(resolver) << resolver.error().message;
    return std::move(*resolver);
  }

  // Every byte from a page before the code to a page behind it.
  std::vector<uint64_t> AllAddresses() const {
    const FileSection text =
        FindSection(ReadFile(FixturePath(GetParam())), ".text");
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
    const auto found = index->Resolve(addresses);
    ASSERT_TRUE(found);
    const ResolvedAddresses expected = Open()->Resolve(addresses);
    for (size_t i = 0; i < addresses.size(); ++i)
      ASSERT_EQ(Describe(*found, i), Describe(expected, i))
          << fmt::format("{:#x}", addresses[i]);
  }

  std::optional<ElfImage> image_;
  SymbolTable symbols_;
  std::optional<CodeMap> map_;
  std::string bytes_;
};

TEST_P(IndexAnswersTest, AgreesAtEveryAddress) {
  const std::vector<uint64_t> addresses = AllAddresses();
  ASSERT_GT(addresses.size(), 0x1000u);
  ExpectSame(addresses);
}

TEST_P(IndexAnswersTest, AgreesWhateverIsAskedTogether) {
  const std::vector<uint64_t> all = AllAddresses();
  std::mt19937 random(17);
  for (int round = 0; round < 40; ++round) {
    std::vector<uint64_t> addresses;
    std::ranges::sample(all, std::back_inserter(addresses), 1 + random() % 30,
                        random);
    ExpectSame(addresses);
  }
}

TEST_P(IndexAnswersTest, DoesNotDependOnTheNumberOfThreads) {
  const auto map = Open()->MapCode(4);
  ASSERT_TRUE(map);
  EXPECT_EQ(*EncodeIndex(SmallKey(), &*map), bytes_);
}

INSTANTIATE_TEST_SUITE_P(
    Fixtures, IndexAnswersTest,
    testing::Values("gcc_dwarf4", "gcc_dwarf5", "gcc_O0", "gcc_exec", "gcc_lto",
                    "gcc_lto_units", "gcc_sections", "gcc_sections_dwarf4",
                    "gcc_one_segment", "gcc_compressed", "gcc_zstd",
                    "gcc_partial_units", "clang_dwarf4", "clang_dwarf5",
                    "clang_O0", "clang_lto", "clang_sections",
                    "clang_lld_sections", "clang_lld_sections_dwarf4"),
    [](const auto& test) { return std::string(test.param); });

// What is not read whole gets no index.
TEST(MapCodeTest, IsNotToBeHadOfWhatIsReadInPart) {
  for (const char* name : {"gcc_split", "gcc_alternate", "gcc_type_units",
                           "shared_lines", "wide_ranges"}) {
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
