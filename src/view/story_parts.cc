// SPDX-License-Identifier: Apache-2.0
#include "view/story_parts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "heapprof/base/main_function.h"
#include "view/largest_drop.h"
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
    Divide(tree_.Root());
    while (!open_.empty() && MayBeKept(open_.front())) {
      const Subtree subtree = TakeLargest();
      if (IsPart(subtree))
        AddPart(subtree);
      else
        Divide(subtree);
    }
    KeepLargest(kMostChains, found_.parts);
  }

  bool IsPart(const Subtree& subtree) {
    return (!subtree.is_trunk() && SaysWho(tree_, subtree.nodes)) ||
           LargeChildren(subtree).empty();
  }

  // Adds the part that starts at the top of `start`, and opens what leaves it
  // on the way to its end.
  void AddPart(const Subtree& start) {
    Subtree part = StartedAt(start);
    for (const TreeNode& callee : WayToEnd(start)) {
      Open(part, callee.label);
      part = tree_.Child(part, callee);
    }
    found_.parts.push_back(std::move(part));
  }

  void Divide(const Subtree& subtree) { Open(subtree, std::nullopt); }

  // Opens the subtrees of the large callees of a subtree's top, except that
  // with the label `followed`. What the top allocates itself is a part if it is
  // large. An only callee may continue the trunk.
  void Open(const Subtree& subtree, std::optional<uint32_t> followed) {
    const std::vector<TreeNode> callees = LargeChildren(subtree);
    for (const TreeNode& node : callees) {
      if (node.label == followed) continue;
      Subtree child = tree_.Child(subtree, node);
      if (subtree.is_trunk() && callees.size() == 1 &&
          child.value >= kTrunkShare * tree_.total())
        child.trunk_depth = child.nodes.size();
      open_.push_back(std::move(child));
      std::ranges::push_heap(open_, SmallerSubtree{tree_});
    }
    if (subtree.nodes.empty()) return;
    Subtree self = StartedAt(tree_.Self(subtree));
    if (self.value >= least_) found_.parts.push_back(std::move(self));
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
    const double total = tree_.total();
    const double least =
        least_ > kPieceShare * total ? kLargePieceShare * total : least_;
    for (uint32_t i = 0; i < found_.parts.size(); ++i) {
      Subtree part = found_.parts[i];
      part.part = i;
      part.part_depth = part.nodes.size();
      for (const TreeNode& node : tree_.Children(part, least)) {
        Subtree piece = StartedAt(tree_.Child(part, node));
        for (const TreeNode& callee : WayToEnd(piece))
          piece = tree_.Child(piece, callee);
        found_.pieces.push_back(std::move(piece));
      }
    }
    KeepLargest(kMostChains - found_.parts.size(), found_.pieces);
  }

  std::vector<TreeNode> LargeChildren(const Subtree& subtree) {
    return tree_.Children(subtree, least_);
  }

  static Subtree StartedAt(Subtree subtree) {
    subtree.start = subtree.nodes.size() - 1;
    return subtree;
  }

  // Returns the largest callees from the top of `start` down to the function
  // from which most of its memory goes different ways. That function has at
  // least half of `start`.
  std::vector<TreeNode> WayToEnd(const Subtree& start) {
    std::vector<TreeNode> way;
    LargestDrop drop;
    for (Subtree top = start;; top = tree_.Child(top, way.back())) {
      const std::vector<TreeNode> callees = tree_.Children(top, 0);
      const double largest = callees.empty() ? 0 : callees.front().value;
      drop.Add(top.value - largest);
      if (largest < start.value / 2 || !drop.IsExceededBy(largest)) break;
      way.push_back(callees.front());
    }
    way.resize(drop.place());
    return way;
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

// True for a closure of Rust, in either of its manglings: "f::{{closure}}" or
// "f::{closure#0}".
bool IsClosure(std::string_view name) {
  return name.ends_with("::{{closure}}") ||
         (name.ends_with('}') &&
          name.substr(name.rfind(':') + 1).starts_with("{closure#"));
}

bool NamesWho(std::string_view function) {
  // Rust's app::main() and functions such as mysqld_main() are main(), too.
  return !IsMain(function) && !function.ends_with("::main") &&
         !function.ends_with("_main") && !function.ends_with("operator()");
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

StoryParts FindStoryParts(PathTree& tree, double least) {
  return PartFinder(tree, least).Run();
}

}  // namespace heapprof
