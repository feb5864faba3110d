// SPDX-License-Identifier: Apache-2.0
#include "view/path_tree.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "view/story_limits.h"

namespace heapprof {

std::vector<double> SumByLabel(const CallPaths& paths,
                               std::span<const double> values,
                               const FrameLabels& labels) {
  std::vector<double> sums(labels.size());
  for (uint32_t path = 0; path < paths.size(); ++path)
    for (const uint32_t line : paths.Of(path))
      sums[paths.LabelOf(line)] += values[path];
  return sums;
}

PathTree::PathTree(const CallPaths& paths, std::vector<double> values,
                   const FrameLabels& labels)
    : paths_(paths),
      labels_(labels),
      values_(std::move(values)),
      sum_of_label_(labels.size()) {
  for (const double value : values_) {
    total_ += value;
    growth_ += std::max(value, 0.0);
  }
  whole_ = total_;
  if (growth_ != total_)
    for (const double value : SumByLabel(paths_, values_, labels_))
      whole_ = std::max(whole_, value);
}

Subtree PathTree::Root() const {
  Subtree root = {.value = total_, .growth = growth_};
  root.paths.resize(paths_.size());
  std::iota(root.paths.begin(), root.paths.end(), 0);
  return root;
}

std::vector<TreeNode> PathTree::Children(const Subtree& subtree, double least) {
  const size_t depth = subtree.nodes.size();
  std::vector<TreeNode> all;
  for (const uint32_t path : subtree.paths) {
    const std::span<const uint32_t> calls = paths_.Of(path);
    if (calls.size() <= depth) continue;
    const uint32_t label = paths_.LabelOf(calls[depth]);
    LabelSum& sum = sum_of_label_[label];
    if (!sum.is_used) all.push_back({label, paths_.RoleOf(calls[depth])});
    sum.is_used = true;
    sum.value += values_[path];
    sum.growth += std::max(values_[path], 0.0);
  }
  std::vector<TreeNode> large;
  for (TreeNode& child : all) {
    const LabelSum sum = std::exchange(sum_of_label_[child.label], {});
    child.value = sum.value;
    child.growth = sum.growth;
    if (child.growth >= least) large.push_back(child);
  }
  std::ranges::sort(large, [this](const TreeNode& a, const TreeNode& b) {
    if (a.value != b.value) return a.value > b.value;
    return NameOf(a) < NameOf(b);
  });
  // There can be more only in a comparison in which others shrank.
  constexpr auto kMostChildren = static_cast<size_t>(1 / kLeastShare);
  large.resize(std::min(large.size(), kMostChildren));
  return large;
}

Subtree PathTree::Child(const Subtree& subtree, const TreeNode& child) const {
  Subtree below = {.nodes = subtree.nodes,
                   .value = child.value,
                   .growth = child.growth,
                   .trunk_depth = subtree.trunk_depth,
                   .part = subtree.part,
                   .part_depth = subtree.part_depth};
  below.nodes.push_back(child);
  const size_t depth = subtree.nodes.size();
  for (const uint32_t path : subtree.paths) {
    const std::span<const uint32_t> calls = paths_.Of(path);
    if (calls.size() > depth && paths_.LabelOf(calls[depth]) == child.label)
      below.paths.push_back(path);
  }
  return below;
}

Subtree PathTree::Self(const Subtree& subtree) const {
  Subtree self = subtree;
  self.value = 0;
  self.growth = 0;
  std::erase_if(self.paths, [&](uint32_t path) {
    return paths_.Of(path).size() != subtree.nodes.size();
  });
  for (const uint32_t path : self.paths) {
    self.value += values_[path];
    self.growth += std::max(values_[path], 0.0);
  }
  return self;
}

}  // namespace heapprof
