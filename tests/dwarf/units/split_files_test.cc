// SPDX-License-Identifier: Apache-2.0
//
// Split debug information must give the same answers as the same program
// compiled without -gsplit-dwarf.
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The frames at the symbols here_* of a fixture, a line of text for each.
struct Answers {
  std::vector<std::string> frames;
  std::vector<std::string> problems;
};

Answers AnswersOf(const std::string& fixture, SplitSearch split = {}) {
  const auto image = ElfImage::Open(FixturePath(fixture));
  EXPECT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  auto resolver = OpenDwarfResolver(*image, *image, symbols, 2, split);
  EXPECT_TRUE(resolver) << resolver.error().message;
  Answers answers;
  for (const auto& [name, symbol] : ReadNm(fixture)) {
    if (!name.starts_with("here_")) continue;
    const ResolvedAddresses found = (*resolver)->Resolve({{symbol.address}});
    for (std::string& problem : (*resolver)->problems())
      if (std::ranges::find(answers.problems, problem) ==
          answers.problems.end())
        answers.problems.push_back(std::move(problem));
    std::string text = name + ":";
    const FrameRun run = found.runs[0];
    for (uint32_t i = run.first; i < run.first + run.count; ++i) {
      const SourceFrame& frame = found.frames[i];
      const SourceFunction& function = found.functions[frame.function];
      text +=
          fmt::format(" {}{} in {}:{} at {}:{}:{}", function.linkage_name,
                      function.scoped_name,
                      fs::path(found.files[function.file]).filename().string(),
                      function.start_line,
                      fs::path(found.files[frame.file]).filename().string(),
                      frame.line, frame.column);
    }
    answers.frames.push_back(text);
  }
  EXPECT_GE(answers.frames.size(), 5u);
  return answers;
}

// gcc records a path as long as that of its output.
std::string FixturePathOf(std::string_view name) {
  return FixturePath(fs::path(name).filename().string());
}

SplitSearch ObjectFiles() {
  return {.candidates = [](std::string_view, std::string_view name) {
    return std::vector{FixturePath("missing.dwo"), FixturePathOf(name)};
  }};
}

struct Case {
  const char* split;
  const char* whole;
};

// Expects the same answers from a program with split debug information and from
// one without.
void ExpectWhole(const Case& program, const SplitSearch& search) {
  const Answers answers = AnswersOf(program.split, search);
  EXPECT_EQ(answers.frames, AnswersOf(program.whole).frames) << program.split;
  EXPECT_THAT(answers.problems, IsEmpty()) << program.split;
}

TEST(SplitFilesTest, ReadsObjectFiles) {
  for (const Case& program :
       {Case{"gcc_split", "gcc_dwarf5"}, Case{"gcc_split_dwarf4", "gcc_dwarf4"},
        Case{"clang_split", "clang_dwarf5"},
        Case{"clang_split_dwarf4", "clang_dwarf4"}})
    ExpectWhole(program, ObjectFiles());
}

// Types have units of their own. gcc puts them into several sections of one
// name.
TEST(SplitFilesTest, ReadsObjectFilesWithTypeUnits) {
  for (const Case& program : {Case{"gcc_split_types_dwarf4", "gcc_dwarf4"},
                              Case{"gcc_split_types_dwarf5", "gcc_dwarf5"},
                              Case{"gcc_split_types_packed", "gcc_dwarf5"},
                              Case{"clang_split_types_dwarf4", "clang_dwarf4"},
                              Case{"clang_split_types_dwarf5", "clang_dwarf5"}})
    ExpectWhole(program, ObjectFiles());
}

TEST(SplitFilesTest, ReadsPackages) {
  for (const Case& program : {Case{"gcc_split_dwarf4", "gcc_dwarf4"},
                              Case{"clang_split", "clang_dwarf5"},
                              Case{"clang_split_dwarf4", "clang_dwarf4"},
                              Case{"gcc_split_types_dwarf4", "gcc_dwarf4"},
                              Case{"clang_split_types_dwarf4", "clang_dwarf4"},
                              Case{"clang_split_types_dwarf5", "clang_dwarf5"}})
    ExpectWhole(program, {.packages = {"/nowhere",
                                       FixturePath(program.split) + ".dwp"}});
}

TEST(SplitFilesTest, ReadsPackagesOfBinutils) {
  const Answers split =
      AnswersOf("gcc_split_dwarf4",
                {.packages = {FixturePath("gcc_split_dwarf4.gnu.dwp")}});
  EXPECT_EQ(split.frames, AnswersOf("gcc_dwarf4").frames);
  EXPECT_THAT(split.problems, IsEmpty());
}

std::optional<std::string> SplitFilesOf(const std::string& fixture,
                                        const SplitSearch& search) {
  const auto image = ElfImage::Open(FixturePath(fixture));
  EXPECT_TRUE(image) << image.error().message;
  const SymbolTable symbols = SymbolTable::Load({&*image});
  const auto resolver = OpenDwarfResolver(*image, *image, symbols, 2, search);
  EXPECT_TRUE(resolver) << resolver.error().message;
  return (*resolver)->IdentifySplitFiles();
}

timespec ChangeTime(const std::string& path) {
  struct stat status = {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_ctim;
}

// Writes until the coarse clock of the file system has advanced.
void WriteLater(const TemporaryFile& file, const std::string& bytes) {
  const timespec before = ChangeTime(file.path());
  const fs::file_time_type modified = fs::last_write_time(file.path());
  timespec now = before;
  while (now.tv_sec == before.tv_sec && now.tv_nsec == before.tv_nsec) {
    file.Write(bytes);
    fs::last_write_time(file.path(), modified);
    now = ChangeTime(file.path());
  }
}

TEST(SplitFilesTest, DistinguishesAFileFromEarlierOnes) {
  const std::string bytes = ReadFile(FixturePath("clang_split.dwp"));
  const TemporaryFile package(bytes);
  const SplitSearch search = {.packages = {package.path()}};
  const auto first = SplitFilesOf("clang_split", search);
  ASSERT_TRUE(first);
  EXPECT_THAT(*first, testing::StartsWith(
                          fmt::format("file size {} modified ", bytes.size())));
  EXPECT_EQ(SplitFilesOf("clang_split", search), first);
  EXPECT_NE(SplitFilesOf("clang_split", ObjectFiles()), first);
  // Same size, same time of modification.
  WriteLater(package, bytes);
  EXPECT_NE(SplitFilesOf("clang_split", search), first);
}

TEST(SplitFilesTest, IdentifiesNothingIfNoUnitIsSplit) {
  EXPECT_EQ(SplitFilesOf("gcc_dwarf5", ObjectFiles()), "");
  EXPECT_EQ(SplitFilesOf("gcc_split", {}), std::nullopt);
}

TEST(SplitFilesTest, SkipsAFileOfAnotherBuild) {
  const auto other = [](std::string_view, std::string_view name) {
    std::string file = FixturePathOf(name);
    file.insert(file.rfind("-frames"), "_dwarf4");
    return std::vector{file};
  };
  const Answers answers = AnswersOf("gcc_split", {.candidates = other});
  ASSERT_EQ(answers.problems.size(), 1u);
  EXPECT_THAT(
      answers.problems[0],
      testing::MatchesRegex(".*gcc_split_dwarf4-frames.dwo: no unit with id "
                            "0x[0-9a-f]+"));
  const std::string package = FixturePath("clang_split.dwp");
  EXPECT_EQ(AnswersOf("gcc_split", {.packages = {package}}).problems,
            AnswersOf("gcc_split").problems);
}

TEST(SplitFilesTest, ReportsAFileThatIsNotElf) {
  const TemporaryFile file("text");
  EXPECT_THAT(AnswersOf("gcc_split", {.packages = {file.path()}}).problems,
              ElementsAre(file.path() + ": not an ELF file"));
}

TEST(SplitFilesTest, ReportsADamagedPackageIndex) {
  std::string package = ReadFile(FixturePath("clang_split.dwp"));
  const FileSection index = FindSection(package, ".debug_cu_index");
  for (const auto& [offset, value] : {std::pair<size_t, uint64_t>{0, 7},
                                      {4, 1000},
                                      {8, 1 << 30},
                                      {12, 1 << 30},
                                      {12, 5}}) {
    std::string damaged = package;
    PutNumber(damaged, index.offset + offset, 4, value);
    const TemporaryFile file(damaged);
    EXPECT_THAT(
        AnswersOf("gcc_split", {.packages = {file.path()}}).problems,
        ElementsAre(file.path() + ": section .debug_cu_index is damaged"))
        << offset << " " << value;
  }
}

TEST(SplitFilesTest, SurvivesRandomDamage) {
  std::mt19937 random(1);
  for (const char* name :
       {"clang_split.dwp", "gcc_split_dwarf4.dwp", "gcc_split_types_dwarf4.dwp",
        "clang_split_types_dwarf5.dwp"}) {
    const std::string original = ReadFile(FixturePath(name));
    for (int round = 0; round < 100; ++round) {
      std::string damaged = original;
      for (int i = 0; i < 20; ++i)
        damaged[64 + random() % (damaged.size() - 64)] =
            static_cast<char>(random());
      const TemporaryFile file(damaged);
      const std::string binary = fs::path(name).stem().string();
      EXPECT_FALSE(
          AnswersOf(binary, {.packages = {file.path()}}).frames.empty());
    }
  }
}

}  // namespace
}  // namespace heapprof
