// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/source_listing.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "name file flat/cumulative: line flat/cumulative, ..." of the functions
// whose name starts with `prefix`.
std::vector<std::string> List(std::string_view text, std::string_view prefix) {
  const Profile profile = ProfileOf(text);
  std::vector<bool> wanted;
  for (const Function& function : profile.functions)
    wanted.push_back(!prefix.empty() &&
                     profile.String(function.name).starts_with(prefix));
  std::vector<std::string> listed;
  for (const ListedFunction& f :
       MakeSourceListing(profile, Metric::kInuseSpace, wanted)) {
    std::string lines;
    for (const ListedLine& line : f.lines)
      lines += fmt::format(" {} {}/{}", line.line, line.flat, line.cumulative);
    listed.push_back(fmt::format("{} {} {}/{}:{}", f.name, f.file, f.flat,
                                 f.cumulative, lines));
  }
  return listed;
}

TEST(MakeSourceListingTest, AddsUpByLine) {
  EXPECT_THAT(List("main%a.cc:1;f%a.cc:10;g%b.cc:20 100\n"
                   "main%a.cc:1;f%a.cc:11;g%b.cc:20 30\n"
                   "main%a.cc:1;f%a.cc:10 5",
                   "f"),
              ElementsAre("f a.cc 5/135: 10 5/105 11 0/30"));
}

TEST(MakeSourceListingTest, ListsInlinedCallsAndLeaves) {
  EXPECT_THAT(
      List("main%a.cc:1;f%a.cc:10|f_inner%a.cc:3 100", "f"),
      ElementsAre("f a.cc 0/100: 10 0/100", "f_inner a.cc 100/100: 3 100/100"));
}

TEST(MakeSourceListingTest, CountsAStackOnceForEachLineAndFunction) {
  EXPECT_THAT(List("f%a.cc:10;f%a.cc:11;f%a.cc:10 100", "f"),
              ElementsAre("f a.cc 100/100: 10 100/100 11 0/100"));
}

// Instances of a template may start at different lines.
TEST(MakeSourceListingTest, StartsAtTheFirstLineWhereAFunctionStarts) {
  const Profile profile = ProfileOf("f%a.cc:10:9;f%a.cc:12:8;f%a.cc:14:11 1\n");
  const auto listed =
      MakeSourceListing(profile, Metric::kInuseSpace,
                        std::vector<bool>(profile.functions.size(), true));
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].start_line, 8u);
}

TEST(MakeSourceListingTest, SortsFunctionsByAbsoluteValue) {
  EXPECT_THAT(List("fa%a.cc:1 10\nfb%a.cc:2 -30\nfc%a.cc:3 20", "f"),
              ElementsAre("fb a.cc -30/-30: 2 -30/-30",
                          "fc a.cc 20/20: 3 20/20", "fa a.cc 10/10: 1 10/10"));
}

TEST(MakeSourceListingTest, LeavesOutFunctionsThatHoldNothing) {
  EXPECT_THAT(List("f%a.cc:10 0", "f"), IsEmpty());
  EXPECT_THAT(List("f%a.cc:10 5", ""), IsEmpty());
}

}  // namespace
}  // namespace heapprof
