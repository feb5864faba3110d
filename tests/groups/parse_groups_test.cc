// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/groups/groups_file.h"

namespace heapprof {
namespace {

using ::testing::SizeIs;
using ::testing::StartsWith;

std::string ErrorInGroups(std::string_view text) {
  const auto groups = ParseGroups(text, "g.toml");
  if (groups) return "no error";
  EXPECT_EQ(groups.error().kind, ErrorKind::kUsage);
  return groups.error().message;
}

std::string ErrorInGroup(std::string_view lines) {
  return ErrorInGroups("[[groups]]\n" + std::string(lines));
}

TEST(ParseGroupsTest, ReadsEveryKey) {
  const auto groups = ParseGroups(R"(
[[groups]]
name = "libstdc++ 1.0/x"
function = ['^a::', '^b::']
file = "/src/"
module = 'lib'

[[groups]]
name = "ours"
own = true
from = "root"
)",
                                  "g.toml");
  ASSERT_TRUE(groups) << groups.error().message;
  ASSERT_THAT(*groups, SizeIs(2));
  const Group& first = groups->front();
  EXPECT_EQ(first.name, "libstdc++ 1.0/x");
  ASSERT_THAT(first.functions, SizeIs(2));
  EXPECT_EQ(first.functions[1].pattern(), "^b::");
  EXPECT_THAT(first.files, SizeIs(1));
  EXPECT_THAT(first.modules, SizeIs(1));
  EXPECT_FALSE(first.takes_own);
  EXPECT_FALSE(first.from_root);
  EXPECT_TRUE(groups->back().takes_own);
  EXPECT_TRUE(groups->back().from_root);
}

TEST(ParseGroupsTest, SaysWhereAnErrorIs) {
  EXPECT_EQ(ErrorInGroups("\n[group]\n"),
            "g.toml:2: unknown key 'group'; expected one of [[groups]]");
  EXPECT_EQ(ErrorInGroups("groups = 1"),
            "g.toml:1: groups: expected [[groups]], found an integer");
  EXPECT_EQ(ErrorInGroups("# nothing"),
            "g.toml: expected [[groups]] with name and function, file, module "
            "or own; found none");
  EXPECT_EQ(ErrorInGroup("name = 'a'\nfuncton = 'x'"),
            "g.toml:3: unknown key 'groups[0].functon'; expected one of name, "
            "function, file, module, own, from");
  EXPECT_EQ(ErrorInGroup("name = 'a'"),
            "g.toml:1: groups[0]: expected function, file, module or own, "
            "found none");
  EXPECT_EQ(ErrorInGroup("function = 'a'"),
            "g.toml:1: groups[0]: expected name, found none");
  EXPECT_EQ(ErrorInGroup("name = 'a'\nown = false"),
            "g.toml:3: groups[0].own: expected true without quotes, found a "
            "boolean");
  EXPECT_EQ(ErrorInGroup("name = 'a'\nfunction = 'f'\nfrom = 'top'"),
            "g.toml:4: groups[0].from: expected \"leaf\" or \"root\", found "
            "'top'");
  EXPECT_EQ(ErrorInGroup("name = 'a'\nfunction = ['f',\n 3]"),
            "g.toml:4: groups[0].function: expected a text in quotes, found an "
            "integer");
  EXPECT_EQ(ErrorInGroup("name = 'a'\nfunction = []"),
            "g.toml:3: groups[0].function: expected a text in quotes or a list "
            "of them, found an empty list");
  EXPECT_THAT(ErrorInGroup("name = 'a'\nfile = 'a('"),
              StartsWith("g.toml:3: groups[0].file=a(: missing closing"));
}

// They would be taken for parts of names, or end a frame in a folded stack.
TEST(ParseGroupsTest, RefusesNamesThatReportsWouldChange) {
  for (const char* name : {"other", "[a]", "a;b", "f(x)", "a::b", "<a>", "a\\n",
                           "\\u202e", "\\u001b[1m"})
    EXPECT_THAT(
        ErrorInGroup("name = \"" + std::string(name) + "\"\nfunction = 'a'"),
        StartsWith("g.toml:2: groups[0].name: expected a name other than "
                   "'other', without brackets"))
        << name;
  EXPECT_EQ(
      ErrorInGroup("name = '" + std::string(60, 'a') + "'\nfunction = 'a'"),
      "no error");
  EXPECT_THAT(ErrorInGroup("name = '" + std::string(61, 'a') + "'"),
              StartsWith("g.toml:2: groups[0].name: expected a name of at most "
                         "60 bytes"));
  EXPECT_EQ(ErrorInGroup("name = ''"),
            "g.toml:2: groups[0].name: expected a text in quotes, found ''");
}

}  // namespace
}  // namespace heapprof
