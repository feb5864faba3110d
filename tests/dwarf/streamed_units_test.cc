// SPDX-License-Identifier: Apache-2.0
//
// Units that are read while .debug_info is being inflated give the same answers
// as units that are read afterwards.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "dwarf/read/debug_sections.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

// So small that each unit of the fixtures is read by itself, and discarded.
constexpr UnitStreaming kUnitByUnit = {.min_size = 1, .step = 1};
constexpr UnitStreaming kKeepUnits = {
    .min_size = 1, .step = 1, .most_kept = UINT64_MAX};

// The complete answer.
std::string TextOf(const ResolvedAddresses& answers) {
  std::string text;
  for (const SourceFunction& f : answers.functions)
    text += fmt::format("{} {} {} {} {:x}\n", f.linkage_name, f.scoped_name,
                        f.file, f.start_line, f.start_address);
  for (const std::string& file : answers.files) text += file + '\n';
  for (const SourceFrame& f : answers.frames)
    text += fmt::format("{} {} {} {}\n", f.function, f.file, f.line, f.column);
  for (const FrameRun& run : answers.runs)
    text += fmt::format("{}+{}\n", run.first, run.count);
  return text;
}

class OpenBinary {
 public:
  explicit OpenBinary(const std::string& path) {
    Result<ElfImage> image = ElfImage::Open(path);
    EXPECT_TRUE(image) << image.error().message;
    image_.emplace(std::move(*image));
    symbols_ = SymbolTable::Load({&*image_});
  }
  const ElfImage& image() const { return *image_; }

  // The answers and the problems.
  std::string Answer(std::span<const uint64_t> addresses, unsigned jobs,
                     const UnitStreaming& streaming = kUnitByUnit) {
    const auto first = OpenAndResolveDwarf(
        *image_, *image_, [this]() -> const SymbolTable& { return symbols_; },
        addresses, {.jobs = jobs, .streaming = streaming});
    if (!first) return first.error().message;
    return Report(*first->resolver, first->answers) +
           // Later addresses use what was read for the first ones.
           TextOf(first->resolver->Resolve(addresses));
  }
  std::string AnswerOfAllInflated(std::span<const uint64_t> addresses) {
    auto resolver = OpenDwarfResolver(*image_, *image_, symbols_, 1);
    if (!resolver) return resolver.error().message;
    const ResolvedAddresses answers = (*resolver)->Resolve(addresses);
    return Report(**resolver, answers) +
           TextOf((*resolver)->Resolve(addresses));
  }

 private:
  static std::string Report(const AddressResolver& resolver,
                            const ResolvedAddresses& answers) {
    std::string text = TextOf(answers);
    for (const std::string& problem : resolver.problems())
      text += problem + '\n';
    return text;
  }

  std::optional<ElfImage> image_;
  SymbolTable symbols_;
};

class StreamedUnitsTest : public testing::TestWithParam<const char*> {
 protected:
  static std::vector<uint64_t> Addresses() {
    const FileSection text =
        FindSection(ReadFile(FixturePath(GetParam())), ".text");
    std::vector<uint64_t> addresses;
    for (uint64_t at = 0; at < text.size; ++at)
      addresses.push_back(text.address + at);
    return addresses;
  }
};

INSTANTIATE_TEST_SUITE_P(Fixtures, StreamedUnitsTest,
                         testing::Values("gcc_dwarf4_zlib", "gcc_dwarf5_zlib",
                                         "gcc_partial_units_zlib",
                                         "gcc_lto_units_zlib", "gcc_zstd"),
                         [](const auto& test) {
                           return std::string(test.param);
                         });

// Otherwise, the other tests would compare a result with itself.
TEST_P(StreamedUnitsTest, AreReadStepByStep) {
  OpenBinary binary(FixturePath(GetParam()));
  const DebugSections sections =
      StreamDebugSections(binary.image(), 2, kUnitByUnit);
  ASSERT_NE(sections.info_stream, nullptr);
  UnitStore units(sections, binary.image(), 2);
  EXPECT_EQ(units.size(), 0u);
  size_t steps = 0;
  for (; units.ReadMore(); ++steps) EXPECT_EQ(units.size(), steps + 1);
  EXPECT_TRUE(units.is_read());
  EXPECT_EQ(units.problem(), "");
  EXPECT_GT(steps, 1u);
  EXPECT_TRUE(sections.info_stream->Finish());
}

// Otherwise, no DIE would ever be discarded.
TEST_P(StreamedUnitsTest, HaveAWindowUnlessUnitsReferToEachOther) {
  const OpenBinary binary(FixturePath(GetParam()));
  const bool refer = std::string_view(GetParam()).contains("_lto_") ||
                     std::string_view(GetParam()).contains("_partial_");
  for (const UnitStreaming& streaming : {kUnitByUnit, kKeepUnits}) {
    const DebugSections sections =
        StreamDebugSections(binary.image(), 2, streaming);
    const UnitStore units(sections, binary.image(), 2);
    EXPECT_EQ(units.has_window(), !refer && streaming.most_kept == 0);
  }
}

TEST_P(StreamedUnitsTest, GiveTheSameAnswersAsWithoutAStream) {
  OpenBinary binary(FixturePath(GetParam()));
  const std::vector<uint64_t> addresses = Addresses();
  const std::string expected = binary.AnswerOfAllInflated(addresses);
  ASSERT_FALSE(expected.empty());
  for (const unsigned jobs : {1U, 2U, 7U}) {
    EXPECT_TRUE(binary.Answer(addresses, jobs) == expected) << jobs;
    EXPECT_TRUE(binary.Answer(addresses, jobs, kKeepUnits) == expected) << jobs;
  }
}

TEST_P(StreamedUnitsTest, ReportTheSameDamageAsWithoutAStream) {
  const std::string original = ReadFile(FixturePath(GetParam()));
  const FileSection info = FindSection(original, ".debug_info");
  const FileSection abbreviations = FindSection(original, ".debug_abbrev");
  std::vector<uint64_t> addresses = Addresses();
  addresses.resize(std::min<size_t>(addresses.size(), 100));
  const TemporaryFile file("");
  std::mt19937 random(3);
  size_t refused = 0;
  for (int round = 0; round < 80; ++round) {
    const FileSection& section = round % 8 == 0 ? abbreviations : info;
    const uint64_t at = random() % section.size;
    SCOPED_TRACE(fmt::format("{} at {}", section.name, at));
    std::string bytes = original;
    bytes[section.offset + at] ^= static_cast<char>(1 + random() % 255);
    file.Write(bytes);
    OpenBinary binary(file.path());
    const std::string expected = binary.AnswerOfAllInflated(addresses);
    EXPECT_EQ(binary.Answer(addresses, 2), expected);
    if (expected.find(": section .debug_") != std::string::npos) ++refused;
  }
  // How many there are depends on the bytes, and so on the path of the sources.
  EXPECT_GT(refused, 10u);
}

}  // namespace
}  // namespace heapprof
