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

std::vector<WarningKind> Kinds(const Diagnostics& diagnostics) {
  std::vector<WarningKind> kinds;
  for (const Diagnostics::Warning& warning : diagnostics.warnings())
    kinds.push_back(warning.kind);
  return kinds;
}

TEST(DiagnosticsTest, IsEmptyUntilSomethingIsFound) {
  Diagnostics diagnostics;
  EXPECT_TRUE(diagnostics.empty());
  EXPECT_THAT(diagnostics.warnings(), IsEmpty());
  EXPECT_EQ(diagnostics.Count(WarningKind::kTruncated), 0u);
  diagnostics.Warn(WarningKind::kTruncated, "text");
  EXPECT_FALSE(diagnostics.empty());
}

TEST(DiagnosticsTest, CountsAllOfAKindButKeepsTheFirstMessages) {
  Diagnostics diagnostics;
  for (const char* message : {"a", "b", "c", "d", "e"})
    diagnostics.Warn(WarningKind::kMalformedLine, message);
  EXPECT_EQ(diagnostics.Count(WarningKind::kMalformedLine), 5u);
  ASSERT_THAT(diagnostics.warnings(), SizeIs(1));
  EXPECT_THAT(diagnostics.warnings()[0].messages, ElementsAre("a", "b", "c"));
}

TEST(DiagnosticsTest, ListsKindsInOrderOfTheirFirstAppearance) {
  Diagnostics diagnostics;
  diagnostics.Warn(WarningKind::kTruncated, "1");
  diagnostics.Warn(WarningKind::kMalformedLine, "2");
  diagnostics.Warn(WarningKind::kTruncated, "3");
  EXPECT_THAT(Kinds(diagnostics), ElementsAre(WarningKind::kTruncated,
                                              WarningKind::kMalformedLine));
  EXPECT_THAT(diagnostics.warnings()[0].messages, ElementsAre("1", "3"));
}

TEST(DiagnosticsTest, MergeAddsCountsAndFillsUpMessages) {
  Diagnostics ours;
  ours.Warn(WarningKind::kTruncated, "1");
  ours.Warn(WarningKind::kTruncated, "2");
  Diagnostics theirs;
  theirs.Warn(WarningKind::kNoMemoryMap, "x");
  for (const char* message : {"3", "4", "5", "6"})
    theirs.Warn(WarningKind::kTruncated, message);
  ours.Merge(theirs);
  EXPECT_THAT(Kinds(ours),
              ElementsAre(WarningKind::kTruncated, WarningKind::kNoMemoryMap));
  EXPECT_EQ(ours.Count(WarningKind::kTruncated), 6u);
  EXPECT_EQ(ours.Count(WarningKind::kNoMemoryMap), 1u);
  EXPECT_THAT(ours.warnings()[0].messages, ElementsAre("1", "2", "3"));
  EXPECT_THAT(ours.warnings()[1].messages, ElementsAre("x"));
}

TEST(DiagnosticsTest, MergeOfNothingChangesNothing) {
  Diagnostics ours;
  ours.Warn(WarningKind::kTruncated, "1");
  ours.Merge(Diagnostics());
  EXPECT_EQ(ours.Count(WarningKind::kTruncated), 1u);
  EXPECT_THAT(Kinds(ours), ElementsAre(WarningKind::kTruncated));
}

TEST(DiagnosticsTest, MergeAddsTheWarningsOfAFileOnlyOnce) {
  Diagnostics theirs;
  for (const char* message : {"1", "2", "3", "4"})
    theirs.Warn(WarningKind::kMalformedLine, message);
  theirs.Warn(WarningKind::kTruncated, "5");
  Diagnostics ours;
  ours.Merge(theirs);
  ours.Merge(theirs);
  EXPECT_EQ(ours.Count(WarningKind::kMalformedLine), 4u);
  EXPECT_EQ(ours.Count(WarningKind::kTruncated), 1u);
}

TEST(DiagnosticsTest, CountsWhatLosesSamplesAsDamage) {
  for (const WarningKind kind :
       {WarningKind::kTruncated, WarningKind::kOverwritten,
        WarningKind::kMalformedLine, WarningKind::kMalformedRecord,
        WarningKind::kNoMemoryMap, WarningKind::kSamplesLeftOut,
        WarningKind::kDamagedProfile, WarningKind::kImplausibleCount})
    EXPECT_TRUE(IsDamage(kind)) << int{static_cast<uint8_t>(kind)};
  for (const WarningKind kind :
       {WarningKind::kMalformedMapLine, WarningKind::kAssumedPeriod,
        WarningKind::kProfileSays, WarningKind::kSeveralDumps,
        WarningKind::kDifferentPeriods, WarningKind::kDifferentPrograms,
        WarningKind::kDifferentDetail, WarningKind::kMissingFolder,
        WarningKind::kPerfMap, WarningKind::kMalformedPerfMap,
        WarningKind::kUnfitFile, WarningKind::kDoubtfulNames,
        WarningKind::kDebugInformation, WarningKind::kIndexCache})
    EXPECT_FALSE(IsDamage(kind)) << int{static_cast<uint8_t>(kind)};
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
  EXPECT_TRUE(diagnostics.warnings().empty());
}

}  // namespace
}  // namespace heapprof
