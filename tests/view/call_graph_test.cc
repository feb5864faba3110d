// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/call_graph.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/view/change.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr GraphLimits kNoLimits = {0, 0, 0, 0};

CallGraph GraphOf(std::string_view stacks, const GraphLimits& limits) {
  return MakeCallGraph(ProfileOf(stacks), {.limits = limits});
}

// "name flat cumulative" per node.
std::vector<std::string> Nodes(const CallGraph& graph) {
  std::vector<std::string> nodes;
  for (const GraphNode& node : graph.nodes)
    nodes.push_back(fmt::format("{} {} {}", node.name, Difference(node.flat),
                                Difference(node.cumulative)));
  return nodes;
}

// "caller -> callee value" per edge, with its properties.
std::vector<std::string> Edges(const CallGraph& graph) {
  std::vector<std::string> edges;
  for (const GraphEdge& edge : graph.edges)
    edges.push_back(fmt::format(
        "{} -> {} {}{}{}", graph.nodes[edge.caller].name,
        graph.nodes[edge.callee].name, Difference(edge.sum),
        edge.residual ? " residual" : "", edge.inlined ? " inlined" : ""));
  return edges;
}

TEST(CallGraphTest, ShowsAFunctionWhoseCalleeCancelsItsChange) {
  const CallGraph graph = GraphOf("main;f 5\nmain;f;g -5\n", {});
  EXPECT_THAT(Nodes(graph), ElementsAre("f 5 0", "g -5 -5"));
  EXPECT_THAT(Edges(graph), ElementsAre("f -> g -5"));
}

// 0.005 of 999 is 4.995.
TEST(CallGraphTest, TruncatesLimitsAsJeprofDoes) {
  EXPECT_THAT(Nodes(GraphOf("f 990.5\ng 4.5\nh 4\n", {})),
              ElementsAre("f 990.5 990.5", "g 4.5 4.5"));
}

TEST(CallGraphTest, SumsNodesAndCalls) {
  const CallGraph graph =
      GraphOf("main;f;g 100\nmain;f 20\nmain;g 3\n", kNoLimits);
  EXPECT_EQ(Difference(graph.total), 123);
  EXPECT_THAT(Nodes(graph), ElementsAre("main 0 123", "f 20 120", "g 103 103"));
  EXPECT_THAT(Edges(graph),
              ElementsAre("main -> f 120", "f -> g 100", "main -> g 3"));
  EXPECT_NEAR(graph.nodes[1].flat_percent, 16.26, 0.01);
  EXPECT_NEAR(graph.nodes[1].cumulative_percent, 97.56, 0.01);
}

TEST(CallGraphTest, CountsACallOncePerStack) {
  EXPECT_THAT(
      Edges(GraphOf("main;f;f;f;g;f;g 8\n", kNoLimits)),
      UnorderedElementsAre("main -> f 8", "f -> f 8", "f -> g 8", "g -> f 8"));
}

TEST(CallGraphTest, MarksInlinedCalls) {
  EXPECT_THAT(Edges(GraphOf("main|f|g;h 8\n", kNoLimits)),
              UnorderedElementsAre("main -> f (inline) 8 inlined",
                                   "f (inline) -> g (inline) 8 inlined",
                                   "g (inline) -> h 8"));
}

TEST(CallGraphTest, DrawsEdgesAcrossHiddenNodes) {
  // "small1" and "small2" are equal to the limit of 5, not above it.
  const CallGraph graph =
      GraphOf("main;small1;f 5\nmain;g;small2;g 5\nmain;f 90\nmain;g 0\n",
              {.node_count = 0, .node_fraction = 0.05, .edge_fraction = 0});
  EXPECT_EQ(graph.largest_hidden, 5);
  EXPECT_EQ(graph.hidden_nodes, 3u);
  EXPECT_THAT(Nodes(graph), ElementsAre("main 0 100", "f 95 95"));
  EXPECT_THAT(Edges(graph), ElementsAre("main -> f 95 residual"));
}

TEST(CallGraphTest, ShowsNoLoopAcrossHiddenNodes) {
  EXPECT_THAT(
      Edges(GraphOf("main;g;small;g 5\nmain;g 95\n",
                    {.node_count = 2, .node_fraction = 0, .edge_fraction = 0})),
      ElementsAre("main -> g 100"));
}

TEST(CallGraphTest, KeepsTheLargestNodesAndOfEqualOnesTheFirstByName) {
  EXPECT_THAT(Nodes(GraphOf("c 5\na 5\nb 5\nd -9\n",
                            {.node_count = 3, .node_fraction = 0})),
              ElementsAre("d -9 -9", "a 5 5", "b 5 5"));
}

TEST(CallGraphTest, KeepsTheLargestEdgeToANodeHoweverSmall) {
  const CallGraph graph =
      GraphOf("a;x 10\nb;x 9\nc;x 8\na 973\n",
              {.node_count = 0, .node_fraction = 0, .edge_fraction = 0.5});
  EXPECT_THAT(Edges(graph), ElementsAre("a -> x 10"));
}

TEST(CallGraphTest, LimitsTheEdgesOfANode) {
  const GraphLimits limits = {
      .node_count = 0, .node_fraction = 0, .edge_fraction = 0, .degree = 2};
  EXPECT_THAT(Edges(GraphOf("a;x 4\nb;x 3\nc;x 2\nd;x 1\n", limits)),
              ElementsAre("a -> x 4", "b -> x 3"));
  // No node loses its only caller.
  EXPECT_THAT(Edges(GraphOf("a;x 4\na;y 3\na;z 2\n", limits)),
              ElementsAre("a -> x 4", "a -> y 3", "a -> z 2"));
  EXPECT_THAT(Edges(GraphOf("b;z 9\na;x 4\na;y 3\na;z 2\n", limits)),
              ElementsAre("b -> z 9", "a -> x 4", "a -> y 3"));
}

TEST(CallGraphTest, HasNoEdgesInsideAModule) {
  const CallGraph graph = MakeCallGraph(
      ProfileOf("app!main;app!f;lib!g;lib!h|i;app!f 5\n"),
      {.labels = {.granularity = Granularity::kModules}, .limits = kNoLimits});
  EXPECT_THAT(Nodes(graph), ElementsAre("app 5 5", "lib 0 5"));
  EXPECT_THAT(Edges(graph), ElementsAre("app -> lib 5", "lib -> app 5"));
}

TEST(CallGraphTest, SortsDifferencesBySize) {
  const CallGraph graph =
      GraphOf("main;f -50\nmain;g 20\nmain;h -7\nmain;i 0\n", kNoLimits);
  EXPECT_EQ(Difference(graph.total), -37);
  EXPECT_THAT(Edges(graph),
              ElementsAre("main -> f -50", "main -> g 20", "main -> h -7"));
}

// Without the 0.75 bytes that stay the same, the edge would say 10 - 5.
TEST(CallGraphTest, AddsUpWhatStaysTheSameToo) {
  Profile profile = ProfileOf("main;f 10.25\nmain;f;g 0.75\n");
  for (const double value : {5.5, 0.75}) {
    Sample sample = profile.samples[value == 0.75];
    sample.side = Side::kBase;
    sample.values[Metric::kInuseSpace].value = value;
    profile.samples.push_back(sample);
  }
  profile.is_comparison = true;
  const CallGraph graph = MakeCallGraph(profile, {.limits = kNoLimits});
  ASSERT_THAT(Edges(graph), ElementsAre("main -> f 4.75"));
  EXPECT_EQ(WholeChange(graph.nodes[0].cumulative), 11 - 6);
  EXPECT_EQ(WholeChange(graph.edges[0].sum), 11 - 6);
}

TEST(CallGraphTest, SaysWhatMayBeChance) {
  // 31 sampled objects after 30, and 90 after 30.
  for (const double now : {31'000, 90'000}) {
    const CallGraph graph = MakeCallGraph(
        ComparedObjects("main;f", now, 30'000), {.judges_changes = true});
    ASSERT_EQ(graph.nodes.size(), 2u);
    EXPECT_EQ(graph.nodes[1].may_be_chance, now == 31'000);
  }
  EXPECT_FALSE(GraphOf("main 5\n", kNoLimits).nodes[0].may_be_chance);
}

TEST(CallGraphTest, HasNoChanceIfAllAllocationsAreSampled) {
  // The callee cancels the change of main.
  Profile profile = ProfileOf("main 5\nmain;f 3\n");
  AddBase(0, {.value = 3}, profile);
  AddBase(1, {.value = 5}, profile);
  const CallGraph graph =
      MakeCallGraph(profile, {.limits = kNoLimits, .judges_changes = true});
  ASSERT_EQ(graph.nodes.size(), 2u);
  for (const GraphNode& node : graph.nodes)
    EXPECT_FALSE(node.may_be_chance) << node.name;
}

TEST(CallGraphTest, OfAnEmptyProfileIsEmpty) {
  EXPECT_THAT(MakeCallGraph(Profile(), {}).nodes, IsEmpty());
}

// Whatever is hidden, the values of visible nodes stay the same, and the
// callers of a node add up to no more than the node.
TEST(CallGraphTest, ObeysItsLawsForEveryLimit) {
  constexpr std::string_view kStacks =
      "main;a|b;c 1\nmain;a;a|b 2\nc;b;main 4\nmain 8\na|a|a 16\n";
  const std::vector<std::string> all = Nodes(GraphOf(kStacks, kNoLimits));
  for (size_t count = 1; count <= all.size(); ++count) {
    const CallGraph graph =
        GraphOf(kStacks, {.node_count = count, .node_fraction = 0});
    EXPECT_EQ(graph.nodes.size(), count);
    EXPECT_EQ(graph.nodes.size() + graph.hidden_nodes, all.size());
    for (const std::string& node : Nodes(graph))
      EXPECT_THAT(all, Contains(node));
    for (const GraphEdge& edge : graph.edges) {
      for (const uint32_t node : {edge.caller, edge.callee})
        EXPECT_LE(Difference(edge.sum),
                  Difference(graph.nodes[node].cumulative));
    }
  }
}

}  // namespace
}  // namespace heapprof
