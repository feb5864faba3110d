// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/call_tree.h"

#include <string>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

using enum CallTreeRowKind;

CallTree TreeOf(std::vector<CallTreeRow> rows) {
  CallTree tree = {.rows = std::move(rows),
                   .names = {"alloc", "read", "run\n", "write"},
                   .total = 100 << 10,
                   .total_size = 100 << 10,
                   .matched = 95 << 10,
                   .matched_percent = 95};
  for (CallTreeRow& row : tree.rows) row.percent = row.value / 1024;
  return tree;
}

CallTree Tree() {
  CallTree tree = TreeOf({
      {.name = 0, .value = 95 << 10, .is_last = true},
      {.name = 1, .depth = 1, .value = 60 << 10},
      {.name = 2, .depth = 2, .value = 60 << 10, .continues = true},
      {.name = 3, .depth = 3, .value = 50 << 10},
      {.kind = kRest, .count = 12, .depth = 3, .value = 4000, .is_last = true},
      {.name = 3, .depth = 1, .value = 35 << 10, .is_last = true},
      {.kind = kEnd, .depth = 2, .value = 1 << 10},
      {.kind = kRest, .count = 1, .depth = 2, .value = 12, .is_last = true},
  });
  tree.hidden_roots = 2;
  tree.covered = 1;
  return tree;
}

TEST(WriteCallTreeTest, IndentsByBranches) {
  EXPECT_EQ(WriteCallTree(Tree(), {.pattern = "al*oc"}),
            R"(Callers of al*oc: 95.0 KiB (95.0%) of 100.0 KiB
     value  share  function, and below it what calls it
  95.0 KiB  95.0%  alloc
  60.0 KiB  60.0%  - read
  60.0 KiB  60.0%    run?
  50.0 KiB  50.0%    - write
   3.9 KiB   3.9%    - ... 12 more callers
  35.0 KiB  35.0%  - write
   1.0 KiB   1.0%    - [no caller]
      12 B  0.01%    - ... 1 more caller
                   ... 2 more matching functions with less
                   ... 1 more matching function inside these trees
)");
}

TEST(WriteCallTreeTest, GivesNoSignToWhatIsShownAsZero) {
  const CallTree tree = TreeOf({{.name = 0, .value = 0.3}});
  const std::string text =
      WriteCallTree(tree, {.unit = Unit::kObjects, .is_comparison = true});
  EXPECT_TRUE(text.contains("\n         0 <0.01%  alloc\n")) << text;
}

TEST(WriteCallTreeTest, GivesChangesASign) {
  CallTree tree = TreeOf({{.name = 0, .value = 95 << 10},
                          {.name = 1, .value = -(2 << 10), .is_last = true}});
  const CallTreeStyle style = {.pattern = "f", .is_comparison = true};
  EXPECT_EQ(WriteCallTree(tree, style),
            R"(Callers of f: +95.0 KiB (95.0%) of +100.0 KiB
     value  share  function, and below it what calls it
 +95.0 KiB  95.0%  alloc
  -2.0 KiB  -2.0%  read
)");
  // Shares of all changes are none of the total.
  tree.total = 0;
  tree.has_both_signs = true;
  EXPECT_TRUE(WriteCallTree(tree, style)
                  .starts_with("Callers of f: +95.0 KiB of 0 B\n"
                               "Shares are of all changes, 100.0 KiB.\n"));
}

TEST(WriteCallTreeTest, DrawsLinesOnTerminals) {
  const CallTreeStyle style = {.pattern = "f",
                               .direction = CallDirection::kCallees,
                               .unit = Unit::kBytes,
                               .draws_lines = true};
  EXPECT_EQ(WriteCallTree(Tree(), style),
            R"(Callees of f: 97280 B (95.0%) of 102400 B
     value  share  function, and below it what it calls
   97280 B  95.0%  alloc
   61440 B  60.0%  ├ read
   61440 B  60.0%  │ run?
   51200 B  50.0%  │ ├ write
    4000 B   3.9%  │ └ … 12 more callees
   35840 B  35.0%  └ write
    1024 B   1.0%    ├ [itself]
      12 B  0.01%    └ … 1 more callee
                   … 2 more matching functions with less
                   … 1 more matching function inside these trees
)");
}

TEST(WriteCallTreeTest, SaysThatSharesAreOfAllChanges) {
  CallTree tree = TreeOf({{.name = 0, .value = -5 << 10, .is_last = true}});
  tree.total = -20 << 10;
  tree.has_both_signs = true;
  tree.matched = -5 << 10;
  tree.matched_percent = -5;
  EXPECT_EQ(WriteCallTree(tree, {.pattern = "f"}),
            R"(Callers of f: -5.0 KiB of -20.0 KiB
Shares are of all changes, 100.0 KiB.
     value  share  function, and below it what calls it
  -5.0 KiB  -5.0%  alloc
)");
}

TEST(WriteCallTreeTest, ColoursLargeValues) {
  const std::string text =
      WriteCallTree(Tree(), {.pattern = "f", .color = true});
  EXPECT_NE(text.find("\x1b[1;31m  95.0 KiB  95.0%  alloc\x1b[0m\n"),
            text.npos);
  EXPECT_NE(text.find("\x1b[1m  60.0 KiB  60.0%  - read\x1b[0m\n"), text.npos);
  EXPECT_NE(text.find("\n  60.0 KiB  60.0%    run?\n"), text.npos);
  EXPECT_NE(text.find("\x1b[2m   3.9 KiB   3.9%    - ... 12 more callers\x1b"),
            text.npos);
}

TEST(WriteCallTreeTest, KeepsNamesInDeepTrees) {
  std::vector<CallTreeRow> rows;
  for (uint32_t depth = 0; depth < 1000; ++depth)
    rows.push_back({.name = 1, .depth = depth, .value = 5});
  CallTree tree = TreeOf(std::move(rows));
  tree.names[1] = std::string(100, 'n');
  const auto last_line = [&](size_t width) {
    std::string text =
        WriteCallTree(tree, {.width = width, .draws_lines = true});
    text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  };
  std::string lines;
  for (int i = 1; i < 14; ++i) lines += "│ ";
  EXPECT_EQ(last_line(80), "       5 B <0.01%  " + lines +
                               "├ (+985) nnnnnnnnn…nnnnnnnnnnnnnnnn");
  EXPECT_EQ(last_line(0).substr(last_line(0).find('(')),
            "(+959) " + tree.names[1]);
}

}  // namespace
}  // namespace heapprof
