// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/scope_tree.h"

#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// namespace 10 { class 20 { function 30 {}; function 40 { class 50 {} } } }
// function 100, with children; class 110.
ScopeTree Tree() {
  ScopeRecorder recorder;
  recorder.Enter(10, true);
  recorder.Enter(20, true);
  recorder.Enter(30, true);
  recorder.Leave(35);
  recorder.Enter(40, true);
  recorder.Enter(50, false);
  recorder.Leave(60);
  recorder.Leave(70);
  recorder.Leave(80);
  recorder.Enter(100, true);
  recorder.Leave(105);
  recorder.Enter(110, false);
  return recorder.Take();
}

TEST(ScopeTreeTest, FindsTheInnermostScopeAround) {
  const ScopeTree tree = Tree();
  EXPECT_EQ(tree.FindScope(10), std::nullopt);
  EXPECT_EQ(tree.FindScope(20), 10u);
  EXPECT_EQ(tree.FindScope(30), 20u);
  EXPECT_EQ(tree.FindScope(40), 20u);
  EXPECT_EQ(tree.FindScope(50), 40u);
  EXPECT_EQ(tree.FindScope(100), std::nullopt);
  EXPECT_EQ(tree.FindScope(110), std::nullopt);
}

TEST(ScopeTreeTest, KeepsScopesWithoutAnEnd) {
  ScopeRecorder recorder;
  recorder.Enter(10, true);
  recorder.Enter(20, false);
  EXPECT_EQ(recorder.Take().FindScope(20), 10u);
}

TEST(ScopeTreeTest, IsEmptyWithoutScopes) {
  EXPECT_EQ(ScopeTree().FindScope(10), std::nullopt);
}

}  // namespace
}  // namespace heapprof
