// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/call_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "heapprof/stats/sum.h"
#include "heapprof/view/change.h"
#include "heapprof/view/units.h"
#include "view/call_tree_nodes.h"

namespace heapprof {
namespace {

// Makes rows from nodes.
class RowMaker {
 public:
  RowMaker(const CallTreeNodes& chosen, const FrameLabels& labels)
      : chosen_(chosen), labels_(labels), names_(labels.size(), kNoNode) {
    tree_.matched = WholeChange(chosen.matched.sides);
    tree_.total = WholeChange(chosen.total.sides);
    tree_.total_size = chosen.total.size;
    // With both, the sizes exceed the difference by more than rounding errors.
    const double total = std::abs(Difference(chosen.total.sides));
    tree_.has_both_signs = Difference(chosen.total.size, total) != 0;
    tree_.matched_percent = PercentOf(chosen.matched);
    tree_.matching = chosen.matching;
    tree_.covered = chosen.covered;
  }

  CallTree Make(size_t most_rows) && {
    size_t count = chosen_.expanded;
    MakeRows(count);
    // Rows of kind kEnd and kRest come in addition to the rows of nodes. If
    // there are too many rows, makes them again from fewer nodes.
    while (most_rows != 0 && count > 1 && tree_.rows.size() > most_rows) {
      const size_t excess = tree_.rows.size() - most_rows;
      count -= std::min(count - 1, (excess + 1) / 2);
      MakeRows(count);
    }
    return std::move(tree_);
  }

 private:
  // Makes the rows of the first `count` nodes.
  void MakeRows(size_t count) {
    tree_.rows.clear();
    tree_.hidden_roots = tree_.matching - tree_.covered;
    tree_.hidden_small = 0;
    std::vector<CallTreeSum> rests;
    for (const CallTreeNode& node : std::span(chosen_.nodes).first(count))
      rests.push_back(node.rest);
    for (const CallTreeNode& node : std::span(chosen_.nodes).subspan(count))
      if (node.parent < count) rests[node.parent].AddNode(node.sum);
    const std::vector<uint32_t> order = ByParent(count);
    // By node: the part of `order` with the node's children. The additional
    // last element is the part with the roots.
    std::vector<RowRange> children(count + 1);
    for (uint32_t i = 0; i < order.size(); ++i) {
      const uint32_t parent = chosen_.nodes[order[i]].parent;
      RowRange& range = children[parent == kNoNode ? count : parent];
      if (range.count++ == 0) range.first = i;
    }
    tree_.hidden_roots -= children[count].count;
    tree_.has_more_rows = count < chosen_.nodes.size();
    AddRows(order, children, rests);
  }

  std::vector<uint32_t> ByParent(size_t count) const {
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(order, [this](uint32_t a, uint32_t b) {
      const CallTreeNode& x = chosen_.nodes[a];
      const CallTreeNode& y = chosen_.nodes[b];
      const auto key = [](const CallTreeNode& node) {
        return std::tuple(node.parent, -std::abs(Difference(node.sum.sides)),
                          -node.sum.size);
      };
      return key(x) != key(y) ? key(x) < key(y)
                              : labels_.Text(x.label) < labels_.Text(y.label);
    });
    return order;
  }

  double PercentOf(const CallTreeSum& sum) const {
    return Percent(Difference(sum.sides), tree_.total_size);
  }

  CallTreeRow RowOf(CallTreeRowKind kind, const CallTreeSum& sum,
                    uint32_t depth) const {
    return {.kind = kind,
            .count = sum.count,
            .depth = depth,
            .value = WholeChange(sum.sides),
            .percent = PercentOf(sum)};
  }

  void AddRows(const std::vector<uint32_t>& order,
               const std::vector<RowRange>& children,
               const std::vector<CallTreeSum>& rests) {
    // A stack of the rows that are still to be added; the last one is next.
    // `node` is set only for rows of nodes.
    struct Pending {
      CallTreeRow row;
      uint32_t node = kNoNode;
    };
    std::vector<Pending> pending;
    const auto add_children = [&](const RowRange& range, uint32_t depth,
                                  const CallTreeSum& end,
                                  const CallTreeSum& rest) {
      const size_t before = pending.size();
      if (rest.count > 0 && rest.size >= chosen_.least)
        pending.push_back({RowOf(CallTreeRowKind::kRest, rest, depth)});
      else
        tree_.hidden_small += rest.count;
      // A kEnd row that is the only child would only repeat the value of its
      // parent.
      const bool has_others = range.count > 0 || pending.size() > before;
      if (has_others && end.size > 0 && end.size >= chosen_.least)
        pending.push_back({RowOf(CallTreeRowKind::kEnd, end, depth)});
      for (uint32_t i = range.first + range.count; i-- > range.first;) {
        const CallTreeNode& node = chosen_.nodes[order[i]];
        pending.push_back(
            {RowOf(CallTreeRowKind::kFunction, node.sum, depth), order[i]});
        pending.back().row.name = NameOf(node.label);
      }
      if (pending.size() == before) return;
      pending[before].row.is_last = true;
      pending[before].row.continues = depth > 1 && pending.size() == before + 1;
    };
    add_children(children.back(), 0, {}, {});
    while (!pending.empty()) {
      const auto [row, node] = pending.back();
      pending.pop_back();
      tree_.rows.push_back(row);
      if (node != kNoNode)
        add_children(children[node], row.depth + 1, chosen_.nodes[node].end,
                     rests[node]);
    }
  }

  uint32_t NameOf(uint32_t label) {
    if (names_[label] == kNoNode) {
      names_[label] = static_cast<uint32_t>(tree_.names.size());
      tree_.names.push_back(labels_.Text(label));
    }
    return names_[label];
  }

  const CallTreeNodes& chosen_;
  const FrameLabels& labels_;
  std::vector<uint32_t> names_;  // by label: index of CallTree::names
  CallTree tree_;
};

}  // namespace

CallTree MakeCallTree(const Profile& profile, const CallTreeOptions& options) {
  const FrameLabels labels(profile, options.labels);
  const CallTreeNodes chosen = ChooseCallTreeNodes(profile, labels, options);
  return RowMaker(chosen, labels).Make(options.most_rows);
}

}  // namespace heapprof
