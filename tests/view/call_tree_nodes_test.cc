// SPDX-License-Identifier: Apache-2.0
#include "view/call_tree_nodes.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/stats/sum.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAre;

// "depth label value" of each node, in order.
std::vector<std::string> NodesOf(std::string_view text,
                                 const CallTreeOptions& options) {
  const Profile profile = ProfileOf(text);
  const FrameLabels labels(profile, {});
  std::vector<std::string> nodes;
  for (const CallTreeNode& node :
       ChooseCallTreeNodes(profile, labels, options).nodes)
    nodes.push_back(fmt::format("{} {} {}", node.depth, labels.Text(node.label),
                                Difference(node.sum.sides)));
  return nodes;
}

CallTreeOptions CalleesOf(std::string_view name) {
  return {.direction = CallDirection::kCallees,
          .matches = [name](std::string_view label) { return label == name; }};
}

TEST(ChooseCallTreeNodesTest, GroupsStacksByTheirNextFunction) {
  EXPECT_THAT(NodesOf("main;f;g 3\nmain;f;h 4\nmain;f 5\n", CalleesOf("f")),
              UnorderedElementsAre("0 f 12", "1 g 3", "1 h 4"));
}

TEST(ChooseCallTreeNodesTest, PutsParentsAndLargeNodesFirst) {
  EXPECT_THAT(NodesOf("f;a;b 90\nf;c 9\n", CalleesOf("f")),
              ElementsAre("0 f 99", "1 a 90", "2 b 90", "1 c 9"));
}

TEST(ChooseCallTreeNodesTest, SkipsDirectRecursion) {
  EXPECT_THAT(NodesOf("f;f;f;g 7\n", CalleesOf("f")),
              ElementsAre("0 f 7", "1 g 7"));
}

TEST(ChooseCallTreeNodesTest, SumsSmallChildren) {
  CallTreeOptions options = CalleesOf("f");
  options.least_fraction = 0.2;
  const Profile profile = ProfileOf("f;a 90\nf;b 6\nf;c 4\n");
  const FrameLabels labels(profile, {});
  const CallTreeNodes chosen = ChooseCallTreeNodes(profile, labels, options);
  ASSERT_EQ(chosen.nodes.size(), 2u);
  EXPECT_EQ(chosen.nodes[0].rest.count, 2u);
  EXPECT_EQ(Difference(chosen.nodes[0].rest.sides), 10);
  EXPECT_EQ(chosen.least, 20);
}

}  // namespace
}  // namespace heapprof
