// SPDX-License-Identifier: Apache-2.0
#include "view/story_names.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "view/story_parts.h"

namespace heapprof {
namespace {

// Returns the index of the first node in which the subtrees differ.
size_t ForkOf(const Subtree& a, const Subtree& b) {
  const auto fork = std::ranges::mismatch(a.nodes, b.nodes, {},
                                          &TreeNode::label, &TreeNode::label);
  return static_cast<size_t>(fork.in1 - a.nodes.begin());
}

bool IsOwn(const TreeNode& node) {
  return node.role == StoryRole::kOwn || node.role == StoryRole::kNameless ||
         node.role == StoryRole::kOwnAllocator;
}

// Returns the labels of the nodes that are shown.
std::vector<uint32_t> ShownLabels(const Subtree& subtree,
                                  const std::vector<bool>& is_shown) {
  std::vector<uint32_t> labels;
  for (size_t i = 0; i < is_shown.size(); ++i)
    if (is_shown[i]) labels.push_back(subtree.nodes[i].label);
  return labels;
}

class NameChooser {
 public:
  NameChooser(const PathTree& tree, const std::vector<Subtree>& subtrees)
      : tree_(tree), subtrees_(subtrees) {}

  std::vector<std::vector<bool>> Run() const {
    std::vector<std::vector<bool>> is_shown;
    for (const Subtree& subtree : subtrees_)
      is_shown.push_back(NodesToShow(subtree));
    TellApart(is_shown);
    for (size_t i = 0; i < subtrees_.size(); ++i)
      std::fill_n(is_shown[i].begin(), subtrees_[i].part_depth, false);
    return is_shown;
  }

 private:
  std::vector<bool> NodesToShow(const Subtree& subtree) const {
    const size_t last = subtree.nodes.size() - 1;
    size_t last_fork = 0;
    for (const Subtree& other : subtrees_)
      if (&other != &subtree)
        last_fork = std::max(last_fork, ForkOf(subtree, other));
    const size_t who = FindWho(subtree);
    std::vector<bool> is_shown(subtree.nodes.size());
    is_shown[who] = true;
    is_shown[FirstTelling(subtree, std::max(last_fork, who))] = true;
    is_shown[FindEntry(subtree, who)] = true;
    is_shown[last] = true;
    return is_shown;
  }

  // Returns the first function of own code that says who holds the memory, or
  // without one, the first function, from the end of the trunk on. If the
  // function has no name, returns the nearest caller that has one.
  size_t FindWho(const Subtree& subtree) const {
    const size_t last = subtree.nodes.size() - 1;
    const size_t who = FirstOwn(subtree, std::min(subtree.trunk_depth, last));
    if (subtree.nodes[who].role != StoryRole::kNameless) return who;
    // The nearest caller that has a name.
    for (size_t i = who; i-- > 0;)
      if (subtree.nodes[i].role != StoryRole::kNameless &&
          IsTelling(subtree, i))
        return i;
    return who;
  }

  size_t FirstOwn(const Subtree& subtree, size_t from) const {
    const size_t last = subtree.nodes.size() - 1;
    for (size_t i = from; i < last; ++i)
      if (IsOwn(subtree.nodes[i]) && IsTelling(subtree, i)) return i;
    return IsOwn(subtree.nodes[last]) ? last : FirstTelling(subtree, from);
  }

  // Returns the callee of the last function of own code from `who` on, or the
  // last function if it has none.
  size_t FindEntry(const Subtree& subtree, size_t who) const {
    const size_t last = subtree.nodes.size() - 1;
    size_t own = last;
    while (own > who && !IsOwn(subtree.nodes[own])) --own;
    return own < last && IsOwn(subtree.nodes[own]) ? own + 1 : last;
  }

  // Chains that would look the same also show where their subtrees differ.
  void TellApart(std::vector<std::vector<bool>>& is_shown) const {
    for (size_t i = 0; i < subtrees_.size(); ++i)
      for (size_t k = i + 1; k < subtrees_.size(); ++k) {
        if (ShownLabels(subtrees_[i], is_shown[i]) !=
            ShownLabels(subtrees_[k], is_shown[k]))
          continue;
        const size_t fork = ForkOf(subtrees_[i], subtrees_[k]);
        if (fork < is_shown[i].size()) is_shown[i][fork] = true;
        if (fork < is_shown[k].size()) is_shown[k][fork] = true;
      }
  }

  // Returns the index of the first node from `from` on whose name tells
  // something, or of the last node.
  size_t FirstTelling(const Subtree& subtree, size_t from) const {
    const size_t last = subtree.nodes.size() - 1;
    while (from < last && !IsTelling(subtree, from)) ++from;
    return std::min(from, last);
  }

  bool IsTelling(const Subtree& subtree, size_t index) const {
    return SaysWho(tree_, std::span(subtree.nodes).first(index + 1));
  }

  const PathTree& tree_;
  const std::vector<Subtree>& subtrees_;
};

}  // namespace

std::vector<std::vector<bool>> ChooseNames(
    const PathTree& tree, const std::vector<Subtree>& subtrees) {
  return NameChooser(tree, subtrees).Run();
}

}  // namespace heapprof
