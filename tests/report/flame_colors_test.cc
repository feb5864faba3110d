// SPDX-License-Identifier: Apache-2.0
#include "report/flame_colors.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Red, green and blue of a class on a light page.
std::vector<int> ColorOf(const std::string& rules, const std::string& name) {
  const size_t at = rules.find("." + name + "{fill:#") + name.size() + 8;
  std::vector<int> parts;
  for (size_t i = 0; i < 6; i += 2)
    parts.push_back(std::stoi(rules.substr(at + i, 2), nullptr, 16));
  return parts;
}

std::vector<int> ColorOf(const FlameColors& colors, uint32_t label) {
  return ColorOf(colors.Rules(), fmt::format("c{}", colors.ClassOf(label)));
}

int Vividness(const std::vector<int>& color) {
  return std::ranges::max(color) - std::ranges::min(color);
}

TEST(FlameColorsTest, OwnCodeIsMoreVivid) {
  const FrameTree tree = {.labels = {{"f", "f", "/a", true}, {"f", "f", "/a"}}};
  for (const FlamePalette palette : {FlamePalette::kMem, FlamePalette::kModule,
                                     FlamePalette::kOwn, FlamePalette::kHot}) {
    const FlameColors colors(tree, palette);
    EXPECT_GT(Vividness(ColorOf(colors, 0)), Vividness(ColorOf(colors, 1)));
  }
}

TEST(FlameColorsTest, PalettesHaveTheirHues) {
  FrameTree tree;
  for (int i = 0; i < 50; ++i)
    tree.labels.push_back({"f", "f", fmt::format("/lib{}", i)});
  const FlameColors mem(tree, FlamePalette::kMem);
  const FlameColors hot(tree, FlamePalette::kHot);
  for (uint32_t i = 0; i < 50; ++i) {
    const auto green = ColorOf(mem, i);
    EXPECT_EQ(std::ranges::max(green), green[1]) << i;
    const auto red = ColorOf(hot, i);
    EXPECT_EQ(std::ranges::max(red), red[0]) << i;
  }
}

TEST(FlameColorsTest, AModuleHasOneHue) {
  FrameTree tree;
  for (int i = 0; i < 50; ++i) {
    const std::string name = fmt::format("f{}", i);
    tree.labels.push_back({name, name, "/usr/lib/libc.so.6"});
  }
  // Its functions differ in lightness only.
  const FlameColors colors(tree, FlamePalette::kModule);
  EXPECT_THAT(colors.Rules(), HasSubstr(".c2{"));
  EXPECT_THAT(colors.Rules(), ::testing::Not(HasSubstr(".c3{")));
}

std::vector<std::string> ClassesOf(const FlameGraph& graph) {
  const ChangeColors colors(graph);
  std::vector<std::string> classes;
  for (uint32_t i = 0; i < graph.frames.size(); ++i)
    classes.push_back(colors.ClassOf(i));
  return classes;
}

TEST(ChangeColorsTest, AreDeepestForTheLargestChange) {
  const auto frame = [](int64_t now, int64_t before, FrameChange change) {
    return FlameFrame{.total = {now, before}, .change = change};
  };
  const FlameGraph graph = {.is_comparison = true,
                            .frames = {frame(100, 0, FrameChange::kGrown),
                                       frame(1, 0, FrameChange::kGrown),
                                       frame(0, 25, FrameChange::kShrunk),
                                       frame(9, 5, FrameChange::kNone)}};
  EXPECT_THAT(ClassesOf(graph), ElementsAre("g8", "g1", "s4", "n"));
}

TEST(ChangeColorsTest, AreNotPaleBecauseNoiseIsLarger) {
  const FlameGraph graph = {
      .is_comparison = true,
      .frames = {{.total = {900, 100}, .change = FrameChange::kNone},
                 {.total = {10, 0}, .change = FrameChange::kGrown}}};
  EXPECT_THAT(ClassesOf(graph), ElementsAre("n", "g8"));
}

TEST(ChangeColorsTest, TintFramesThatContainAChange) {
  const auto frame = [](uint32_t depth, int64_t change, FrameChange kind) {
    return FlameFrame{
        .depth = depth, .total = {100 + change, 100}, .change = kind};
  };
  constexpr FrameChange kNone = FrameChange::kNone;
  const FlameGraph graph = {
      .is_comparison = true,
      .frames = {frame(0, 7, kNone), frame(1, 8, kNone), frame(2, 0, kNone),
                 frame(3, 9, FrameChange::kGrown), frame(2, 1, kNone),
                 frame(1, 0, kNone), frame(2, -16, FrameChange::kShrunk),
                 frame(3, 1, kNone)}};
  EXPECT_THAT(ClassesOf(graph),
              ElementsAre("si", "gi", "gi", "g6", "n", "si", "s8", "n"));
}

TEST(ChangeColorsTest, AreOrangeAndBlue) {
  const std::string rules = ChangeColors::Rules();
  EXPECT_THAT(ColorOf(rules, "g8"), ElementsAre(242, 142, 43));
  EXPECT_THAT(ColorOf(rules, "s8"), ElementsAre(88, 141, 201));
  EXPECT_THAT(ColorOf(rules, "gi"), ElementsAre(220, 195, 170));
}

}  // namespace
}  // namespace heapprof
