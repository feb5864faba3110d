// SPDX-License-Identifier: Apache-2.0
#include "check/dotted_keys.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(LineOfManyDotsTest, CountsTheDotsOfEachLine) {
  EXPECT_EQ(LineOfManyDots("", 0), std::nullopt);
  EXPECT_EQ(LineOfManyDots("a.b.c = 1\na.b.d = 2\n", 2), std::nullopt);
  EXPECT_EQ(LineOfManyDots("a.b = 1\r\n[a . b.\"c.d\" .e]\n", 2), 2u);
}

TEST(LineOfManyDotsTest, IgnoresStringsAndComments) {
  for (const std::string_view text :
       {"x = \"a.b\\\".c.d\"", "x = 'a.b\\' # c.d.e", "# a.b.c \" '\ny = 1",
        "x = \"\"\"\n a.b \"\" c.d\\\"\"\"\" \"\"\"\"\" # a.b",
        "x = '''a.b\n.c'''", "x = ''\ny = \"\" # a.b.c", "x = \"a.b.c.d"})
    EXPECT_EQ(LineOfManyDots(text, 0), std::nullopt) << text;
}

// Text that looks as if it were in a string.
TEST(LineOfManyDotsTest, IsNotMisledByQuotes) {
  for (const std::string_view text :
       {"x = \"\"\" \" \"\"\"\na.b = 1", "x = '''\n''' # '\na.b = 1",
        "# \"\"\"\n\na.b = 1", "x = 'a\\'\n\na.b = 1 # '"})
    EXPECT_NE(LineOfManyDots(text, 0), std::nullopt) << text;
  EXPECT_EQ(LineOfManyDots("x = \"\"\"\n\n\"\"\"\na.b = 1", 0), 4u);
}

}  // namespace
}  // namespace heapprof
