// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/innermost_functions.h"

#include <cstdint>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof::innermost_functions_test {
namespace {

using ::testing::ElementsAre;

constexpr uint32_t kNone = InnermostFunctions::kNone;

TEST(InnermostFunctionsTest, FindsTheInnermostInlinedSubroutine) {
  const std::vector<uint64_t> addresses = {1, 2, 3, 4, 5};
  InnermostFunctions functions(addresses);
  const std::vector<AddressRange> function = {{1, 5}}, outer = {{2, 5}},
                                  inner = {{3, 4}};
  EXPECT_EQ(functions.AddFunction(function), 0u);
  EXPECT_EQ(functions.AddInlinedSubroutine(0, outer), 1u);
  EXPECT_EQ(functions.AddInlinedSubroutine(1, inner), 2u);
  EXPECT_THAT(std::move(functions).TakeInnermost(),
              ElementsAre(0, 1, 2, 1, kNone));
}

TEST(InnermostFunctionsTest, AcceptsOverlappingRangesOfOneSubroutine) {
  const std::vector<uint64_t> addresses = {1, 2, 3};
  InnermostFunctions functions(addresses);
  const std::vector<AddressRange> function = {{1, 4}},
                                  call = {{1, 3}, {2, 4}, {1, 4}};
  EXPECT_EQ(functions.AddFunction(function), 0u);
  EXPECT_EQ(functions.AddInlinedSubroutine(0, call), 1u);
  EXPECT_THAT(std::move(functions).TakeInnermost(), ElementsAre(1, 1, 1));
}

// `outer` lacks address 4, which `inner` claims, and all code of `unneeded`.
TEST(InnermostFunctionsTest, KeepsInlinedSubroutinesInsideTheirCallers) {
  const std::vector<uint64_t> addresses = {1, 2, 4};
  InnermostFunctions functions(addresses);
  const std::vector<AddressRange> function = {{1, 5}}, outer = {{2, 4}},
                                  inner = {{2, 5}}, unneeded = {{3, 5}};
  EXPECT_EQ(functions.AddFunction(function), 0u);
  EXPECT_EQ(functions.AddInlinedSubroutine(0, outer), 1u);
  EXPECT_EQ(functions.AddInlinedSubroutine(1, unneeded), kNone);
  EXPECT_EQ(functions.AddInlinedSubroutine(1, inner), 2u);
  EXPECT_THAT(std::move(functions).TakeInnermost(), ElementsAre(0, 2, 0));
}

// The inlined subroutines of a function may follow a nested function.
TEST(InnermostFunctionsTest, AcceptsSubroutinesInlinedIntoAnEarlierFunction) {
  const std::vector<uint64_t> addresses = {1, 2, 3, 10, 11};
  InnermostFunctions functions(addresses);
  const std::vector<AddressRange> outer = {{1, 4}}, nested = {{10, 12}},
                                  in_outer = {{3, 4}, {11, 12}},
                                  in_nested = {{2, 3}, {11, 12}};
  EXPECT_EQ(functions.AddFunction(outer), 0u);
  EXPECT_EQ(functions.AddFunction(nested), 1u);
  EXPECT_EQ(functions.AddInlinedSubroutine(0, in_outer), 2u);
  EXPECT_EQ(functions.AddInlinedSubroutine(1, in_nested), 3u);
  EXPECT_THAT(std::move(functions).TakeInnermost(), ElementsAre(0, 0, 2, 1, 3));
}

}  // namespace
}  // namespace heapprof::innermost_functions_test
