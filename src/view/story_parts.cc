// SPDX-License-Identifier: Apache-2.0
#include "view/story_parts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "view/story_limits.h"

namespace heapprof {
namespace {

// Orders subtrees by value, and equal ones by their functions.
struct SmallerSubtree {
  const PathTree& tree;
  bool operator()(const Subtree& a, const Subtree& b) const {
    if (a.value != b.value) return a.value < b.value;
    const auto name = [this](const TreeNode& node) -> const std::string& {
      return tree.NameOf(node);
    };
    return std::ranges::lexicographical_compare(b.nodes, a.nodes, {}, name,
                                                name);
  }
};

class PartFinder {
 public:
  PartFinder(PathTree& tree, double least) : tree_(tree), least_(least) {}

  StoryParts Run() {
    FindParts();
    FindPieces();
    return std::move(found_);
  }

 private:
  void FindParts() {
    const Subtree root = tree_.Root();
    Divide(root, LargeChildren(root));
    while (!open_.empty() && MayBeKept(open_.front())) {
      Subtree subtree = TakeLargest();
      const std::vector<TreeNode> children = LargeChildren(subtree);
      if (IsPart(subtree, children))
        AddPart(std::move(subtree));
      else
        Divide(subtree, children);
    }
    KeepLargest(kMostChains, found_.parts);
  }

  bool IsPart(const Subtree& subtree,
              const std::vector<TreeNode>& large_children) const {
    return large_children.empty() || tree_.Self(subtree) >= least_ ||
           (!subtree.is_trunk() && SaysWho(tree_.NameOf(subtree.nodes.back())));
  }

  void AddPart(Subtree part) {
    // If all of its functions are the trunk, there is no other part, and they
    // say who holds the memory after all.
    if (part.is_trunk()) part.trunk_depth = 0;
    found_.parts.push_back(FollowNearlyAll(std::move(part)));
  }

  // Opens the subtrees of these children. An only one may continue the trunk.
  void Divide(const Subtree& subtree, const std::vector<TreeNode>& children) {
    for (const TreeNode& node : children) {
      Subtree child = tree_.Child(subtree, node);
      if (subtree.is_trunk() && children.size() == 1 &&
          child.value >= kTrunkShare * tree_.total())
        child.trunk_depth = child.nodes.size();
      open_.push_back(std::move(child));
      std::ranges::push_heap(open_, SmallerSubtree{tree_});
    }
  }

  // False if enough larger parts are known. In a comparison, a child may be
  // larger than its parent, because other children shrank. Then this is only a
  // good guess, but it limits the work.
  bool MayBeKept(const Subtree& subtree) const {
    const auto larger = std::ranges::count_if(
        found_.parts,
        [&](const Subtree& part) { return part.value >= subtree.value; });
    return static_cast<size_t>(larger) < kMostChains;
  }

  Subtree TakeLargest() {
    std::ranges::pop_heap(open_, SmallerSubtree{tree_});
    Subtree largest = std::move(open_.back());
    open_.pop_back();
    return largest;
  }

  void FindPieces() {
    for (uint32_t i = 0; i < found_.parts.size(); ++i) {
      Subtree part = found_.parts[i];
      part.part = i;
      part.part_depth = part.nodes.size();
      AddPieces(part);
    }
    KeepLargest(kMostChains - found_.parts.size(), found_.pieces);
  }

  // Adds the children of a part. If there is only one and it divides as well,
  // adds its children instead, because they say more.
  void AddPieces(const Subtree& part) {
    const std::vector<TreeNode> children = LargeChildren(part);
    if (children.size() != 1) return AddAsPieces(part, children);
    Subtree only = FollowNearlyAll(tree_.Child(part, children.front()));
    const std::vector<TreeNode> grandchildren = LargeChildren(only);
    if (grandchildren.size() >= 2 && tree_.Self(only) < least_)
      AddAsPieces(only, grandchildren);
    else
      found_.pieces.push_back(std::move(only));
  }

  void AddAsPieces(const Subtree& subtree,
                   const std::vector<TreeNode>& children) {
    for (const TreeNode& child : children)
      found_.pieces.push_back(FollowNearlyAll(tree_.Child(subtree, child)));
  }

  std::vector<TreeNode> LargeChildren(const Subtree& subtree) {
    return tree_.Children(subtree, least_);
  }

  Subtree FollowNearlyAll(Subtree subtree) {
    while (true) {
      const std::vector<TreeNode> nearly_all =
          tree_.Children(subtree, kNearlyAll * subtree.value);
      if (nearly_all.empty()) return subtree;
      subtree = tree_.Child(subtree, nearly_all.front());
    }
  }

  // Sorts `subtrees` and leaves out all after the first `most`, as well as
  // those that are small beside the largest one: in a comparison in which
  // others shrank, `least` may be much less than what some have.
  void KeepLargest(size_t most, std::vector<Subtree>& subtrees) const {
    std::ranges::sort(subtrees, [this](const Subtree& a, const Subtree& b) {
      return SmallerSubtree{tree_}(b, a);
    });
    const auto is_small = [&](const Subtree& subtree) {
      return subtree.value < kLeastShare * subtrees.front().value;
    };
    subtrees.erase(std::ranges::find_if(subtrees, is_small), subtrees.end());
    subtrees.resize(std::min(subtrees.size(), most));
  }

  PathTree& tree_;
  const double least_;
  std::vector<Subtree> open_;  // to be divided; a heap, the largest first
  StoryParts found_;
};

}  // namespace

bool SaysWho(std::string_view name) {
  return name != "main" && !name.ends_with("operator()") &&
         !name.ends_with("{{closure}}");
}

StoryParts FindStoryParts(PathTree& tree, double least) {
  return PartFinder(tree, least).Run();
}

}  // namespace heapprof
