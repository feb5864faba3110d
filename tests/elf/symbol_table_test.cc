// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/symbol_table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/fixture.h"

namespace heapprof {
namespace {

class SymbolTableTest : public testing::Test {
 protected:
  const SymbolTable& Load(const std::vector<std::string>& fixtures) {
    images_.clear();
    for (const std::string& fixture : fixtures) {
      Result<ElfImage> image = ElfImage::Open(FixturePath(fixture));
      EXPECT_TRUE(image) << image.error().message;
      images_.push_back(std::move(*image));
    }
    std::vector<const ElfImage*> pointers;
    for (const ElfImage& image : images_) pointers.push_back(&image);
    table_ = SymbolTable::Load(pointers);
    return table_;
  }

  // The name of the symbol at `offset` from the assembler label `label`.
  std::string At(const std::string& label, int64_t offset = 0) const {
    const auto symbol = table_.Find(FindNm("symbols", label).address +
                                    static_cast<uint64_t>(offset));
    return symbol ? std::string(symbol->name) : "none";
  }

 private:
  std::vector<ElfImage> images_;
  SymbolTable table_;
};

TEST_F(SymbolTableTest, FindsEveryFunctionThatNmKnowsAtItsFirstAndLastByte) {
  for (const char* fixture : {"pie", "exec", "shared"}) {
    const SymbolTable& table = Load({fixture});
    int functions = 0;
    for (const auto& [name, nm] : ReadNm(fixture)) {
      if (nm.size == 0 ||
          std::string_view("TtWi").find(nm.type) == std::string_view::npos)
        continue;
      ++functions;
      for (uint64_t address : {nm.address, nm.address + nm.size - 1}) {
        const std::optional<Symbol> found = table.Find(address);
        ASSERT_TRUE(found) << fixture << ' ' << name;
        EXPECT_EQ(found->name, name) << fixture;
        EXPECT_EQ(found->address, nm.address) << fixture << ' ' << name;
        EXPECT_EQ(found->size, nm.size) << fixture << ' ' << name;
      }
    }
    EXPECT_GE(functions, 3) << fixture;
  }
}

TEST_F(SymbolTableTest, GivesASymbolNoByteBeyondItsSize) {
  Load({"symbols"});
  EXPECT_EQ(At("sized", 9), "sized");
  EXPECT_EQ(At("sized", 10), "none");
  EXPECT_EQ(At("sized", 15), "none");
}

TEST_F(SymbolTableTest, EndsASymbolWithoutSizeAtTheNextSymbol) {
  Load({"symbols"});
  EXPECT_EQ(At("without_size"), "without_size");
  EXPECT_EQ(At("without_size", 15), "without_size");
  EXPECT_EQ(At("without_size", 16), "plain_mane");
}

TEST_F(SymbolTableTest, EndsASymbolWithoutSizeAtTheEndOfItsSection) {
  Load({"symbols"});
  EXPECT_EQ(At("last_without_size", 15), "last_without_size");
  EXPECT_EQ(At("last_without_size", 16), "none");
}

TEST_F(SymbolTableTest, PrefersGlobalThenFewUnderscoresThenShortThenByteOrder) {
  Load({"symbols"});
  EXPECT_EQ(At("plain_name"), "plain_mane");
}

TEST_F(SymbolTableTest, PrefersWeakToLocal) {
  Load({"symbols"});
  EXPECT_EQ(At("weak_only"), "weak_only");
}

TEST_F(SymbolTableTest, TakesTheSizeOfAnAliasIfThePreferredNameHasNone) {
  Load({"symbols"});
  EXPECT_EQ(At("unsized_alias", 7), "unsized_alias");
  EXPECT_EQ(At("unsized_alias", 8), "none");
}

TEST_F(SymbolTableTest, AnswersTheInnermostOfNestedSymbols) {
  Load({"symbols"});
  EXPECT_EQ(At("outer", 15), "outer");
  EXPECT_EQ(At("outer", 16), "inner");
  EXPECT_EQ(At("outer", 31), "inner");
  EXPECT_EQ(At("outer", 32), "outer");
  EXPECT_EQ(At("outer", 47), "outer");
}

TEST_F(SymbolTableTest, CountsIndirectFunctionsAsFunctions) {
  Load({"symbols"});
  EXPECT_EQ(At("resolver", 4), "resolver");
}

TEST_F(SymbolTableTest, CutsVersions) {
  Load({"symbols"});
  EXPECT_EQ(At("versioned@VERSION_1"), "versioned");
  EXPECT_EQ(At("versioned@@VERSION_2"), "versioned");
}

// A signal handler returns to its first byte.
TEST_F(SymbolTableTest, IncludesTheByteBeforeTheReturnFromASignalHandler) {
  Load({"symbols"});
  EXPECT_EQ(At("__restore_rt", -2), "none");
  EXPECT_EQ(At("__restore_rt", -1), "__restore_rt");
  EXPECT_EQ(At("__restore_rt", 15), "__restore_rt");
  EXPECT_EQ(At("__restore_rt", 16), "none");
}

TEST_F(SymbolTableTest, UsesALabelOutsideFunctions) {
  Load({"symbols"});
  EXPECT_EQ(At("label", 15), "label");
  EXPECT_EQ(At("inside"), "outer");
}

TEST_F(SymbolTableTest, IgnoresObjectsAndFunctionsOutsideCode) {
  Load({"symbols"});
  EXPECT_EQ(At("object"), "none");
  EXPECT_EQ(At("function_in_data"), "none");
}

TEST_F(SymbolTableTest, IgnoresLabelsOutsideCode) {
  Load({"symbols"});
  const uint64_t object = FindNm("symbols", "object").address;
  ASSERT_EQ(object % 16, 0);
  ASSERT_LT(object, 1024 * 16);
  EXPECT_EQ(At("object"), "none");
}

TEST_F(SymbolTableTest, ReadsDynamicSymbolsOfAStrippedLibrary) {
  const SymbolTable& table = Load({"symbols.stripped"});
  EXPECT_EQ(At("sized", 9), "sized");
  EXPECT_EQ(At("sized", 10), "none");
  EXPECT_EQ(At("resolver"), "resolver");
  EXPECT_EQ(At("versioned@@VERSION_2"), "versioned");
  EXPECT_GT(table.size(), 0u);
}

TEST_F(SymbolTableTest, ReadsTheSymbolsOfADebugFileForItsStrippedBinary) {
  EXPECT_EQ(Load({"linked"}).Find(FindNm("pie", "main").address), std::nullopt);
  const auto symbol =
      Load({"pie.debug", "linked"}).Find(FindNm("pie", "main").address);
  ASSERT_TRUE(symbol);
  EXPECT_EQ(symbol->name, "main");
}

TEST_F(SymbolTableTest, FindStartRequiresTheFirstByte) {
  const SymbolTable& table = Load({"symbols"});
  const uint64_t start = FindNm("symbols", "outer").address;
  const std::optional<Symbol> symbol = table.FindStart(start);
  ASSERT_TRUE(symbol);
  EXPECT_EQ(symbol->name, "outer");
  EXPECT_EQ(symbol->size, 48u);
  EXPECT_FALSE(table.FindStart(start + 1));
  ASSERT_EQ(table.StartingIn(start, start + 1).size(), 1u);
  EXPECT_TRUE(table.StartingIn(start + 1, start + 2).empty());
  EXPECT_TRUE(table.StartingIn(start, start).empty());
}

TEST_F(SymbolTableTest, FindsNothingInAnEmptyTable) {
  const SymbolTable table = SymbolTable::Load({});
  EXPECT_EQ(table.size(), 0u);
  EXPECT_FALSE(table.Find(0));
  EXPECT_FALSE(table.Find(UINT64_MAX));
  EXPECT_FALSE(table.FindStart(0));
}

}  // namespace
}  // namespace heapprof
