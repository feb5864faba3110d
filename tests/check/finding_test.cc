// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/finding.h"

#include <optional>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(SeverityTest, OfGatesDecidesTheExitStatus) {
  for (const FindingKind kind :
       {FindingKind::kNoSamplingPeriod, FindingKind::kIsComparison,
        FindingKind::kNoValues, FindingKind::kNextToNothing,
        FindingKind::kTooManyRuns, FindingKind::kDifferentPeriods,
        FindingKind::kReset, FindingKind::kDamage, FindingKind::kUnusedBinary,
        FindingKind::kUnreadableBinary, FindingKind::kNothingLeft,
        FindingKind::kNoOwnCode}) {
    EXPECT_EQ(SeverityOf(kind), Severity::kNotJudged);
    EXPECT_EQ(StatusOf(GateFinding{kind, ""}), 3);
  }
  for (const FindingKind kind :
       {FindingKind::kFewNames, FindingKind::kFewMatchable}) {
    EXPECT_EQ(SeverityOf(kind), Severity::kFewSymbols);
    EXPECT_EQ(StatusOf(GateFinding{kind, ""}), 4);
  }
}

TEST(SeverityTest, OfWhatIsJudgedIsTheVerdict) {
  for (const FindingKind kind :
       {FindingKind::kTotal, FindingKind::kEntry, FindingKind::kExpiredIgnore})
    EXPECT_EQ(SeverityOf(kind), Severity::kVerdict);
}

TEST(StatusTest, IsOneFromTheVerdictThatFails) {
  EXPECT_EQ(StatusOf(Verdict::kOk, Verdict::kInconclusive), 0);
  EXPECT_EQ(StatusOf(Verdict::kInconclusive, Verdict::kInconclusive), 1);
  EXPECT_EQ(StatusOf(Verdict::kInconclusive, Verdict::kRegression), 0);
  EXPECT_EQ(StatusOf(Verdict::kRegression, Verdict::kRegression), 1);
  EXPECT_EQ(StatusOf(Verdict::kRegression, std::nullopt), 0);
}

TEST(VerdictNameTest, IsOneWord) {
  EXPECT_EQ(VerdictName(Verdict::kOk), "ok");
  EXPECT_EQ(VerdictName(Verdict::kInconclusive), "inconclusive");
  EXPECT_EQ(VerdictName(Verdict::kRegression), "regression");
}

}  // namespace
}  // namespace heapprof
