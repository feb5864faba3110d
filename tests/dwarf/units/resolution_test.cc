// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/resolution.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "dwarf/written_unit.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The frames of each address: "function:line", innermost first.
std::vector<std::string> ResolveIn(const OpenedDwarf& dwarf, UnitStore& units,
                                   const std::vector<uint64_t>& addresses,
                                   const std::vector<uint32_t>& excluded = {},
                                   bool with_symbols = true) {
  std::vector<uint64_t> all;
  for (const uint64_t address : addresses) all.push_back(kCodeStart + address);
  const SymbolSource symbols = [&]() -> const SymbolTable& {
    return dwarf.symbols();
  };
  Resolution resolution(all, units, dwarf.image(), symbols,
                        {.with_symbols = with_symbols});
  if (!resolution.Read()) return {"unreadable"};
  for (const uint32_t i : excluded) resolution.Exclude(i);
  ProblemLog problems;
  resolution.NoteProblems(problems);
  EXPECT_THAT(problems.problems(), IsEmpty());
  const ResolvedAddresses answers = resolution.BuildAnswers();
  std::vector<std::string> texts;
  for (const FrameRun& run : answers.runs) {
    std::string& text = texts.emplace_back();
    for (uint32_t i = run.first; i < run.first + run.count; ++i) {
      const SourceFrame& frame = answers.frames[i];
      const SourceFunction& function = answers.functions[frame.function];
      text.append(text.empty() ? "" : " ")
          .append(function.linkage_name)
          .append(function.scoped_name)
          .append(":")
          .append(std::to_string(frame.line));
    }
  }
  return texts;
}

// Two units, which both have the range [0, 100). The first has the functions
// `first`, with `inlined` in it, and `shared`; the second one has another
// function for the code of `shared` and some more.
class ResolutionTest : public testing::Test {
 protected:
  ResolutionTest() : first_({0, 100}), second_(MakeUnits()) {
    dwarf_.emplace(SectionsOf({&first_, &second_},
                              WrittenLines({{0, 1}, {8, 2}, {40, 9}}, 100)),
                   std::vector<WrittenSymbol>{{"symbol", 40, 60}});
    units_.emplace(dwarf_->sections(), dwarf_->image(), 1);
    EXPECT_EQ(units_->problem(), "");
  }

  std::vector<std::string> Resolve(const std::vector<uint64_t>& addresses,
                                   const std::vector<uint32_t>& excluded = {},
                                   bool with_symbols = true) {
    return ResolveIn(*dwarf_, *units_, addresses, excluded, with_symbols);
  }

 private:
  WrittenUnit MakeUnits() {
    const uint64_t inlined = first_.Abstract("inlined");
    first_.End();
    first_.Function("first", {0, 16});
    first_.Inlined(inlined, {8, 8}, 5);
    first_.End();
    first_.End();
    first_.Function("shared", {16, 8});
    first_.End();
    WrittenUnit second({0, 100}, first_.end());
    second.Function("shared_in_second", {16, 16});
    second.End();
    return second;
  }

  WrittenUnit first_;
  WrittenUnit second_;
  std::optional<OpenedDwarf> dwarf_;
  std::optional<UnitStore> units_;
};

TEST_F(ResolutionTest, AnswersTheInlineChain) {
  EXPECT_THAT(Resolve({0, 8}), ElementsAre("first:1", "inlined:2 first:5"));
}

TEST_F(ResolutionTest, PrefersTheFirstUnitWithAFunction) {
  EXPECT_THAT(Resolve({16, 24}), ElementsAre("shared:2", "shared_in_second:2"));
}

TEST_F(ResolutionTest, AnswersFromTheSymbolWithTheLineRow) {
  EXPECT_THAT(Resolve({50}), ElementsAre("symbol:9"));
  EXPECT_THAT(Resolve({50}, {}, /*with_symbols=*/false), ElementsAre(""));
}

TEST_F(ResolutionTest, HasNoAnswerWithoutFunctionAndSymbol) {
  EXPECT_THAT(Resolve({35, 200}), ElementsAre("", ""));
}

TEST_F(ResolutionTest, LeavesExcludedAddressesUnanswered) {
  EXPECT_THAT(Resolve({0, 16, 50}, {0, 2}), ElementsAre("", "shared:2", ""));
}

// As an index does (see MapNode::group). With link-time optimization, units
// need not be in the order of their code.
TEST(ResolutionOrderTest, NamesAFunctionByItsCopyAtTheLowestAddress) {
  WrittenUnit first({32, 16});
  const uint64_t origin = first.Abstract("f");
  first.End();
  first.Clone("high", origin, {32, 16});
  first.End();
  WrittenUnit second({0, 16}, first.end());
  second.Clone("low", origin, {0, 16});
  second.End();
  const OpenedDwarf dwarf(
      SectionsOf({&first, &second}, WrittenLines({{0, 1}}, 48)));
  UnitStore units(dwarf.sections(), dwarf.image(), 1);
  EXPECT_THAT(ResolveIn(dwarf, units, {8, 40}), ElementsAre("low:1", "low:1"));
  EXPECT_THAT(ResolveIn(dwarf, units, {40}), ElementsAre("high:1"));
}

}  // namespace
}  // namespace heapprof
