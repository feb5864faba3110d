// SPDX-License-Identifier: Apache-2.0
#include "heapprof/doctor/diagnosis.h"

#include <gtest/gtest.h>

#include "doctor/make_fact.h"

namespace heapprof {
namespace {

TEST(DiagnosisTest, IsReadyUnlessSomethingRequiredIsMissing) {
  Diagnosis diagnosis{.kind = "program", .subject = "app"};
  EXPECT_TRUE(diagnosis.IsReady());
  diagnosis.facts = {Ok("a", "x"), Unknown("b", "x"), Lacking("c", "x")};
  EXPECT_TRUE(diagnosis.IsReady());
  diagnosis.facts.push_back(Missing("d", "x", "mend"));
  EXPECT_FALSE(diagnosis.IsReady());
}

TEST(DiagnosisTest, NamesStates) {
  EXPECT_EQ(StateName(FactState::kOk), "ok");
  EXPECT_EQ(StateName(FactState::kMissing), "missing");
  EXPECT_EQ(StateName(FactState::kUnknown), "unknown");
}

}  // namespace
}  // namespace heapprof
