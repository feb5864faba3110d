// SPDX-License-Identifier: Apache-2.0
#include "symbolize/linkage_names.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

SourceFunction Linked(std::string_view name, uint32_t line = 0) {
  SourceFunction function;
  function.linkage_name = name;
  function.start_line = line;
  return function;
}

ModuleLookup ModuleWith(std::vector<SourceFunction> functions) {
  ModuleLookup lookups;
  lookups.answers.functions = std::move(functions);
  return lookups;
}

std::vector<std::string> AllOf(const LinkageNames& names, size_t functions) {
  std::vector<std::string> all;
  for (size_t i = 0; i < functions; ++i) {
    all.push_back(std::string(names.Demangled(i)));
    EXPECT_TRUE(names.IsReady(i));
  }
  return all;
}

TEST(LinkageNamesTest, DemanglesCommonNamesOnce) {
  std::vector<ModuleLookup> lookups;
  lookups.push_back(
      ModuleWith({Linked("_Z1fv", 1), Linked("_Z1gv"), Linked("_Z1fv", 2)}));
  lookups.push_back(ModuleWith({}));
  lookups.push_back(ModuleWith({Linked("_Z1gv"), Linked("_Z1hv")}));
  for (const unsigned jobs : {1u, 3u}) {
    const LinkageNames names(lookups, jobs);
    EXPECT_EQ(names.size(), 3u);
    EXPECT_EQ(AllOf(names, 5),
              (std::vector<std::string>{"f()", "g()", "f()", "g()", "h()"}));
  }
}

TEST(LinkageNamesTest, SkipsDemangledAndMissingNames) {
  SourceFunction known = Linked("_Z1fv");
  known.demangled_name = "f()";
  SourceFunction scoped;
  scoped.scoped_name = "a::g";
  std::vector<ModuleLookup> lookups;
  lookups.push_back(ModuleWith({known, scoped, Linked("main")}));
  const LinkageNames names(lookups, 1);
  EXPECT_EQ(names.size(), 1u);
  EXPECT_EQ(AllOf(names, 3), (std::vector<std::string>{"", "", "main"}));
}

TEST(LinkageNamesTest, KeepNamesForAnIndex) {
  SourceFunction in_lambda;
  in_lambda.scoped_name = "_Z1fv::{lambda}::operator()";
  SourceFunction scoped;
  scoped.scoped_name = "a::g";
  const std::string_view rust = "_ZN1a1f17h0123456789abcdefE";
  std::vector<ModuleLookup> lookups;
  lookups.push_back(ModuleWith({Linked("_Z1ev")}));
  lookups.push_back(ModuleWith({in_lambda, scoped, Linked("_Z1gv"),
                                Linked("main"), Linked("_Z?"), Linked(rust)}));
  const LinkageNames names(lookups, 1);
  DemangledNames kept;
  names.AddForIndex(lookups[1], 1, kept);
  EXPECT_EQ(kept.FindAll({in_lambda.scoped_name, "a::g", "_Z1gv", "main", "_Z?",
                          rust, "_Z1ev"}),
            (std::vector<std::string_view>{"f()::{lambda}::operator()", "",
                                           "g()", "", "_Z?", "", ""}));
}

// Another run may have the time for a name that took too long.
TEST(LinkageNamesTest, KeepOnlyNamesThatCannotBeDemangledAtAll) {
  // The parser reads each level twice.
  std::string bomb = "_ZN1a";
  for (int i = 0; i < 60; ++i) bomb += "cvT_I";
  bomb += "iE" + std::string(60, 'E') + "Ev";
  for (const unsigned jobs : {1u, 2u}) {
    std::vector<ModuleLookup> lookups;
    lookups.push_back(ModuleWith({Linked("_Z1fv"), Linked(bomb)}));
    const LinkageNames names(lookups, jobs);
    DemangledNames kept;
    names.AddForIndex(lookups[0], 0, kept);
    EXPECT_EQ(kept.FindAll({"_Z1fv", bomb}),
              (std::vector<std::string_view>{"f()", ""}));
  }
}

TEST(LinkageNamesTest, AreEmptyWithoutModules) {
  EXPECT_EQ(LinkageNames({}, 2).size(), 0u);
}

}  // namespace
}  // namespace heapprof
