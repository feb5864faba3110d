// SPDX-License-Identifier: Apache-2.0
#include "cli/args/option_table.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// The table has three kinds of rows.
bool IsAlias(const OptionSpec& spec) { return !spec.alias_of.empty(); }
bool IsRetired(const OptionSpec& spec) { return !spec.replacement.empty(); }
bool IsOrdinary(const OptionSpec& spec) {
  return !IsAlias(spec) && !IsRetired(spec);
}

TEST(OptionTableTest, JeprofsNamesAreFrozen) {
  std::vector<std::string_view> names;
  for (const OptionSpec& spec : OptionTable())
    if (spec.origin == OptionOrigin::kJeprof) names.push_back(spec.name);
  std::ranges::sort(names);
  EXPECT_THAT(
      names,
      ElementsAre("add_lib", "addresses", "alloc_objects", "alloc_space",
                  "base", "callgrind", "collapsed", "contentions", "cum",
                  "debug", "debug-syms-by-id", "disasm", "dot", "drop_negative",
                  "edgefraction", "evince", "exclude", "files", "focus",
                  "functions", "gif", "gv", "heapcheck", "help", "ignore",
                  "interactive", "inuse_objects", "inuse_space", "lib_prefix",
                  "lines", "list", "maxdegree", "mean_delay", "nodecount",
                  "nodefraction", "pdf", "ps", "raw", "retain", "scale",
                  "seconds", "show_bytes", "svg", "symbols", "test",
                  "test_stride", "text", "thread", "tools", "total_delay",
                  "version", "web"));
}

TEST(OptionTableTest, NamesAreLowerCaseAndUnique) {
  std::set<std::string_view> names;
  for (const OptionSpec& spec : OptionTable()) {
    EXPECT_TRUE(names.insert(spec.name).second) << spec.name;
    EXPECT_TRUE(std::ranges::none_of(spec.name, [](char c) {
      return c >= 'A' && c <= 'Z';
    })) << spec.name;
  }
}

TEST(OptionTableTest, EveryOrdinaryRowHasAHelpTextAndASetter) {
  for (const OptionSpec& spec : OptionTable()) {
    EXPECT_EQ(IsOrdinary(spec), !spec.help.empty()) << spec.name;
    EXPECT_EQ(IsOrdinary(spec), spec.set != nullptr) << spec.name;
  }
}

TEST(OptionTableTest, OptionsWithAValueNameIt) {
  for (const OptionSpec& spec : OptionTable())
    EXPECT_EQ(IsOrdinary(spec) && !IsSwitch(spec.kind), !spec.value.empty())
        << spec.name;
}

TEST(OptionTableTest, AliasesNameAnOptionOfTheSameKind) {
  for (const OptionSpec& alias : OptionTable()) {
    if (!IsAlias(alias)) continue;
    const auto target =
        std::ranges::find(OptionTable(), alias.alias_of, &OptionSpec::name);
    ASSERT_NE(target, OptionTable().end()) << alias.name;
    EXPECT_EQ(target->kind, alias.kind) << alias.name;
    EXPECT_TRUE(IsOrdinary(*target)) << alias.name;
  }
}

TEST(OptionTableTest, OnlyOptionsOfJeprofAreRetired) {
  for (const OptionSpec& spec : OptionTable()) {
    EXPECT_EQ(IsRetired(spec), spec.group == OptionGroup::kRetired)
        << spec.name;
    EXPECT_TRUE(!IsRetired(spec) || spec.origin == OptionOrigin::kJeprof);
  }
}

TEST(OptionGroupsTest, EveryGroupExceptTheRetiredHasAHeadingAndOptions) {
  std::set<OptionGroup> used;
  for (const OptionSpec& spec : OptionTable()) used.insert(spec.group);
  used.erase(OptionGroup::kRetired);
  std::set<OptionGroup> listed;
  for (const OptionGroupInfo& info : OptionGroups()) {
    EXPECT_TRUE(listed.insert(info.group).second) << info.name;
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.heading.empty());
  }
  EXPECT_EQ(listed, used);
  EXPECT_TRUE(
      std::ranges::is_sorted(OptionGroups(), {}, &OptionGroupInfo::group));
}

}  // namespace
}  // namespace heapprof
