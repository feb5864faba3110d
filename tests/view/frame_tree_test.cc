// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_tree.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/comparison.h"
#include "support/test_profile.h"
#include "support/thread_samples.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// "  f 2/5": a node with its depth as indent, what it holds itself, and its
// total; in a comparison "f 2/5 <- 1/1".
std::vector<std::string> NodesOf(const FrameTree& tree) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < tree.nodes.size(); ++i) {
    const FrameNode& node = tree.nodes[i];
    const FrameValues values = tree.ValuesOf(tree.columns.front(), i);
    std::string text =
        fmt::format("{:{}}{} {}/{}", "", node.depth,
                    i == 0 ? "all" : tree.labels[node.label].name,
                    values.self.now, values.total.now);
    if (tree.is_comparison)
      text += fmt::format(" <- {}/{}", values.self.base, values.total.base);
    texts.push_back(text);
  }
  return texts;
}

TEST(FrameTreeTest, MergesTheBeginningsOfStacks) {
  const FrameTree tree = MakeFrameTree(
      ProfileOf("main;b 2\nmain;a|in 3\nmain 4\nz 1\nmain;b 5\n"), {});
  EXPECT_THAT(NodesOf(tree), ElementsAre("all 0/15", " main 4/14", "  a 0/3",
                                         "   in 3/3", "  b 7/7", " z 1/1"));
  EXPECT_FALSE(tree.is_comparison);
}

TEST(FrameTreeTest, MergesTheEndsOfStacksInReverse) {
  const FrameTree tree = MakeFrameTree(ProfileOf("main;b 2\nmain;a;b 3\n"),
                                       {.order = StackOrder::kLeafFirst});
  EXPECT_THAT(NodesOf(tree), ElementsAre("all 0/5", " b 0/5", "  a 0/3",
                                         "   main 3/3", "  main 2/2"));
}

std::vector<std::string> CodesOf(const FrameTree& tree) {
  std::vector<std::string> codes;
  for (const auto& [node, place] : tree.node_codes)
    codes.push_back(fmt::format("{} {} {}", node, tree.places[place].module,
                                tree.places[place].file));
  return codes;
}

TEST(FrameTreeTest, SplitsNodesByFile) {
  const Profile profile = ProfileOf(
      "main%m.cc:1;f%a.h:1 1\nmain%m.cc:1;f%b.h:2;g 2\nmain%m.cc:1;h;f 3\n");
  const FrameTree split = MakeFrameTree(profile, {.splits_by_code = true});
  EXPECT_THAT(NodesOf(split),
              ElementsAre("all 0/6", " main 0/6", "  f 1/1", "  f 0/2",
                          "   g 2/2", "  h 0/3", "   f 3/3"));
  EXPECT_THAT(CodesOf(split), ElementsAre("2  a.h", "3  b.h", "6  "));
  const auto f = std::ranges::find(split.labels, "f", &TreeLabel::name);
  ASSERT_NE(f, split.labels.end());
  EXPECT_EQ(f->file, "");

  const FrameTree merged = MakeFrameTree(profile, {});
  EXPECT_THAT(NodesOf(merged), ElementsAre("all 0/6", " main 0/6", "  f 1/3",
                                           "   g 2/2", "  h 0/3", "   f 3/3"));
  EXPECT_THAT(CodesOf(merged), testing::IsEmpty());
}

TEST(FrameTreeTest, SplitsNodesByModule) {
  const Profile profile = ProfileOf("a;/lib/one!f 1\na;b;/lib/two!f 2\n");
  const FrameTree tree = MakeFrameTree(profile, {.splits_by_code = true});
  EXPECT_THAT(CodesOf(tree), ElementsAre("3 /lib/two ", "4 /lib/one "));
}

TEST(FrameTreeTest, KnowsTheVariancesOfEachNodeItself) {
  Profile profile = ProfileOf("main;b 2\nmain;a|in 3\nmain 4\nz 1\n");
  profile.sampling_period = 512;
  double variance = 1;
  for (Sample& sample : profile.samples)
    sample.values[Metric::kInuseSpace].variance = variance *= 2;
  const FrameTree tree = MakeFrameTree(profile, {});
  // The joints are the root, main, in, b and z.
  EXPECT_THAT(SelfVariances(tree, tree.columns.front().sides.now),
              ElementsAre(0, 8, 4, 2, 16));
}

TEST(FrameTreeTest, SubtreesAreRanges) {
  const FrameTree tree = MakeFrameTree(ProfileOf("a;b;c 1\na;d 2\ne 3\n"), {});
  std::vector<uint32_t> ends;
  for (size_t i = 0; i < tree.nodes.size(); ++i) ends.push_back(tree.EndOf(i));
  // The nodes are the root, a, b, c, d and e.
  EXPECT_THAT(ends, ElementsAre(6, 5, 4, 4, 5, 6));
}

TEST(FrameTreeTest, StoresValuesWhereStacksEndOrPart) {
  const FrameTree tree =
      MakeFrameTree(ProfileOf("a;b;c;d 1\na;b;e 2\na;b;e;f;g 3\n"), {});
  std::vector<uint32_t> nodes, joints;
  for (const FrameJoint& joint : tree.joints) nodes.push_back(joint.node);
  for (const FrameNode& node : tree.nodes) joints.push_back(node.joint);
  // The nodes are the root, a, b, c, d, e, f and g.
  EXPECT_THAT(nodes, ElementsAre(0, 2, 4, 5, 7));
  EXPECT_THAT(joints, ElementsAre(0, 1, 1, 2, 2, 3, 4, 4));
  EXPECT_EQ(tree.columns.front().sides.now.before.size(), 6u);
  EXPECT_THAT(NodesOf(tree),
              ElementsAre("all 0/6", " a 0/6", "  b 0/6", "   c 0/1",
                          "    d 1/1", "   e 2/5", "    f 0/3", "     g 3/3"));
}

TEST(FrameTreeTest, RecursiveCallsAreNodesOfTheirOwn) {
  EXPECT_THAT(NodesOf(MakeFrameTree(ProfileOf("f;f;f 1\nf;f 2\n"), {})),
              ElementsAre("all 0/3", " f 0/3", "  f 2/3", "   f 1/1"));
}

TEST(FrameTreeTest, SkipsStacksAndLabelsWithoutValues) {
  const FrameTree tree = MakeFrameTree(ProfileOf("main;f 5\ngone;g 0\n"), {});
  EXPECT_EQ(tree.nodes.size(), 3u);
  EXPECT_EQ(tree.labels.size(), 2u);
}

TEST(FrameTreeTest, OfNothingIsTheRoot) {
  EXPECT_THAT(NodesOf(MakeFrameTree(ProfileOf(""), {})),
              ElementsAre("all 0/0"));
}

TEST(FrameTreeTest, CarriesFractionsFromNodeToNode) {
  EXPECT_THAT(NodesOf(MakeFrameTree(ProfileOf("a 1.4\nb 1.4\nc 1.4\n"), {})),
              ElementsAre("all 0/4", " a 1/1", " b 1/1", " c 2/2"));
}

TEST(FrameTreeTest, KnowsBothSidesOfADifference) {
  Profile profile = ProfileOf("main;a 8\nmain;gone 0\nmain;new 2\n");
  AddBase(0, {5, 0}, profile);
  AddBase(1, {7, 0}, profile);
  const FrameTree tree = MakeFrameTree(profile, {});
  EXPECT_TRUE(tree.is_comparison);
  EXPECT_THAT(
      NodesOf(tree),
      ElementsAre("all 0/10 <- 0/12", " main 0/10 <- 0/12", "  a 8/8 <- 5/5",
                  "  gone 0/0 <- 7/7", "  new 2/2 <- 0/0"));
  const Change main = tree.ValuesOf(tree.columns.front(), 1).Totals();
  EXPECT_EQ(main.now.value, 10);
  EXPECT_EQ(main.base.value, 12);
}

TEST(FrameTreeTest, GivesUnchangedNodesEqualValuesOnBothSides) {
  Profile profile = ProfileOf("grew 5.8\nsame 1.4\n");
  AddBase(0, {1.2, 0}, profile);
  AddBase(1, {1.4, 0}, profile);
  EXPECT_THAT(
      NodesOf(MakeFrameTree(profile, {})),
      ElementsAre("all 0/7 <- 0/2", " grew 6/6 <- 1/1", " same 1/1 <- 1/1"));
}

// pprof can write differences without their base.
TEST(FrameTreeTest, CountsNegativeValuesAsTheBase) {
  const FrameTree tree = MakeFrameTree(ProfileOf("a 5\nb -3\n"), {});
  EXPECT_TRUE(tree.is_comparison);
  EXPECT_THAT(NodesOf(tree),
              ElementsAre("all 0/5 <- 0/3", " a 5/5 <- 0/0", " b 0/0 <- 3/3"));
}

TEST(FrameTreeTest, AddsUpVariances) {
  Profile profile = ProfileOf("f;a 5\nf;b 1\n");
  profile.sampling_period = 10;
  profile.samples[0].values[Metric::kInuseSpace].variance = 4;
  profile.samples[1].values[Metric::kInuseSpace].variance = 2;
  AddBase(0, {4, 3}, profile);
  const FrameTree tree = MakeFrameTree(profile, {});
  const FrameValues f = tree.ValuesOf(tree.columns.front(), 1);
  EXPECT_EQ(f.variance.now, 6);
  EXPECT_EQ(f.variance.base, 3);
}

TEST(FrameTreeTest, HasAColumnForEachMetric) {
  Profile profile = ProfileOf("f;a 4\nf 1\n");
  profile.samples[0].values[Metric::kInuseObjects].value = 2;
  const FrameTree tree = MakeFrameTree(
      profile, {.metrics = {Metric::kInuseObjects, Metric::kInuseSpace}});
  EXPECT_EQ(tree.ValuesOf(tree.columns[0], 1).total.now, 2);
  EXPECT_EQ(tree.ValuesOf(tree.columns[1], 1).total.now, 5);
}

TEST(FrameTreeTest, LabelsHaveShortNamesModulesAndOwners) {
  Profile profile = ProfileOf(
      "/app!ns::f(int);/lib.so!g;/app!two 4\n"
      "/lib.so!two 1\n");
  std::vector<bool> own(profile.lines.size());
  for (size_t i = 0; i < own.size(); ++i)
    own[i] = profile.String(
                 profile.functions[profile.lines[i].function.index()].name) ==
             "ns::f(int)";
  const FrameTree tree = MakeFrameTree(profile, {.own_lines = own});
  std::vector<std::string> texts;
  for (const TreeLabel& label : tree.labels)
    texts.push_back(fmt::format("{} {} {} {}", label.name, label.short_name,
                                label.module, label.is_own));
  EXPECT_THAT(texts,
              ElementsAre("g g /lib.so false", "ns::f(int) ns::f /app true",
                          "two two  false"));
}

// Adjacent inlined calls in one file share its label.
TEST(FrameTreeTest, KnowsWhichFilesAreOwnCode) {
  const Profile profile = ProfileOf(
      "/app!main%/main.cc:1|f%/f.cc:1|grow%/vector:1|push%/vector:2|"
      "new%/new:1 4\n");
  std::vector<bool> own(profile.lines.size());
  for (size_t i = 0; i < own.size(); ++i)
    own[i] =
        profile.String(
            profile.functions[profile.lines[i].function.index()].name) == "f";
  const FrameTree tree = MakeFrameTree(
      profile, {.granularity = Granularity::kFiles, .own_lines = own});
  std::vector<std::string> files;
  for (const TreeLabel& label : tree.labels)
    if (label.is_own) files.push_back(label.name);
  EXPECT_THAT(files, ElementsAre("/f.cc"));
}

TEST(FrameTreeTest, TakesOtherGranularities) {
  EXPECT_THAT(NodesOf(MakeFrameTree(ProfileOf("/app!f;/app!g;/lib.so!h 4\n"),
                                    {.granularity = Granularity::kModules,
                                     .own_lines = std::vector<bool>(3)})),
              ElementsAre("all 0/4", " /app 0/4", "  /lib.so 4/4"));
}

// Two of three threads may have used one stack, so that their errors add up.
TEST(FrameTreeTest, AllowsForThreadsWithTheSameSeed) {
  Profile profile = ProfileOf("main;f 4\nmain;f;g 4\nmain 4\n");
  profile.sampling_period = 50;
  for (size_t i = 0; i < 3; ++i) {
    profile.samples[i].values[Metric::kInuseSpace].variance = 10;
    AddToThread(i, i, "", profile);
  }
  profile.thread_stacks = {1, 1};
  const FrameTree tree = MakeFrameTree(profile, {});
  std::vector<double> variances;
  for (size_t i = 0; i < tree.nodes.size(); ++i)
    variances.push_back(tree.ValuesOf(tree.columns.front(), i).variance.now);
  // all, main, f, g
  EXPECT_THAT(variances, ElementsAre(30 + 20, 30 + 20, 20 + 20, 10));
}

}  // namespace
}  // namespace heapprof
