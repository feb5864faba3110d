// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/diagnostics.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<std::string> Kinds(const Diagnostics& diagnostics) {
  std::vector<std::string> kinds;
  for (const Diagnostics::Finding& finding : diagnostics.findings())
    kinds.push_back(finding.kind);
  return kinds;
}

TEST(DiagnosticsTest, IsEmptyUntilSomethingIsFound) {
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_THAT(diagnostics.findings(), IsEmpty());
  EXPECT_EQ(diagnostics.Count("any"), 0u);
  diagnostics.Warn("any", "text");
  EXPECT_FALSE(diagnostics.empty());
}

TEST(DiagnosticsTest, CountsAllOfAKindButKeepsTheFirstMessages) {
  Diagnostics diagnostics;
  for (const char* message : {"a", "b", "c", "d", "e"})
    diagnostics.Warn("malformed line", message);
  EXPECT_EQ(diagnostics.Count("malformed line"), 5u);
  ASSERT_THAT(diagnostics.findings(), SizeIs(1));
  EXPECT_THAT(diagnostics.findings()[0].messages, ElementsAre("a", "b", "c"));
}

TEST(DiagnosticsTest, ListsKindsInOrderOfTheirFirstAppearance) {
  Diagnostics diagnostics;
  diagnostics.Warn("z", "1");
  diagnostics.Warn("a", "2");
  diagnostics.Warn("z", "3");
  EXPECT_THAT(Kinds(diagnostics), ElementsAre("z", "a"));
  EXPECT_THAT(diagnostics.findings()[0].messages, ElementsAre("1", "3"));
}

TEST(DiagnosticsTest, MergeAddsCountsAndFillsUpMessages) {
  Diagnostics ours;
  ours.Warn("both", "1");
  ours.Warn("both", "2");
  Diagnostics theirs;
  theirs.Warn("new", "x");
  for (const char* message : {"3", "4", "5", "6"}) theirs.Warn("both", message);
  ours.Merge(theirs);
  EXPECT_THAT(Kinds(ours), ElementsAre("both", "new"));
  EXPECT_EQ(ours.Count("both"), 6u);
  EXPECT_EQ(ours.Count("new"), 1u);
  EXPECT_THAT(ours.findings()[0].messages, ElementsAre("1", "2", "3"));
  EXPECT_THAT(ours.findings()[1].messages, ElementsAre("x"));
}

TEST(DiagnosticsTest, MergeOfNothingChangesNothing) {
  Diagnostics ours;
  ours.Warn("kind", "1");
  ours.Merge(Diagnostics());
  EXPECT_EQ(ours.Count("kind"), 1u);
  EXPECT_THAT(Kinds(ours), ElementsAre("kind"));
}

TEST(DiagnosticsTest, KeepsEachNoteOnce) {
  Diagnostics diagnostics;
  diagnostics.Note("");
  EXPECT_TRUE(diagnostics.empty());
  Diagnostics other;
  other.Note("b");
  other.Note("c");
  for (const char* note : {"a", "b", "a"}) diagnostics.Note(note);
  diagnostics.Merge(other);
  EXPECT_EQ(diagnostics.notes(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(diagnostics.findings().empty());
}

}  // namespace
}  // namespace heapprof
