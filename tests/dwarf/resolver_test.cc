// SPDX-License-Identifier: Apache-2.0
//
// The answers that both engines for DWARF must give.
#include <algorithm>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <dwarf.h>
#include <elfutils/version.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/engine.h"
#include "dwarf/opened_dwarf.h"
#include "dwarf/written_unit.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/alternate_file.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// A fixture, opened by one of the engines.
class OpenFixture {
 public:
  OpenFixture(Engine engine, const std::string& name) : name_(name) {
    Result<ElfImage> image = ElfImage::Open(FixturePath(name));
    EXPECT_TRUE(image) << image.error().message;
    image_.emplace(std::move(*image));
    symbols_ = SymbolTable::Load({&*image_});
    alternate_ = OpenAlternate(*image_);
    auto resolver =
        OpenResolver(engine, *image_, symbols_, PointerTo(alternate_));
    EXPECT_TRUE(resolver) << resolver.error().message;
    resolver_ = std::move(*resolver);
  }
  explicit OpenFixture(const EngineAndFixture& test)
      : OpenFixture(std::get<Engine>(test), std::get<const char*>(test)) {}

  struct Frame {
    SourceFunction function;
    std::string declared_in;  // without its directory, as is the other file
    std::string file;
    uint32_t line = 0;
  };
  static std::string NameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
  }
  std::vector<Frame> FramesAt(uint64_t address) {
    const ResolvedAddresses& answer =
        answers_.emplace_back(resolver_->Resolve({{address}}));
    std::vector<Frame> frames;
    const FrameRun run = answer.runs.at(0);
    for (uint32_t i = run.first; i < run.first + run.count; ++i) {
      const SourceFrame& frame = answer.frames[i];
      const SourceFunction& function = answer.functions[frame.function];
      frames.push_back({function, NameOf(answer.files[function.file]),
                        NameOf(answer.files[frame.file]), frame.line});
    }
    return frames;
  }
  std::vector<Frame> FramesAt(const std::string& symbol) {
    return FramesAt(FindNm(name_, symbol).address);
  }
  std::vector<std::string> Names(const std::string& symbol) {
    std::vector<std::string> names;
    for (const Frame& frame : FramesAt(symbol))
      names.emplace_back(frame.function.linkage_name.empty()
                             ? frame.function.scoped_name
                             : frame.function.linkage_name);
    return names;
  }
  std::vector<std::string> problems() const { return resolver_->problems(); }
  AddressResolver& resolver() { return *resolver_; }

 private:
  std::string name_;
  std::optional<ElfImage> image_;
  std::optional<ElfImage> alternate_;
  SymbolTable symbols_;
  std::unique_ptr<AddressResolver> resolver_;
  std::deque<ResolvedAddresses> answers_;  // hold the names of frames
};

// The line of frames.cc that contains `text`; there must be one.
uint32_t LineWith(std::string_view text) {
  std::istringstream in(ReadFile(FRAMES_SOURCE));
  uint32_t found = 0;
  uint32_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find(text) == std::string::npos) continue;
    EXPECT_EQ(found, 0u) << text;
    found = number;
  }
  EXPECT_NE(found, 0u) << text;
  return found;
}

struct ExpectedFrame {
  // Mangled, or qualified by its scopes if the compiler omits the linkage name.
  std::string linkage_name;
  std::string scoped_name;
  std::string line_with;
};

struct Expected {
  std::string label;
  std::vector<ExpectedFrame> frames;
};

const std::vector<Expected>& ExpectedFrames() {
  static const std::vector<Expected> kExpected = {
      {"here_innermost",
       {{"_ZN3app12_GLOBAL__N_19InnermostEv",
         "app::(anonymous namespace)::Innermost", "HERE(innermost)"},
        {"_ZN3app12_GLOBAL__N_16MiddleEv", "app::(anonymous namespace)::Middle",
         "// calls Innermost"},
        {"_ZN3app5ChainEv", "", "// calls Middle"}}},
      {"here_local_function",
       {{"_ZN3app12_GLOBAL__N_113LocalFunctionEv", "",
         "HERE(local_function)"}}},
      {"here_template_member",
       {{"_ZN3app3BoxIlE3PutEl", "", "HERE(template_member)"}}},
      {"here_inlined_template",
       {{"_ZN3app3BoxIlE7ConvertIcEEvT_", "app::Box<long int>::Convert<char>",
         "HERE(inlined_template)"},
        {"_ZN3app12UseTemplatesEv", "", "// calls Convert"}}},
      {"here_lambda",
       {{"_ZZN3app10WithLambdaEvENKUliE_clEi", "", "HERE(lambda)"}}},
      {"here_inlined_lambda",
       {{"_ZZN3app17WithInlinedLambdaEvENKUliE_clEi",
         "_ZN3app17WithInlinedLambdaEv::{lambda}::operator()",
         "HERE(inlined_lambda)"},
        {"_ZN3app17WithInlinedLambdaEv", "", "// calls the lambda"}}},
      {"here_comparison",
       {{"_ZNK3app6WidgetltERKS0_", "", "HERE(comparison)"}}},
      {"here_inlined_constructor",
       {{"_ZN3app12_GLOBAL__N_16HiddenC2Ei",
         "app::(anonymous namespace)::Hidden::Hidden",
         "HERE(inlined_constructor)"},
        {"_ZN3app23WithInlinedConstructorsEv", "", "// calls Hidden"}}},
      {"here_local_class",
       {{"_ZZN3app14WithLocalClassEvEN5Local6MethodEv", "",
         "HERE(local_class)"}}},
      {"here_hot", {{"_ZN3app5SplitEi", "", "HERE(hot)"}}},
      {"here_c_function", {{"c_function", "", "HERE(c_function)"}}},
      {"here_main", {{"main", "", "HERE(main)"}}},
  };
  return kExpected;
}

// clang calls the class of a lambda $_0, $_1 and so on.
std::string WithGccLambda(std::string_view name) {
  return std::regex_replace(std::string(name), std::regex("3\\$_\\d+"),
                            "UliE_");
}

class FixtureTest : public testing::TestWithParam<EngineAndFixture> {
 protected:
  static const char* fixture_name() {
    return std::get<const char*>(GetParam());
  }
};

class FramesTest : public FixtureTest {};

TEST_P(FramesTest, NamesEveryLevelOfEveryInlineChain) {
  OpenFixture fixture(GetParam());
  for (const auto& [label, expected] : ExpectedFrames()) {
    const auto frames = fixture.FramesAt(label);
    ASSERT_EQ(frames.size(), expected.size()) << label;
    for (size_t i = 0; i < frames.size(); ++i) {
      const SourceFunction& function = frames[i].function;
      if (function.linkage_name.empty())
        EXPECT_EQ(function.scoped_name, expected[i].scoped_name) << label;
      else
        EXPECT_EQ(WithGccLambda(function.linkage_name),
                  expected[i].linkage_name)
            << label;
    }
  }
}

TEST_P(FramesTest, FindsFileAndLineOfEveryLevel) {
  OpenFixture fixture(GetParam());
  for (const auto& [label, expected] : ExpectedFrames()) {
    const auto frames = fixture.FramesAt(label);
    ASSERT_EQ(frames.size(), expected.size()) << label;
    for (size_t i = 0; i < frames.size(); ++i) {
      EXPECT_EQ(frames[i].file, "frames.cc") << label;
      EXPECT_EQ(frames[i].line, LineWith(expected[i].line_with)) << label;
    }
  }
}

TEST_P(FramesTest, FindsDeclarationsAndStartAddresses) {
  OpenFixture fixture(GetParam());
  const auto chain = fixture.FramesAt("here_innermost");
  ASSERT_EQ(chain.size(), 3u);
  EXPECT_EQ(chain[1].function.start_line, LineWith("void Middle() {"));
  EXPECT_EQ(chain[1].function.start_address, 0u);
  const SourceFunction& owner = chain[2].function;
  EXPECT_EQ(owner.start_line, LineWith("void Chain() {"));
  EXPECT_EQ(chain[2].declared_in, "frames.cc");
  EXPECT_EQ(owner.start_address,
            FindNm(fixture_name(), "_ZN3app5ChainEv").address);
}

// gcc says only where the class of a lambda is, not its operator.
TEST_P(FramesTest, FindsTheDeclarationsOfLambdas) {
  OpenFixture fixture(GetParam());
  for (const std::string name : {"lambda", "inlined_lambda"}) {
    const auto frames = fixture.FramesAt("here_" + name);
    ASSERT_FALSE(frames.empty());
    EXPECT_EQ(frames[0].function.start_line,
              LineWith("HERE(" + name + ")") - 1);
    EXPECT_EQ(frames[0].declared_in, "frames.cc");
  }
}

TEST_P(FramesTest, NamesConstructorsInOneOfTheirForms) {
  EXPECT_THAT(OpenFixture(GetParam()).Names("here_constructor"),
              ElementsAre(AnyOf("_ZN3app6WidgetC1Ei", "_ZN3app6WidgetC2Ei",
                                "_ZN3app6WidgetC4Ei")));
}

TEST_P(FramesTest, AnswersOnceForAFunctionInTwoObjectFiles) {
  OpenFixture fixture(GetParam());
  const auto frames = fixture.FramesAt("_ZN3app6SharedEi");
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function.linkage_name, "_ZN3app6SharedEi");
  EXPECT_EQ(frames[0].file, "frames.h");
}

TEST_P(FramesTest, AnswersTheSameForOneAddressAsForMany) {
  OpenFixture fixture(GetParam());
  const uint64_t start =
      FindNm(fixture_name(), "_ZN3app5ChainEv").address - 256;
  std::vector<uint64_t> addresses;
  for (uint64_t i = 0; i < 2048; ++i) addresses.push_back(start + i);
  const ResolvedAddresses all = fixture.resolver().Resolve(addresses);
  ASSERT_EQ(all.runs.size(), addresses.size());
  for (size_t i = 0; i < addresses.size(); i += 7) {
    const auto frames = fixture.FramesAt(addresses[i]);
    ASSERT_EQ(frames.size(), all.runs[i].count) << addresses[i];
    for (size_t level = 0; level < frames.size(); ++level) {
      const SourceFrame& frame = all.frames[all.runs[i].first + level];
      const SourceFunction& function = all.functions[frame.function];
      EXPECT_EQ(frames[level].function.linkage_name, function.linkage_name);
      EXPECT_EQ(frames[level].line, frame.line);
    }
  }
}

TEST_P(FramesTest, HasNoAnswerOutsideOfCode) {
  OpenFixture fixture(GetParam());
  for (uint64_t address : {uint64_t{0}, uint64_t{1}, uint64_t{4},
                           FindNm(fixture_name(), "_ZN3app4sinkE").address,
                           UINT64_MAX - 1, UINT64_MAX})
    EXPECT_THAT(fixture.FramesAt(address), IsEmpty()) << address;
}

TEST_P(FramesTest, FindsNoProblems) {
  OpenFixture fixture(GetParam());
  for (const Expected& expected : ExpectedFrames())
    fixture.FramesAt(expected.label);
  EXPECT_THAT(fixture.problems(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Compilers, FramesTest,
    BothEngines("gcc_dwarf4", "gcc_dwarf5", "gcc_O0", "gcc_exec", "gcc_lto",
                "gcc_sections", "gcc_sections_dwarf4", "gcc_one_segment",
                "gcc_type_units", "gcc_type_units_dwarf4", "clang_type_units",
                "clang_type_units_dwarf4", "gcc_compressed",
                "gcc_partial_units", "gcc_alternate", "clang_dwarf4",
                "clang_dwarf5", "clang_O0", "clang_lto", "clang_sections",
                "clang_lld_sections", "clang_lld_sections_dwarf4"),
    [](const auto& test) { return NameOf(test.param); });

INSTANTIATE_TEST_SUITE_P(Zstd, FramesTest,
                         testing::Values(EngineAndFixture(Engine::kReader,
                                                          "gcc_zstd")),
                         [](const auto& test) { return NameOf(test.param); });

// libdw 0.188 does not find all names in such a file.
INSTANTIATE_TEST_SUITE_P(Supplementary, FramesTest,
                         testing::Values(EngineAndFixture(Engine::kReader,
                                                          "gcc_supplementary")),
                         [](const auto& test) { return NameOf(test.param); });

class ColdPartTest : public FixtureTest {};

TEST_P(ColdPartTest, BelongsToTheFunctionThatItWasCutFrom) {
  const NmSymbol cold = FindNm(fixture_name(), "_ZN3app5SplitEi.cold");
  const uint64_t entry = FindNm(fixture_name(), "_ZN3app5SplitEi").address;
  ASSERT_LT(cold.address, entry);
  OpenFixture fixture(GetParam());
  const auto frames = fixture.FramesAt(cold.address + cold.size - 1);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].function.linkage_name, "_ZN3app5SplitEi");
  EXPECT_EQ(frames[0].function.start_address, entry);
  EXPECT_EQ(frames[0].line, LineWith("// the last of it"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, ColdPartTest,
                         BothEngines("gcc_dwarf4", "gcc_dwarf5", "gcc_lto",
                                     "gcc_partial_units"),
                         [](const auto& test) { return NameOf(test.param); });

// The fixtures test something only if the tools did what we expect.
TEST(FixtureFilesTest, HasADiscardedFunctionThatReachesIntoTheCode) {
  for (const char* fixture :
       {"gcc_sections", "gcc_one_segment", "clang_sections"}) {
    EXPECT_EQ(ReadNm(fixture).count("discarded_function"), 0u) << fixture;
    EXPECT_LT(FindNm(fixture, "here_main").address, 16u * 512) << fixture;
  }
}

TEST(FixtureFilesTest, HasAnAlternateFile) {
  for (const char* fixture : {"gcc_alternate", "gcc_alternate_missing"})
    EXPECT_NE(
        FindSection(ReadFile(FixturePath(fixture)), ".gnu_debugaltlink").size,
        0u);
  EXPECT_NE(
      FindSection(ReadFile(FixturePath("gcc_supplementary")), ".debug_sup")
          .size,
      0u);
}

class EngineTest : public testing::TestWithParam<Engine> {};

INSTANTIATE_TEST_SUITE_P(Engines, EngineTest,
                         testing::Values(Engine::kReader, Engine::kLibdw),
                         testing::PrintToStringParamName());

TEST_P(EngineTest, NamesInlinedCopiesLikeTheCopyInAnotherUnit) {
  OpenFixture fixture(GetParam(), "gcc_lto_units");
  const std::string twice = "_ZN3app12_GLOBAL__N_15TwiceEi";
  const NmSymbol flat = FindNm("gcc_lto_units", "_ZN3app4FlatEi");
  std::vector<uint64_t> addresses = {
      FindNm("gcc_lto_units", twice + ".lto_priv.0").address};
  for (uint64_t i = 0; i < flat.size; ++i)
    addresses.push_back(flat.address + i);
  std::ranges::sort(addresses);
  const ResolvedAddresses answer = fixture.resolver().Resolve(addresses);
  std::vector<std::string> names;
  for (const SourceFunction& function : answer.functions)
    names.emplace_back(function.linkage_name);
  EXPECT_THAT(names, UnorderedElementsAre(twice, "_ZN3app4FlatEi"));
  const auto chain = std::ranges::find(answer.runs, 2u, &FrameRun::count);
  ASSERT_NE(chain, answer.runs.end());
}

// With link-time optimization, C++ may inline a function of C.
TEST_P(EngineTest, NamesAFunctionByTheRulesOfItsOwnLanguage) {
  WrittenUnit c({50, 50}, 0, DW_LANG_C11);
  const uint64_t helper = c.Abstract("helper");
  c.End();
  c.Function("in_c", {50, 10});
  c.Inlined(helper, {54, 2}, 3);
  c.End();
  c.End();
  WrittenUnit cpp({0, 50}, c.end(), DW_LANG_C_plus_plus_14);
  cpp.Function("in_cpp", {0, 10});
  cpp.Inlined(helper, {4, 2}, 7);
  cpp.End();
  cpp.End();
  const OpenedDwarf opened(SectionsOf({&c, &cpp}, WrittenLines({{0, 3}}, 100)));
  for (const uint64_t address : {kCodeStart + 4, kCodeStart + 54}) {
    auto resolver = OpenResolver(GetParam(), opened.image(), opened.symbols());
    ASSERT_TRUE(resolver) << resolver.error().message;
    const ResolvedAddresses answer = (*resolver)->Resolve({{address}});
    ASSERT_EQ(answer.runs.at(0).count, 2u);
    const SourceFrame& innermost = answer.frames[answer.runs[0].first];
    EXPECT_EQ(answer.functions[innermost.function].linkage_name, "helper");
  }
}

// DWARF 2 has no DW_AT_ranges, so gcc -gstrict-dwarf records only the first
// piece of a subroutine. Here, `outer` is at [8, 12) and also around `inner`.
TEST_P(EngineTest, FindsCallsInlinedIntoALaterPieceOfASubroutine) {
  for (const uint64_t version : {2u, 4u}) {
    WrittenUnit unit({0, 50}, 0, DW_LANG_C11, version);
    const uint64_t outer = unit.Abstract("outer");
    unit.End();
    const uint64_t inner = unit.Abstract("inner");
    unit.End();
    unit.Function("function", {0, 50});
    unit.Inlined(outer, {8, 4}, 3);
    unit.Inlined(inner, {24, 4}, 5);
    unit.End();
    unit.End();
    unit.End();
    const OpenedDwarf opened(SectionsOf({&unit}, WrittenLines({{0, 3}}, 50)));
    auto resolver = OpenResolver(GetParam(), opened.image(), opened.symbols());
    ASSERT_TRUE(resolver) << resolver.error().message;
    const ResolvedAddresses answer = (*resolver)->Resolve(
        {{kCodeStart + 4, kCodeStart + 8, kCodeStart + 24}});
    std::vector<uint32_t> depths;
    for (const FrameRun& run : answer.runs) depths.push_back(run.count);
    EXPECT_THAT(depths, ElementsAre(1, 2, version == 2 ? 3 : 1));
  }
}

TEST_P(EngineTest, ReportsAMissingAlternateFile) {
  OpenFixture fixture(GetParam(), "gcc_alternate_missing");
  EXPECT_THAT(fixture.problems(),
              ElementsAre(ContainsRegex(
                  "gcc_alternate_missing: its alternate debug file "
                  "missing.debug \\(build id [0-9a-f]{40}\\) is missing; "
                  "functions described there have no names; give its folder "
                  "with --debug-dir$")));
  // The symbol table still names out-of-line functions.
  EXPECT_THAT(fixture.Names("here_c_function"), ElementsAre("c_function"));
  EXPECT_THAT(fixture.Names("here_template_member"),
              ElementsAre("_ZN3app3BoxIlE3PutEl"));
}

TEST_P(EngineTest, FallsBackToSymbolsWithoutSplitFiles) {
  for (const char* name : {"gcc_split", "gcc_split_dwarf4"}) {
    OpenFixture fixture(GetParam(), name);
    const auto frames = fixture.FramesAt("here_local_function");
    ASSERT_EQ(frames.size(), 1u);
    EXPECT_EQ(frames[0].function.linkage_name,
              "_ZN3app12_GLOBAL__N_113LocalFunctionEv");
    EXPECT_EQ(frames[0].line, LineWith("HERE(local_function)"));
    const std::string read_by_libdw =
        "debug information in split files (.dwo) is not read; inlined calls "
        "are not shown there";
    const std::string missing =
        "split debug information is missing for 1 of the units needed, the "
        "first in " +
        FixturePath(name) +
        "-frames.dwo; inlined calls are not shown there: name the .dwp file, "
        "or the folder of the .dwo files";
    EXPECT_THAT(
        fixture.problems(),
        ElementsAre(GetParam() == Engine::kLibdw ? read_by_libdw : missing));
  }
}

TEST(LibdwResolverTest, ReportsThatItCannotReadZstd) {
  const Result<ElfImage> image = ElfImage::Open(FixturePath("gcc_zstd"));
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  const auto resolver = OpenResolver(Engine::kLibdw, *image, symbols);
#if _ELFUTILS_PREREQ(0, 189)
  if (resolver) GTEST_SKIP() << "this libelf reads zstd";
#endif
  ASSERT_FALSE(resolver);
  EXPECT_EQ(resolver.error().message,
            FixturePath("gcc_zstd") +
                ": debug sections are compressed in a way that libelf cannot "
                "read (zstd?)");
}

TEST(DwarfResolverTest, ReportsASectionWithUnknownCompression) {
  std::string bytes = ReadFile(FixturePath("gcc_zstd"));
  const FileSection section = FindSection(bytes, ".debug_info");
  PutNumber(bytes, section.offset, 4, 77);  // ch_type
  const TemporaryFile file(bytes);
  const Result<ElfImage> image = ElfImage::Open(file.path());
  ASSERT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  const auto resolver = OpenResolver(Engine::kReader, *image, symbols);
  ASSERT_FALSE(resolver);
  EXPECT_EQ(resolver.error().message,
            file.path() + ": section .debug_info: unknown compression 77");
}

class NestedTest : public FixtureTest {};

// Only the libdw engine has a limit.
TEST_P(NestedTest, ContinuesAfterDeeplyNestedDies) {
  OpenFixture fixture(GetParam());
  EXPECT_THAT(fixture.Names("deep"), ElementsAre("deep"));
  EXPECT_THAT(fixture.Names("after"), ElementsAre("after"));
  if (std::get<Engine>(GetParam()) == Engine::kLibdw)
    EXPECT_THAT(fixture.problems(),
                ElementsAre("unit at 0x0 of .debug_info: DIEs nested deeper "
                            "than 512 are not read"));
  else
    EXPECT_THAT(fixture.problems(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Tags, NestedTest,
                         BothEngines("nested_lexical_block", "nested_namespace",
                                     "nested_inlined_call", "nested_function"),
                         [](const auto& test) { return NameOf(test.param); });

// Small files that are made to keep us busy for hours.
TEST_P(EngineTest, StopsReadingALongRangeListThatManyFunctionsShare) {
  OpenFixture fixture(GetParam(), "wide_ranges");
  EXPECT_THAT(fixture.Names("first"), ElementsAre("first"));
  EXPECT_THAT(fixture.problems(),
              ElementsAre("unit at 0x0 of .debug_info: implausibly many "
                          "address ranges; the rest is not read"));
}

TEST_P(EngineTest, StopsReadingALongLineProgramThatManyUnitsShare) {
  OpenFixture fixture(GetParam(), "shared_lines");
  const uint64_t code = FindNm("shared_lines", "code").address;
  std::vector<uint64_t> addresses;
  for (uint64_t i = 0; i < 2000; ++i) addresses.push_back(code + 16 * i);
  EXPECT_EQ(fixture.resolver().Resolve(addresses).runs.size(), 2000u);
  EXPECT_THAT(fixture.problems(),
              ElementsAre("line programs overlap; the rest is not read"));
}

TEST_P(EngineTest, LimitsChainsOfReferences) {
  OpenFixture fixture(GetParam(), "cycle");
  EXPECT_THAT(fixture.Names("circular"), ElementsAre("circular"));
  EXPECT_THAT(fixture.Names("selfish"), ElementsAre("selfish"));
  EXPECT_THAT(fixture.Names("scoped"), ElementsAre("space::inside"));
}

}  // namespace
}  // namespace heapprof
