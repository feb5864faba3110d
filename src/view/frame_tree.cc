// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_tree.h"

#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <utility>

#include "heapprof/demangle/names.h"
#include "heapprof/view/change.h"
#include "heapprof/view/whole_values.h"
#include "view/run_sums.h"

namespace heapprof {
namespace {

constexpr size_t kNew = IndexOf(Side::kNew), kBase = IndexOf(Side::kBase);

// The estimates of both sides, by Side.
using BothSides = std::array<Estimate, 2>;

BothSides SidesOf(const Profile& profile, const Sample& sample, Metric metric) {
  // The value of a difference is that of the new side minus that of the base;
  // its variance is the sum of both.
  const Estimate& base = profile.bases[sample.base][metric];
  const auto& [value, variance] = sample.values[metric];
  BothSides sides;
  sides[kBase] = base;
  sides[kNew] = {value + base.value, std::max(0.0, variance - base.variance)};
  return sides;
}

// Makes both values at least 0 without changing their difference.
void DropNegative(BothSides& sides) {
  const double least = std::min({0.0, sides[kNew].value, sides[kBase].value});
  for (Estimate& side : sides) side.value -= least;
}

class TreeMaker {
 public:
  TreeMaker(const Profile& profile, const FrameTreeOptions& options)
      : profile_(profile),
        options_(options),
        labels_(profile, {.granularity = options.granularity,
                          .names = NameForm::kPlain,
                          .with_code = true}) {}

  FrameTree Make() && {
    tree_.is_comparison = profile_.is_difference;
    AddLabels();
    AddPaths();
    AddNodes();
    for (const Metric metric : options_.metrics) AddColumn(metric);
    return std::move(tree_);
  }

 private:
  // A sample, and its labels in the order of the tree.
  struct Path {
    size_t first = 0;  // index of path_labels_
    uint32_t count = 0;
    uint32_t sample = 0;
  };

  std::span<const uint32_t> LabelsOf(const Path& path) const {
    return std::span(path_labels_).subspan(path.first, path.count);
  }

  bool HasValue(const Sample& sample) const {
    return std::ranges::any_of(options_.metrics, [&](Metric metric) {
      const BothSides sides = SidesOf(profile_, sample, metric);
      return sides[kNew].value != 0 || sides[kBase].value != 0;
    });
  }

  // Adds the labels of the frames that are used, and notes in `numbers_` where
  // they are.
  void AddLabels() {
    std::vector<bool> is_used(labels_.size());
    for (const Sample& sample : profile_.samples)
      if (HasValue(sample))
        for (const LocationId frame : profile_.StackFrames(sample.stack))
          for (const uint32_t label : labels_.Of(frame)) is_used[label] = true;
    std::vector<uint32_t> order;
    for (uint32_t label = 0; label < labels_.size(); ++label)
      if (is_used[label]) order.push_back(label);
    std::ranges::sort(order, {}, [this](uint32_t label) -> const std::string& {
      return labels_.Text(label);
    });
    numbers_.resize(labels_.size());
    const std::vector<bool> is_own = OwnLabels();
    for (const uint32_t label : order) {
      numbers_[label] = static_cast<uint32_t>(tree_.labels.size());
      tree_.labels.push_back(LabelOf(label, is_own[label]));
    }
  }

  TreeLabel LabelOf(uint32_t label, bool is_own) const {
    const std::string& name = labels_.Text(label);
    const LabelCode& code = labels_.CodeOf(label);
    return {.name = name,
            .short_name = options_.granularity == Granularity::kFunctions
                              ? StyledName(name, NameStyle::kShort)
                              : name,
            .module = std::string(profile_.String(code.module)),
            .is_own = is_own,
            .file = std::string(profile_.String(code.file)),
            .line = code.line};
  }

  std::vector<bool> OwnLabels() const {
    std::vector<bool> is_own(labels_.size());
    if (options_.own_lines.empty()) return is_own;
    for (uint32_t i = 0; i < profile_.locations.size(); ++i) {
      const Run lines = profile_.locations[i].lines;
      const auto ids = labels_.Of(LocationId{i});
      // There may be fewer labels than lines, because adjacent lines with the
      // same label are merged.
      for (uint32_t j = 0; j < lines.count; ++j)
        if (options_.own_lines[lines.first + j])
          is_own[ids[std::min<size_t>(j, ids.size() - 1)]] = true;
    }
    return is_own;
  }

  // Fills `paths_`, sorted so that those with a common beginning are adjacent.
  void AddPaths() {
    for (uint32_t i = 0; i < profile_.samples.size(); ++i)
      if (HasValue(profile_.samples[i])) paths_.push_back(PathOf(i));
    std::ranges::sort(paths_, [this](const Path& a, const Path& b) {
      const auto of_a = LabelsOf(a), of_b = LabelsOf(b);
      const auto [in_a, in_b] = std::ranges::mismatch(of_a, of_b);
      if (in_a != of_a.end() && in_b != of_b.end()) return *in_a < *in_b;
      return std::pair(a.count, a.sample) < std::pair(b.count, b.sample);
    });
  }

  Path PathOf(uint32_t sample) {
    const Path path = {.first = path_labels_.size(), .sample = sample};
    auto labels =
        labels_.OfStack(profile_.StackFrames(profile_.samples[sample].stack));
    if (options_.order == StackOrder::kRootFirst) std::ranges::reverse(labels);
    for (const uint32_t label : labels) path_labels_.push_back(numbers_[label]);
    return {path.first, static_cast<uint32_t>(labels.size()), sample};
  }

  // Adds the nodes of all paths, and notes in `node_of_path_` where each ends.
  void AddNodes() {
    std::vector<uint32_t> open = {0};  // from the root to the last node
    const auto close_to = [&](size_t depth) {
      for (; open.size() > depth + 1; open.pop_back())
        tree_.nodes[open.back()].end = NodeCount();
    };
    tree_.nodes.emplace_back();
    tree_.node_of_stack.resize(profile_.stacks.size());
    std::span<const uint32_t> last;
    for (const Path& path : paths_) {
      const auto labels = LabelsOf(path);
      const auto common = std::ranges::mismatch(last, labels).in1;
      close_to(static_cast<size_t>(common - last.begin()));
      for (size_t i = open.size() - 1; i < labels.size(); ++i) {
        const uint32_t parent = open.back();
        open.push_back(NodeCount());
        tree_.nodes.push_back({.label = labels[i],
                               .parent = parent,
                               .depth = static_cast<uint32_t>(i + 1)});
      }
      node_of_path_.push_back(open.back());
      tree_.node_of_stack[profile_.samples[path.sample].stack.index()] =
          open.back();
      last = labels;
    }
    close_to(0);
    tree_.nodes.front().end = NodeCount();
  }

  uint32_t NodeCount() const {
    return static_cast<uint32_t>(tree_.nodes.size());
  }

  void AddColumn(Metric metric) {
    std::vector<BothSides> sums(tree_.nodes.size());
    for (size_t i = 0; i < paths_.size(); ++i) {
      BothSides sides =
          SidesOf(profile_, profile_.samples[paths_[i].sample], metric);
      DropNegative(sides);
      for (const size_t side : {kNew, kBase})
        sums[node_of_path_[i]][side] += sides[side];
    }
    FrameColumn& column = tree_.columns.emplace_back(metric);
    column.values.resize(tree_.nodes.size());
    SetSelf(sums, column.values);
    AddUp(column.values);
    SetVarianceOfAll(metric, column.values.front());
    if (column.values.front().total[kBase] != 0) tree_.is_comparison = true;
  }

  static void SetSelf(const std::vector<BothSides>& sums,
                      std::vector<FrameValues>& values) {
    std::array<WholeValues, 2> whole;
    for (size_t i = 0; i < values.size(); ++i)
      for (const size_t side : {kNew, kBase}) {
        const Estimate& sum = sums[i][side];
        if (sum.value == 0) continue;
        values[i].self[side] = whole[side].Next(sum.value);
        values[i].variance[side] = sum.variance;
      }
  }

  // Adds each node to its parent. Children come after their parents.
  void AddUp(std::vector<FrameValues>& values) const {
    for (FrameValues& value : values) value.total = value.self;
    for (size_t i = values.size() - 1; i > 0; --i) {
      FrameValues& parent = values[tree_.nodes[i].parent];
      for (const size_t side : {kNew, kBase}) {
        parent.total[side] += values[i].total[side];
        parent.variance[side] += values[i].variance[side];
      }
    }
  }

  // The errors of threads that sample with the same seed add up.
  void SetVarianceOfAll(Metric metric, FrameValues& all) const {
    const Change total = TotalChange(profile_, metric);
    all.variance[kNew] = total.now.variance;
    if (total.base) all.variance[kBase] = total.base->variance;
  }

  const Profile& profile_;
  const FrameTreeOptions& options_;
  const FrameLabels labels_;
  std::vector<uint32_t> numbers_;      // index of tree_.labels, by label
  std::vector<uint32_t> path_labels_;  // of one path after the other
  std::vector<Path> paths_;
  std::vector<uint32_t> node_of_path_;
  FrameTree tree_;
};

}  // namespace

Change FrameValues::ChangeOf(bool is_comparison) const {
  const auto estimate = [this](size_t side) {
    return Estimate{static_cast<double>(total[side]), variance[side]};
  };
  Change change = {.value = static_cast<double>(total[kNew]),
                   .now = estimate(kNew)};
  if (is_comparison) {
    change.base = estimate(kBase);
    change.value = static_cast<double>(total[kNew] - total[kBase]);
  }
  return change;
}

FrameTree MakeFrameTree(const Profile& profile,
                        const FrameTreeOptions& options) {
  return TreeMaker(profile, options).Make();
}

}  // namespace heapprof
