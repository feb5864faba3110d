// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/frame_tree.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>

#include "heapprof/demangle/names.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/merged_stacks.h"
#include "heapprof/view/sampled_objects.h"
#include "heapprof/view/whole_values.h"

namespace heapprof {
namespace {

class FrameTreeMaker {
 public:
  FrameTreeMaker(const Profile& profile, const FrameTreeOptions& options)
      : profile_(profile),
        options_(options),
        labels_(profile, {.granularity = options.granularity,
                          .names = NameForm::kPlain,
                          .with_code = true,
                          .splits_by_code = options.splits_by_code,
                          .own_lines = &options.own_lines}) {}

  FrameTree Make() && {
    tree_.is_comparison = profile_.is_comparison;
    ChooseStacks();
    AddLabels();
    AddNodes();
    if (options_.splits_by_code) MergeLabels();
    AddShortNames();
    const bool counts_samples =
        options_.counts_samples && CountsSamples(profile_);
    for (const Metric metric : options_.metrics) {
      AddColumn(metric);
      if (counts_samples) tree_.sample_columns.push_back(SampleColumn(metric));
    }
    return std::move(tree_);
  }

 private:
  // Where a stack ends.
  struct PathEnd {
    uint32_t node = 0;
    StackId stack = {};
  };

  bool HasValue(const Sample& sample) const {
    return std::ranges::any_of(options_.metrics, [&](Metric metric) {
      return sample.values[metric].value != 0;
    });
  }

  // Chooses the stacks that make the tree.
  void ChooseStacks() {
    std::vector<bool> is_known(profile_.stacks.size());
    const auto add = [&](std::span<const Sample> samples) {
      for (const Sample& sample : samples) {
        const size_t stack = sample.stack.index();
        if (is_known[stack] || !HasValue(sample)) continue;
        is_known[stack] = true;
        stacks_.push_back(sample.stack);
      }
    };
    add(profile_.samples);
    if (options_.with_threads) add(profile_.thread_samples);
    add(options_.others);
    std::ranges::sort(stacks_);
  }

  // Adds the labels of the frames that are used, and notes in `numbers_` where
  // they are.
  void AddLabels() {
    numbers_.resize(labels_.size());
    const std::vector<uint32_t> used = labels_.UsedBy(profile_, stacks_);
    for (const uint32_t label : used) {
      numbers_[label] = static_cast<uint32_t>(tree_.labels.size());
      tree_.labels.push_back(LabelOf(label));
    }
  }

  TreeLabel LabelOf(uint32_t label) const {
    const LabelCode& code = labels_.CodeOf(label);
    return {.name = labels_.Text(label),
            .module = std::string(profile_.String(code.module)),
            .is_own = labels_.IsOwn(label),
            .file = std::string(profile_.String(code.file)),
            .line = code.line};
  }

  // Adds the nodes of the chosen stacks, and notes in `ends_` where each ends.
  void AddNodes() {
    MergedStacks merged =
        MergeStacks(profile_, stacks_, {labels_, numbers_, options_.order});
    merged.Sort();  // so that rows with a common beginning are adjacent
    std::vector<uint32_t> open = {0};  // from the root to the last node
    const size_t count = CountNodes(merged);
    std::vector<bool> is_joint(count);
    is_joint.front() = true;
    tree_.nodes.reserve(count);
    tree_.nodes.emplace_back();
    std::vector<uint32_t> node_of_row;
    node_of_row.reserve(merged.rows.size());
    std::span<const uint32_t> last;
    for (const StackRow& row : merged.rows) {
      const auto labels = merged.LabelsOf(row);
      const size_t common = CommonLength(last, labels);
      if (common < last.size()) is_joint[open[common]] = true;
      open.resize(common + 1);
      for (size_t i = common; i < labels.size(); ++i) {
        open.push_back(NodeCount());
        tree_.nodes.push_back(
            {.label = labels[i], .depth = static_cast<uint32_t>(i + 1)});
      }
      is_joint[open.back()] = true;
      node_of_row.push_back(open.back());
      last = labels;
    }
    AddEnds(merged.row_of, node_of_row);
    AddJoints(is_joint);
  }

  void AddEnds(std::span<const uint32_t> row_of,
               std::span<const uint32_t> node_of_row) {
    tree_.node_of_stack.resize(profile_.stacks.size());
    // By row: the index of its next end.
    std::vector<uint32_t> next(node_of_row.size() + 1);
    for (const StackId stack : stacks_) ++next[row_of[stack.index()] + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    ends_.resize(stacks_.size());
    for (const StackId stack : stacks_) {
      const uint32_t row = row_of[stack.index()];
      tree_.node_of_stack[stack.index()] = node_of_row[row];
      ends_[next[row]++] = {node_of_row[row], stack};
    }
  }

  void AddJoints(const std::vector<bool>& is_joint) {
    std::vector<FrameJoint>& joints = tree_.joints;
    const auto joint_count =
        static_cast<size_t>(std::ranges::count(is_joint, true));
    joints.reserve(joint_count);
    parents_.reserve(joint_count);
    std::vector<uint32_t> open;  // joints, from the root to the last one
    const auto close_to = [&](uint32_t depth) {
      for (; !open.empty() && DepthOf(joints[open.back()]) >= depth;
           open.pop_back())
        joints[open.back()].end = JointCount();
    };
    for (uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      close_to(tree_.nodes[i].depth);
      tree_.nodes[i].joint = JointCount();
      if (!is_joint[i]) continue;
      parents_.push_back(open.empty() ? 0 : open.back());
      open.push_back(JointCount());
      joints.push_back({.node = i});
    }
    close_to(0);
  }

  // Makes one label of those that differ only in their code, and notes the code
  // of their nodes.
  void MergeLabels() {
    std::vector<TreeLabel> split = std::exchange(tree_.labels, {});
    std::vector<bool> is_split(split.size());
    for (uint32_t i = 1; i < split.size(); ++i)
      if (split[i - 1].name == split[i].name)
        is_split[i - 1] = is_split[i] = true;
    std::vector<uint32_t> merged(split.size());  // index of the merged label
    std::vector<uint32_t> place(split.size());
    for (uint32_t i = 0; i < split.size(); ++i) {
      if (is_split[i]) {
        place[i] = static_cast<uint32_t>(tree_.places.size());
        tree_.places.emplace_back(split[i].module, split[i].file);
      }
      if (i == 0 || tree_.labels.back().name != split[i].name)
        tree_.labels.push_back(std::move(split[i]));
      else
        KeepCommon(split[i], tree_.labels.back());
      merged[i] = static_cast<uint32_t>(tree_.labels.size() - 1);
    }
    for (uint32_t i = 1; i < tree_.nodes.size(); ++i) {
      uint32_t& label = tree_.nodes[i].label;
      if (is_split[label]) tree_.node_codes.push_back({i, place[label]});
      label = merged[label];
    }
  }

  void AddShortNames() {
    for (TreeLabel& label : tree_.labels)
      label.short_name = options_.granularity == Granularity::kFunctions
                             ? StyledName(label.name, NameStyle::kShort)
                             : label.name;
  }

  // Leaves in `label` what it has in common with `other`, as LabelCode has it.
  static void KeepCommon(const TreeLabel& other, TreeLabel& label) {
    label.is_own |= other.is_own;
    if (label.module != other.module) label.module.clear();
    if (label.file != other.file) label.file.clear();
    if (label.file.empty()) label.line = 0;
  }

  static size_t CommonLength(std::span<const uint32_t> a,
                             std::span<const uint32_t> b) {
    return static_cast<size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
  }

  static size_t CountNodes(const MergedStacks& merged) {
    size_t count = 1;  // the root
    std::span<const uint32_t> last;
    for (const StackRow& row : merged.rows) {
      const auto labels = merged.LabelsOf(row);
      count += labels.size() - CommonLength(last, labels);
      last = labels;
    }
    return count;
  }

  uint32_t NodeCount() const {
    return static_cast<uint32_t>(tree_.nodes.size());
  }
  uint32_t JointCount() const {
    return static_cast<uint32_t>(tree_.joints.size());
  }
  uint32_t DepthOf(const FrameJoint& joint) const {
    return tree_.nodes[joint.node].depth;
  }

  void AddColumn(Metric metric) {
    std::vector<Change> by_stack =
        ChangesOfAllStacks(profile_, profile_.samples, metric);
    bool has_base = profile_.is_comparison;
    for (Change& change : by_stack) {
      MakeNonNegative(change);
      has_base |= change.base.value != 0;
    }
    FrameColumn& column = tree_.columns.emplace_back(metric);
    // Of an input that is a difference itself, only the sum is known.
    if (has_base == profile_.is_comparison)
      for (const Side side : kSides)
        column.filtered_out[side] = profile_.filtered_out[side][metric].value;
    column.sides.now.variances = VariancesOf(metric, Side::kNew, by_stack);
    if (has_base)
      column.sides.base.variances = VariancesOf(metric, Side::kBase, by_stack);
    SetSums(by_stack, has_base, column);
    AddSharedVariances(column);
    if (tree_.ValuesOf(column, 0).total.base != 0) tree_.is_comparison = true;
  }

  // Returns the column of FrameTree::sample_columns.
  FrameColumn SampleColumn(Metric metric) const {
    const std::vector<Change> by_stack = ChangesOfAllStacks(
        profile_, CountSampled(profile_, profile_.samples, metric), metric);
    FrameColumn column = {.metric = metric};
    SetSums(by_stack, profile_.is_comparison, column);
    return column;
  }

  // Returns FrameSums::variances.
  std::vector<double> VariancesOf(Metric metric, Side side,
                                  std::span<const Change> by_stack) const {
    std::vector<double> variances;
    if (ErrorBars(profile_, metric).exactness() != Exactness::kEstimated)
      return variances;
    variances.resize(tree_.joints.size());
    for (size_t end = 0; end < ends_.size(); ++end) {
      const Estimate self = SelfAt(end, side, by_stack);
      if (self.value != 0) variances[JointAt(end)] = self.variance;
    }
    // Children come after their parents.
    for (size_t i = variances.size(); i-- > 1;)
      variances[parents_[i]] += variances[i];
    return variances;
  }

  // Sets FrameSums::before.
  void SetSums(std::span<const Change> by_stack, bool has_base,
               FrameColumn& column) const {
    for (const Side side : kSides)
      if (side == Side::kNew || has_base)
        column.sides[side].before.resize(tree_.joints.size() + 1);
    RoundSides(
        ends_.size(),
        [&](size_t end) {
          return Sides<double>{SelfAt(end, Side::kNew, by_stack).value,
                               SelfAt(end, Side::kBase, by_stack).value};
        },
        [&](size_t end, const Sides<int64_t>& self) {
          for (const Side side : kSides)
            if (self[side] != 0)
              column.sides[side].before[JointAt(end) + 1] = self[side];
        });
    for (const Side side : kSides) {
      std::vector<int64_t>& before = column.sides[side].before;
      std::partial_sum(before.begin(), before.end(), before.begin());
    }
  }

  // Returns the joint of the end with the index `end`.
  uint32_t JointAt(size_t end) const {
    return tree_.nodes[ends_[end].node].joint;
  }

  // Returns what the node at `end` holds itself; 0 if `end` is not the first
  // path to it. Nodes are in order, so that all paths to one node are adjacent.
  Estimate SelfAt(size_t end, Side side,
                  std::span<const Change> by_stack) const {
    Estimate sum;
    const uint32_t node = ends_[end].node;
    if (end > 0 && ends_[end - 1].node == node) return sum;
    for (; end < ends_.size() && ends_[end].node == node; ++end)
      sum += by_stack[ends_[end].stack.index()][side];
    return sum;
  }

  // The errors of threads that sample with the same seed add up.
  void AddSharedVariances(FrameColumn& column) const {
    const auto joints_of = [this](const Sample& sample,
                                  std::vector<uint32_t>& joints) {
      const uint32_t node = tree_.node_of_stack[sample.stack.index()];
      joints.push_back(tree_.nodes[node].joint);
      while (joints.back() != 0) joints.push_back(parents_[joints.back()]);
    };
    const auto shared = SharedSeeds(profile_).Of(
        profile_.samples, column.metric, tree_.joints.size(), joints_of);
    for (const auto& [joint, side, run, variance] : shared) {
      FrameSums& sums = column.sides[side];
      if (sums.variances.empty()) continue;
      sums.shared.resize(sums.variances.size());
      sums.shared[joint] += variance;
    }
  }

  const Profile& profile_;
  const FrameTreeOptions& options_;
  FrameLabels labels_;
  std::vector<uint32_t> numbers_;  // index of tree_.labels, by label
  std::vector<StackId> stacks_;
  std::vector<PathEnd> ends_;      // in the order of the tree
  std::vector<uint32_t> parents_;  // by joint: the joint above it
  FrameTree tree_;
};

}  // namespace

Change FrameValues::Totals() const {
  return {.now = {static_cast<double>(total.now), variance.now},
          .base = {static_cast<double>(total.base), variance.base}};
}

FrameValues FrameTree::ValuesOf(const FrameColumn& column, size_t node) const {
  FrameValues values;
  const uint32_t joint = nodes[node].joint;
  for (const Side side : kSides) {
    const auto& [before, variances, shared] = column.sides[side];
    if (before.empty()) continue;
    if (joints[joint].node == node)
      values.self[side] = before[joint + 1] - before[joint];
    values.total[side] = before[joints[joint].end] - before[joint];
    if (!variances.empty()) values.variance[side] = variances[joint];
    if (!shared.empty()) values.variance[side] += shared[joint];
  }
  return values;
}

uint32_t FrameTree::EndOf(size_t node) const {
  // The last descendant is a leaf and therefore a joint.
  return joints[joints[nodes[node].joint].end - 1].node + 1;
}

std::vector<double> SelfVariances(const FrameTree& tree,
                                  const FrameSums& sums) {
  std::vector<double> self = sums.variances;
  for (uint32_t joint = 0; joint < tree.joints.size(); ++joint) {
    const uint32_t end = tree.joints[joint].end;
    for (uint32_t child = joint + 1; child < end;
         child = tree.joints[child].end)
      self[joint] -= sums.variances[child];
  }
  return self;
}

FrameTree MakeFrameTree(const Profile& profile,
                        const FrameTreeOptions& options) {
  return FrameTreeMaker(profile, options).Make();
}

}  // namespace heapprof
