// SPDX-License-Identifier: Apache-2.0
#include "toml/toml_hazards.h"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

// "line: what was expected", or "none".
std::string HazardIn(std::string_view toml) {
  const auto hazard = FindTomlHazard(toml);
  return hazard ? fmt::format("{}: {}", hazard->line, hazard->expected)
                : "none";
}

const std::string kDeep = "a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = 1";
constexpr const char* kTooDeep = ": keys with at most 16 dots";

TEST(FindTomlHazardTest, CountsTheDotsOfEachLine) {
  EXPECT_EQ(HazardIn(""), "none");
  EXPECT_EQ(HazardIn("a.a.a.a.a.a.a.a.a = 1\nb.b.b.b.b.b.b.b.b.b = 1\n"),
            "none");
  EXPECT_EQ(HazardIn("a.b = 1\r\n" + kDeep), "2" + std::string(kTooDeep));
  EXPECT_EQ(HazardIn("[a . b.\"c\".d." + kDeep), "1" + std::string(kTooDeep));
}

TEST(FindTomlHazardTest, IgnoresStringsAndComments) {
  const std::string text = kDeep + " ö ";
  for (const std::string& toml :
       {"x = \"" + text + "\\\"" + text + "\"",
        "x = '" + text + "\\' # " + text, "# " + text + " \" '\ny = 1",
        "x = \"\"\"\n " + text + " \"\" " + text + "\\\"\"\"\" \"\"\"\"\" # " +
            text,
        "x = '''" + text + "\n" + text + "'''", "x = ''\ny = \"\" # " + text,
        "x = \"" + text, std::string("\xef\xbb\xbfx = 1")})
    EXPECT_EQ(HazardIn(toml), "none") << toml;
}

// Text that looks as if it were in a string.
TEST(FindTomlHazardTest, IsNotMisledByQuotes) {
  for (const char* start :
       {"x = \"\"\" \" \"\"\"\n", "x = '''\n''' # '\n", "# \"\"\"\n\n",
        "x = 'a\\'\n\n", "x = \"\"\"\\\n\\\"\"\"\"\"\n"})
    EXPECT_TRUE(HazardIn(start + kDeep).ends_with(kTooDeep)) << start;
  EXPECT_EQ(HazardIn("x = \"\"\"\n\n\"\"\"\n" + kDeep),
            "4" + std::string(kTooDeep));
}

// With these, the parser of toml++ 3.3 runs into undefined behaviour.
TEST(FindTomlHazardTest, FindsCharactersThatAreTakenForWhiteSpace) {
  EXPECT_EQ(HazardIn("a\u0278 = 1"),
            "1: only ASCII outside of strings and comments");
  EXPECT_EQ(HazardIn("\na = 1 \u00e9"),
            "2: only ASCII outside of strings and comments");
  EXPECT_EQ(HazardIn("a = \"\"\"\\\n  \u00e9\"\"\""),
            "1: ASCII after a backslash");
  for (const std::string_view value :
       {"+\"\u00e9\"", "+=\"\u00e9\"", "1['\u00e9']", "[1, 2.\"\u00e9\"]",
        "[{a = 1}, {b = [+=\"\u00e9\"]}]", "{a = {b = 1}, c = 1\"\u00e9\"}"})
    EXPECT_EQ(HazardIn("x = " + std::string(value)),
              "1: no quote inside a value")
        << value;
}

TEST(FindTomlHazardTest, FindsHeadersWithoutKey) {
  for (const char* toml :
       {"[=", "[[=", "[ =\"", "[.a]", "[\n", "[[[a]]]", "[ [a]"})
    EXPECT_EQ(HazardIn("a = 1\n" + std::string(toml)), "2: a key after '['")
        << toml;
  for (const char* toml :
       {"[a]", "[[ a ]]", "['a']", "[\t\"a\"]", "[]", "[",
        "a = [=, [.5], [\n1]]", "a = [\n[ # b\n[1]]]", "a = {b = [.1]}"})
    EXPECT_EQ(HazardIn(toml), "none") << toml;
}

TEST(FindTomlHazardTest, FindsBracketsThatCloseOthers) {
  for (const char* toml : {"a = [}", "a = [[1], }", "a = {b = 1]"})
    EXPECT_EQ(HazardIn(toml), "1: brackets in pairs") << toml;
  for (const char* toml : {"a = [{}]", "a = {b = [1], c = {}}",
                           "a = [1, # }\n'}', \"}\"]\n[b]", "a = {}\n[[b]]"})
    EXPECT_EQ(HazardIn(toml), "none") << toml;
}

TEST(FindTomlHazardTest, FindsASingleDigitAfterAValue) {
  for (const char* toml :
       {"a = 2026-11-29 7 ", "a = 2026-11-29 7\n", "a = 20xx-yy-zz 7#",
        "a = {b = 2026-11-29 7}", "a = [2026-11-29 7, 8]"})
    EXPECT_EQ(HazardIn(toml), "1: no digit alone after a value") << toml;
  for (const char* toml : {"a = 2026-11-29 07:00:00", "a = 2026-11-29 # 7",
                           "a = [7, 7 ]\n", "7 7 = 7 \n"})
    EXPECT_EQ(HazardIn(toml), "none") << toml;
}

TEST(FindTomlHazardTest, AcceptsStringsWhereverTheyMayBe) {
  EXPECT_EQ(HazardIn("x='\u00e9'\n\"y\".z=\"\"\"a\"\"\"\n[[\"t\"]]\n"
                     "r=[{f='a',g=\"b\"},{\"f\"='c'}, {h = ['d','e']}]\n"
                     "s = [\n'f', # g\n  \"h\",\n]\nt.'u' = 1.5\n[v.'w']\n"),
            "none");
}

}  // namespace
}  // namespace heapprof
