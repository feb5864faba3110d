// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/function_naming.h"

#include <string>
#include <string_view>
#include <vector>

#include <dwarf.h>
#include <gtest/gtest.h>

#include "dwarf/opened_dwarf.h"
#include "heapprof/elf/elf_image.h"
#include "support/fixture.h"

namespace heapprof {
namespace {

TEST(CanBeSymbolOfTest, ComparesPlainNamesAndLooksForThemInMangledOnes) {
  struct Case {
    std::string_view symbol;
    std::string_view name;
    bool expected;
  };
  for (const auto& [symbol, name, expected] : std::vector<Case>{
           {"main", "main", true},
           {"main", "other", false},
           {"_ZN2ns1fEi", "f", true},
           {"_ZN2ns1fEi", "g", false},
           {"_ZL6staticv", "static", true},
           {"_ZN2ns1gIiEEvT_", "g<int>", true},
           {"_ZZN2ns1fEvENKUlvE_clEv", "operator()", true},
           {"_ZN2ns1CclB5cxx11Ev", "operator()", true},
           {"_ZZN2ns1fEvENKUlT_E_clIiEEDaS0_", "operator()<int>", true},
           {"_ZN2ns7includeEi", "operator()", false},
           {"_ZN2ns1hIiEEvT_", "g<int>", false},
           // The mangling abbreviates these names.
           {"_ZN2ns1XD1Ev", "~X", true},
           {"_ZZN3app1fEvENKUliE_clEi", "operator()", true},
           {"plain", "operator()", false},
           // The constructor of std::allocator<app::T>.
           {"_ZNSaIN3app1TEEC2ERKS1_", "allocator", true},
           {"_ZN3app1fEv", "allocator", false},
           {"_ZNSaIN3app1TEEC2ERKS1_", "construct", false},
           // Rust's own mangling puts a "_" before digits and underscores.
           {"_RNvCs1234_4prog4main", "main", true},
           {"_RNvCs1234_4prog4main", "other", false},
           {"_RINvCs1234_4prog7generichEB2_", "generic<u8>", true},
           {"_RNvNtCs1234_4core3num4__fmt", "_fmt", true},
           {"_RNvNtCs1234_4core3num4__fmt", "fmt", false},
           {"_RNCNvCs1234_4prog4main0B3_", "{closure#0}", true},
           // DWARF has no name for the function.
           {"plain", "", true},
           {"_ZN2ns1fEi", "", true},
       })
    EXPECT_EQ(CanBeSymbolOf(symbol, name), expected)
        << symbol << " for " << name;
}

class NameFunctionTest : public testing::Test {
 protected:
  // The linkage name, or the scoped name in brackets.
  std::string Name(const NameAttributes& attributes,
                   const std::string& scope_prefix = "ns::") {
    const FunctionName name =
        NameFunction(attributes, symbols_, [&] { return scope_prefix; });
    EXPECT_NE(name.linkage_name.empty(), name.scoped_name.empty());
    if (name.scoped_name.empty()) return std::string(name.linkage_name);
    return '[' + name.scoped_name + ']';
  }

  static constexpr const char* kChain = "_ZN3app5ChainEv";
  const Result<ElfImage> image_ = ElfImage::Open(FixturePath("gcc_dwarf5"));
  const SymbolTable symbols_ = SymbolTable::Load({&*image_});
  const uint64_t chain_ = FindNm("gcc_dwarf5", kChain).address;
};

TEST_F(NameFunctionTest, PrefersTheLinkageName) {
  EXPECT_EQ(Name({.linkage_name = "_Z1fv.cold",
                  .name = "f",
                  .language = DW_LANG_C_plus_plus,
                  .entry_pc = chain_}),
            "_Z1fv");
}

TEST_F(NameFunctionTest, TakesTheSymbolAtTheEntryPcIfTheNameFits) {
  EXPECT_EQ(Name({.name = "Chain",
                  .language = DW_LANG_C_plus_plus,
                  .entry_pc = chain_}),
            kChain);
  EXPECT_EQ(Name({.language = DW_LANG_C_plus_plus, .entry_pc = chain_}),
            kChain);
  // Another function, folded into this one.
  EXPECT_EQ(Name({.name = "Other",
                  .language = DW_LANG_C_plus_plus,
                  .entry_pc = chain_}),
            "[ns::Other]");
  // No symbol starts here.
  EXPECT_EQ(Name({.name = "Chain",
                  .language = DW_LANG_C_plus_plus,
                  .entry_pc = chain_ + 1}),
            "[ns::Chain]");
}

TEST_F(NameFunctionTest, TakesTheSymbolOfATemplateOnlyForItsScopes) {
  const NameAttributes instance = {.name = "Chain<int>",
                                   .language = DW_LANG_C_plus_plus,
                                   .entry_pc = chain_};
  EXPECT_EQ(Name(instance), "[ns::Chain<int>]");
  EXPECT_EQ(Name(instance, ""), kChain);
}

// With line tables only, DWARF has no linkage names, nor scopes.
TEST(NameRustFunctionTest, TakesTheSymbolForItsScopes) {
  constexpr const char* kPush =
      "_RNvMs_NtCs1234_5alloc3vecINtB4_3VechE4pushB6_";
  const OpenedDwarf opened({}, {{kPush, 16, 8}});
  for (const std::string_view name : {"push", "push<u8>"}) {
    const FunctionName named = NameFunction(
        {.name = name, .language = DW_LANG_Rust, .entry_pc = kCodeStart + 16},
        opened.symbols(), [] { return std::string(); });
    EXPECT_EQ(named.linkage_name, kPush);
    EXPECT_EQ(named.scoped_name, "");
  }
}

// Such a symbol stays mangled in reports.
TEST(NameConstrainedFunctionTest, TakesTheSymbolOnlyIfThereIsNoName) {
  constexpr const char* kChain = "_ZN2ns5ChainITnDaLi1EEEvv";
  const OpenedDwarf opened({}, {{kChain, 16, 8}});
  const auto name_of = [&](std::string_view name) {
    return NameFunction({.name = name,
                         .language = DW_LANG_C_plus_plus,
                         .entry_pc = kCodeStart + 16},
                        opened.symbols(), [] { return std::string("ns::"); });
  };
  EXPECT_EQ(name_of("Chain").scoped_name, "ns::Chain");
  EXPECT_EQ(name_of("").linkage_name, kChain);
}

TEST_F(NameFunctionTest, TakesThePlainNameInC) {
  EXPECT_EQ(Name({.name = "f", .language = DW_LANG_C11, .entry_pc = chain_}),
            "f");
}

// GNAT puts the scopes into the name.
TEST_F(NameFunctionTest, TakesThePlainNameInAda) {
  for (const uint16_t language : {DW_LANG_Ada83, DW_LANG_Ada95})
    EXPECT_EQ(Name({.name = "shelf__fill__grow", .language = language},
                   "shelf__fill::"),
              "shelf__fill__grow");
}

TEST_F(NameFunctionTest, TakesThePlainNameOfExternalFunctionsWithoutScope) {
  EXPECT_EQ(Name({.name = "main", .external = true}, ""), "main");
  EXPECT_EQ(Name({.name = "f", .external = true}), "[ns::f]");
  EXPECT_EQ(Name({.name = "local"}, ""), "[local]");
}

TEST(NameScopeTest, PrefersTheLinkageNameAndThenTheName) {
  const auto never = [] {
    ADD_FAILURE() << "asked whether it is a lambda";
    return false;
  };
  const ScopeName mangled = NameScope("_ZN1a1fEv.cold", "f", false, never);
  EXPECT_EQ(mangled.text, "_ZN1a1fEv");
  EXPECT_TRUE(mangled.is_qualified);
  const ScopeName plain = NameScope("", "f", true, never);
  EXPECT_EQ(plain.text, "f");
  EXPECT_FALSE(plain.is_qualified);
  EXPECT_EQ(NameScope("", "", true, never).text, "(anonymous namespace)");
  for (const bool is_lambda : {false, true})
    EXPECT_EQ(NameScope("", "", false, [=] { return is_lambda; }).text,
              is_lambda ? "{lambda}" : "{unnamed type}");
}

TEST(JoinScopesTest, PutsTheOutermostFirst) {
  EXPECT_EQ(JoinScopes({}), "");
  const std::vector<std::string_view> names = {"inner", "outer"};
  EXPECT_EQ(JoinScopes(names), "outer::inner::");
}

// Otherwise, megabytes of text would be made for each function.
TEST(JoinScopesTest, LeavesOutInnerScopesOfAnImplausiblyLongName) {
  const std::string longest(64 * 1024, 'n');
  const std::vector<std::string_view> names = {"inner", longest};
  EXPECT_EQ(JoinScopes(names), longest + "::");
}

}  // namespace
}  // namespace heapprof
