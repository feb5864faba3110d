// SPDX-License-Identifier: Apache-2.0
#include "view/story_parts.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "heapprof/base/main_function.h"
#include "heapprof/base/nearly_all.h"
#include "view/largest_drop.h"
#include "view/story_limits.h"

namespace heapprof {
namespace {

// Orders subtrees by one of their numbers, and equal ones by their functions.
struct SmallerSubtree {
  const PathTree& tree;
  double Subtree::* number;
  bool operator()(const Subtree& a, const Subtree& b) const {
    if (a.*number != b.*number) return a.*number < b.*number;
    const auto name = [this](const TreeNode& node) -> const std::string& {
      return tree.NameOf(node);
    };
    return std::ranges::lexicographical_compare(b.nodes, a.nodes, {}, name,
                                                name);
  }
};

class PartFinder {
 public:
  PartFinder(PathTree& tree, double least_part, double least_piece)
      : tree_(tree), least_part_(least_part), least_piece_(least_piece) {}

  StoryParts Run() {
    FindParts();
    FindPieces();
    return std::move(found_);
  }

 private:
  void FindParts() {
    Divide(GrowTrunk());
    while (!open_.empty() && MayBeKept(open_.front())) {
      Subtree subtree = TakeLargest();
      if (IsPart(subtree))
        AddPart(std::move(subtree));
      else
        Divide(subtree);
    }
    KeepLargest(kMostChains, found_.parts);
  }

  // Returns the subtree at the end of the trunk, and opens what leaves the
  // trunk on the way. There is no trunk if nothing large is below its end: then
  // the functions on the way say who holds most of the heap.
  Subtree GrowTrunk() {
    const std::vector<TreeNode> way = WayToDivision();
    if (LargeChildren(EndOf(tree_.Root(), way)).empty()) return tree_.Root();
    Subtree trunk = tree_.Root();
    for (const TreeNode& callee : way) {
      Open(trunk, callee.label);
      trunk = tree_.Child(trunk, callee);
      trunk.trunk_depth = trunk.nodes.size();
    }
    return trunk;
  }

  bool IsPart(const Subtree& subtree) {
    return subtree.value >= least_part_ &&
           (SaysWho(tree_, subtree.nodes) || LargeChildren(subtree).empty());
  }

  // Adds the part that starts at the top of `part`, and opens what leaves it on
  // the way to its end.
  void AddPart(Subtree part) {
    for (const TreeNode& callee : WayToEnd(part)) {
      Open(part, callee.label);
      part = tree_.Child(part, callee);
    }
    found_.parts.push_back(std::move(part));
  }

  void Divide(const Subtree& subtree) { Open(subtree, std::nullopt); }

  // Opens the subtrees of the callees of a subtree's top in which there may be
  // parts, except that with the label `followed`. What the top allocates itself
  // is a part if it is large.
  void Open(const Subtree& subtree, std::optional<uint32_t> followed) {
    for (const TreeNode& node : tree_.Children(subtree, least_part_)) {
      if (node.label == followed) continue;
      open_.push_back(tree_.Child(subtree, node));
      std::ranges::push_heap(open_, by_growth_);
    }
    if (subtree.nodes.empty()) return;
    Subtree self = tree_.Self(subtree);
    if (self.value >= least_part_) found_.parts.push_back(std::move(self));
  }

  // False if enough parts are known that are larger than any in `subtree`.
  bool MayBeKept(const Subtree& subtree) const {
    const auto larger = std::ranges::count_if(
        found_.parts,
        [&](const Subtree& part) { return part.value >= subtree.growth; });
    return static_cast<size_t>(larger) < kMostChains;
  }

  Subtree TakeLargest() {
    std::ranges::pop_heap(open_, by_growth_);
    Subtree largest = std::move(open_.back());
    open_.pop_back();
    return largest;
  }

  void FindPieces() {
    for (uint32_t i = 0; i < found_.parts.size(); ++i) {
      Subtree part = found_.parts[i];
      part.part = i;
      part.part_depth = part.nodes.size();
      for (const TreeNode& node : LargeChildren(part, least_piece_)) {
        const Subtree piece = tree_.Child(part, node);
        found_.pieces.push_back(EndOf(piece, WayToEnd(piece)));
      }
    }
    KeepLargest(kMostChains - found_.parts.size(), found_.pieces);
  }

  std::vector<TreeNode> LargeChildren(const Subtree& subtree, double least) {
    std::vector<TreeNode> children = tree_.Children(subtree, least);
    std::erase_if(children,
                  [&](const TreeNode& node) { return node.value < least; });
    return children;
  }
  std::vector<TreeNode> LargeChildren(const Subtree& subtree) {
    return LargeChildren(subtree, least_part_);
  }

  // Returns the subtree at the end of `way`, which begins at the top of
  // `subtree`.
  Subtree EndOf(Subtree subtree, const std::vector<TreeNode>& way) const {
    for (const TreeNode& callee : way) subtree = tree_.Child(subtree, callee);
    return subtree;
  }

  // Returns the largest callees from the root down to the function from which
  // most of the heap goes different ways. That function has at least half of
  // the heap.
  std::vector<TreeNode> WayToDivision() {
    std::vector<TreeNode> way;
    LargestDrop drop;
    const double whole = tree_.Root().value;
    for (Subtree top = tree_.Root();; top = tree_.Child(top, way.back())) {
      const std::vector<TreeNode> callees = tree_.Children(top, 0);
      const double largest =
          callees.empty() ? 0 : std::max(callees.front().value, 0.0);
      drop.Add(top.value - largest);
      if (largest < whole / 2 || !drop.IsExceededBy(largest)) break;
      way.push_back(callees.front());
    }
    way.resize(drop.place());
    return way;
  }

  // Returns the callees from the top of `start` down to the last one through
  // which nearly all of its memory goes.
  std::vector<TreeNode> WayToEnd(const Subtree& start) {
    std::vector<TreeNode> way;
    const double least = kNearlyAll * start.value;
    for (Subtree top = start;; top = tree_.Child(top, way.back())) {
      const std::vector<TreeNode> callees = LargeChildren(top, least);
      if (callees.empty()) return way;
      way.push_back(callees.front());
    }
  }

  // Sorts `subtrees` and leaves out all after the first `most`, as well as
  // those that are small beside the largest one: in a comparison in which
  // others shrank, the least value may be much less than what some have.
  void KeepLargest(size_t most, std::vector<Subtree>& subtrees) const {
    const SmallerSubtree by_value = {tree_, &Subtree::value};
    std::ranges::sort(subtrees, [&](const Subtree& a, const Subtree& b) {
      return by_value(b, a);
    });
    const auto is_small = [&](const Subtree& subtree) {
      return subtree.value < kLeastShare * subtrees.front().value;
    };
    subtrees.erase(std::ranges::find_if(subtrees, is_small), subtrees.end());
    subtrees.resize(std::min(subtrees.size(), most));
  }

  PathTree& tree_;
  const SmallerSubtree by_growth_ = {tree_, &Subtree::growth};
  const double least_part_;
  const double least_piece_;
  std::vector<Subtree> open_;  // to be divided; a heap by growth
  StoryParts found_;
};

// True for a closure of Rust, in either of its manglings: "f::{{closure}}" or
// "f::{closure#0}".
bool IsClosure(std::string_view name) {
  return name.ends_with("::{{closure}}") ||
         (name.ends_with('}') &&
          name.substr(name.rfind(':') + 1).starts_with("{closure#"));
}

// True for what calls an object: operator() and, where a lambda is passed as a
// function pointer, what g++ and clang call "_FUN" and "__invoke".
bool CallsAnObject(std::string_view name) {
  return name.ends_with("operator()") || name.ends_with("::_FUN") ||
         name.ends_with("::__invoke");
}

bool NamesWho(std::string_view function) {
  return !IsStartOfProgram(function) && !CallsAnObject(function);
}

}  // namespace

bool SaysWho(const PathTree& tree, std::span<const TreeNode> nodes) {
  const std::string_view name = tree.NameOf(nodes.back());
  if (!IsClosure(name)) return NamesWho(name);
  const std::string_view function = name.substr(0, name.rfind("::"));
  return !IsClosure(function) && NamesWho(function) &&
         std::ranges::none_of(nodes, [&](const TreeNode& node) {
           return tree.NameOf(node) == function;
         });
}

StoryParts FindStoryParts(PathTree& tree, double least_part,
                          double least_piece) {
  return PartFinder(tree, least_part, least_piece).Run();
}

}  // namespace heapprof
