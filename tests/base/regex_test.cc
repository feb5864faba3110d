// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/regex.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

bool Matches(std::string_view pattern, std::string_view subject) {
  const auto regex = Regex::Compile("--focus", pattern);
  EXPECT_TRUE(regex) << pattern;
  const auto matches = regex->Matches(subject);
  EXPECT_TRUE(matches) << pattern;
  return *matches;
}

TEST(RegexTest, MatchesAnywhereAndByCase) {
  EXPECT_TRUE(Matches("parse", "ns::parse"));
  EXPECT_TRUE(Matches("^ns::", "ns::parse"));
  EXPECT_FALSE(Matches("^parse", "ns::parse"));
  EXPECT_FALSE(Matches("PARSE", "ns::parse"));
  EXPECT_TRUE(Matches("(?i)PARSE", "ns::parse"));
  EXPECT_TRUE(Matches("", "anything"));
}

TEST(RegexTest, SupportsPerlsExtensions) {
  EXPECT_TRUE(Matches(R"(^(?!std::)\w+::f$)", "ns::f"));
  EXPECT_FALSE(Matches(R"(^(?!std::)\w+::f$)", "std::f"));
  EXPECT_TRUE(Matches(R"((\w)\1)", "foo"));
  EXPECT_TRUE(Matches(R"((?<=ns::)f\b)", "ns::f"));
  EXPECT_TRUE(Matches(R"(a++b)", "aab"));
  EXPECT_TRUE(Matches(R"(\Aoperator\(\)\z)", "operator()"));
}

TEST(RegexTest, TakesPatternsAndSubjectsAsBytes) {
  EXPECT_TRUE(Matches("^..$", "\xc3\xbc"));
  EXPECT_TRUE(Matches("\xfc",
                      "a\xfc"
                      "b"));
  EXPECT_TRUE(Matches(R"(\xfc)", "\xfc"));
  EXPECT_FALSE(Matches(R"(\w)", "\xfc"));
  EXPECT_TRUE(Matches("b", std::string_view("a\0b", 3)));
}

TEST(RegexTest, SaysWhatIsWrongWithAPattern) {
  const auto unclosed = Regex::Compile("--ignore", "a(b");
  ASSERT_FALSE(unclosed);
  EXPECT_EQ(unclosed.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(unclosed.error().message,
            "--ignore=a(b: missing closing parenthesis, at character 4");
  // Perl would reject them, too.
  EXPECT_FALSE(Regex::Compile("--ignore", "(*UTF)a"));
  EXPECT_FALSE(Regex::Compile("--ignore", R"(\C)"));
}

TEST(RegexTest, GivesUpOnAPatternThatTakesTooLong) {
  const std::string subject = std::string(60, 'a') + "b";
  const auto regex = Regex::Compile("--focus", "^(a|aa)+$");
  ASSERT_TRUE(regex);
  const auto matches = regex->Matches(subject);
  ASSERT_FALSE(matches);
  EXPECT_EQ(matches.error().kind, ErrorKind::kUsage);
  EXPECT_THAT(matches.error().message,
              AllOf(HasSubstr("--focus=^(a|aa)+$ takes too long"),
                    HasSubstr("'" + subject.substr(0, 60) + "'")));
  // The object is still usable.
  EXPECT_TRUE(*regex->Matches("aa"));
}

TEST(RegexTest, SaysThatAPatternCallsItself) {
  const auto matches = Regex::Compile("--focus", "(?R)")->Matches("main");
  ASSERT_FALSE(matches);
  EXPECT_THAT(matches.error().message,
              HasSubstr("--focus=(?R) calls itself without end, for 'main'"));
}

TEST(RegexTest, MatchesLongSubjects) {
  // Needs more than the stack of compiled patterns.
  const std::string subject = std::string(1 << 20, 'a') + "b";
  EXPECT_TRUE(Matches("^(?:a|b)*$", subject.substr(0, 1 << 16)));
  EXPECT_TRUE(Matches("b$", subject));
}

TEST(RegexTest, NamesItsOptionAndPattern) {
  EXPECT_EQ(Regex::Compile("--own", "^ns::")->Text(), "--own=^ns::");
}

}  // namespace
}  // namespace heapprof
