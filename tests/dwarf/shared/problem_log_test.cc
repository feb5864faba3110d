// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/problem_log.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(ProblemLogTest, KeepsEveryProblemOnceInOrder) {
  ProblemLog log;
  for (const char* problem : {"b", "a", "b", "c", "a"}) log.Note(problem);
  EXPECT_THAT(log.problems(), ElementsAre("b", "a", "c"));
}

TEST(ProblemLogTest, KeepsOnlyTheFirstProblems) {
  ProblemLog log;
  for (size_t i = 0; i < 2 * ProblemLog::kKept; ++i)
    log.Note(std::to_string(i));
  ASSERT_EQ(log.problems().size(), ProblemLog::kKept);
  EXPECT_EQ(log.problems().front(), "0");
  EXPECT_EQ(log.problems().back(), std::to_string(ProblemLog::kKept - 1));
}

}  // namespace
}  // namespace heapprof
