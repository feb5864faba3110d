// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/story.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <utility>

#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// The smallest part that is told, as a fraction of the heap.
constexpr double kLeastShare = 0.1;
// A function that holds this fraction of what its caller holds tells more than
// its caller, even if it holds less than the smallest part.
constexpr double kNearlyAll = 2.0 / 3;
// A function belongs to the trunk if all but this fraction of the heap is below
// it.
constexpr double kBesideTrunk = 0.01;
constexpr uint32_t kNone = UINT32_MAX;

// The stacks of a profile as paths of calls that tell something, root first. No
// function is twice in a path: of a recursion, only the calls since it returned
// to a function for the last time are left.
class CallPaths {
 public:
  CallPaths(const Profile& profile, const FrameLabels& labels,
            const std::vector<StoryRole>& roles)
      : profile_(profile),
        roles_(roles),
        label_of_line_(profile.lines.size(), kNone),
        place_of_label_(labels.size(), kNone) {
    for (uint32_t i = 1; i < profile.locations.size(); ++i) {
      const Run lines = profile.locations[i].lines;
      const std::span<const uint32_t> ids = labels.Of(LocationId{i});
      for (uint32_t k = 0; k < lines.count; ++k)
        if (roles[lines.first + k] != StoryRole::kNone)
          label_of_line_[lines.first + k] = ids[k];
    }
  }

  // Returns the path of a stack. Equal paths are one.
  uint32_t Add(StackId stack) {
    path_.clear();
    const std::span<const LocationId> frames = profile_.StackFrames(stack);
    for (size_t i = frames.size(); i-- > 0;) {
      const Run lines = profile_.locations[frames[i].index()].lines;
      for (uint32_t line = lines.first + lines.count; line-- > lines.first;)
        if (label_of_line_[line] != kNone) Step(line);
    }
    uint64_t hash = 0;
    for (const uint32_t line : path_) {
      place_of_label_[label_of_line_[line]] = kNone;
      hash = AddToHash(hash, line);
    }
    uint32_t number = numbers_.Find(hash, [this](uint32_t n) {
      return std::ranges::equal(Of(n - 1), path_);
    });
    if (number == 0) {
      runs_.push_back({static_cast<uint32_t>(lines_.size()),
                       static_cast<uint32_t>(path_.size())});
      lines_.insert(lines_.end(), path_.begin(), path_.end());
      numbers_.Add(hash, number = static_cast<uint32_t>(runs_.size()));
    }
    return number - 1;
  }

  size_t size() const { return runs_.size(); }
  // The calls of a path, as indices of Profile::lines.
  std::span<const uint32_t> Of(uint32_t path) const {
    return std::span(lines_).subspan(runs_[path].first, runs_[path].count);
  }
  uint32_t LabelOf(uint32_t line) const { return label_of_line_[line]; }
  StoryRole RoleOf(uint32_t line) const { return roles_[line]; }

 private:
  void Step(uint32_t line) {
    uint32_t& place = place_of_label_[label_of_line_[line]];
    if (place == kNone) {
      place = static_cast<uint32_t>(path_.size());
      path_.push_back(line);
      return;
    }
    // Back in a function: forget the calls since.
    for (; path_.size() > place + size_t{1}; path_.pop_back())
      place_of_label_[label_of_line_[path_.back()]] = kNone;
    path_.back() = line;
  }

  const Profile& profile_;
  const std::vector<StoryRole>& roles_;
  std::vector<uint32_t> label_of_line_;  // kNone for StoryRole::kNone
  std::vector<uint32_t> lines_;          // of one path after the other
  std::vector<Run> runs_;                // by path
  IdTable numbers_;                      // of paths, from 1
  // Working data of Add().
  std::vector<uint32_t> path_;
  std::vector<uint32_t> place_of_label_;  // in path_
};

// A function below which the paths of a part go, and what is below it.
struct PathNode {
  uint32_t label = kNone;
  double value = 0;
  bool divides = false;  // several of its callees are parts themselves
};

// A part while it is divided further: some paths, whose first calls are the
// same functions.
struct Part {
  std::vector<uint32_t> paths;
  std::vector<PathNode> nodes;  // these functions
};

// Orders parts by value, and equal ones by their functions.
struct SmallerPart {
  const FrameLabels& labels;
  bool operator()(const Part& a, const Part& b) const {
    const double x = a.nodes.back().value;
    const double y = b.nodes.back().value;
    if (x != y) return x < y;
    const auto text = [this](const PathNode& node) -> const std::string& {
      return labels.Text(node.label);
    };
    return std::ranges::lexicographical_compare(b.nodes, a.nodes, {}, text,
                                                text);
  }
};

class StoryFinder {
 public:
  StoryFinder(const Profile& profile, const StoryOptions& options)
      : profile_(profile),
        options_(options),
        labels_(profile, {.names = options.names, .marks_inlined = false}),
        paths_(profile, labels_, options.roles),
        sum_of_label_(labels_.size()) {}

  // Divides the largest part first, until no other can be among the chains. In
  // a comparison, a part may be larger than the one that it is a part of,
  // because others shrank; then this is a good guess, and bounds the work.
  std::vector<StoryChain> Find() {
    AddPaths();
    Part all;
    all.paths.resize(paths_.size());
    std::iota(all.paths.begin(), all.paths.end(), 0);
    Divide(std::move(all));
    while (!open_.empty() && !HasAll()) {
      std::ranges::pop_heap(open_, SmallerPart{labels_});
      Part part = std::move(open_.back());
      open_.pop_back();
      Divide(std::move(part));
    }
    std::ranges::sort(found_, [this](const Part& a, const Part& b) {
      return SmallerPart{labels_}(b, a);
    });
    found_.resize(std::min(found_.size(), options_.most_chains));
    return Chains();
  }

 private:
  void AddPaths() {
    std::vector<uint32_t> path_of(profile_.stacks.size(), kNone);
    for (const Sample& sample : profile_.samples) {
      uint32_t& path = path_of[sample.stack.index()];
      if (path == kNone) path = paths_.Add(sample.stack);
      values_.resize(paths_.size());
      const double value = sample.values[options_.metric].value;
      values_[path] += sample.side == Side::kNew ? value : -value;
      path_of_sample_.push_back(path);
    }
    total_ = std::accumulate(values_.begin(), values_.end(), 0.0);
    // A comparison in which the parts cancel has none that tells much.
    least_ = kLeastShare * total_;
  }

  // True if enough parts are found, and what is left to divide is smaller.
  bool HasAll() const {
    const auto larger = std::ranges::count_if(found_, [this](const Part& part) {
      return part.nodes.back().value >= open_.front().nodes.back().value;
    });
    return static_cast<size_t>(larger) >= options_.most_chains;
  }

  // Adds to `open_` the parts of `part` that are below one function each, or
  // notes `part` as found if there is none of some size.
  void Divide(Part part) {
    const size_t depth = part.nodes.size();
    std::vector<uint32_t> next;
    for (const uint32_t path : part.paths) {
      const std::span<const uint32_t> calls = paths_.Of(path);
      if (calls.size() <= depth) continue;
      const uint32_t label = paths_.LabelOf(calls[depth]);
      LabelSum& sum = sum_of_label_[label];
      if (!sum.is_used) next.push_back(label);
      sum.is_used = true;
      sum.value += values_[path];
    }
    std::vector<PathNode> parts;
    const double nearly_all =
        depth == 0 ? least_ : kNearlyAll * part.nodes.back().value;
    for (const uint32_t label : next) {
      const LabelSum sum = std::exchange(sum_of_label_[label], {});
      if (total_ > 0 && sum.value >= std::min(least_, nearly_all))
        parts.push_back({label, sum.value});
    }
    std::ranges::sort(parts, [this](const PathNode& a, const PathNode& b) {
      if (a.value != b.value) return a.value > b.value;
      return labels_.Text(a.label) < labels_.Text(b.label);
    });
    // Without shrinking parts, there cannot be more.
    constexpr auto kMostParts = static_cast<size_t>(1 / kLeastShare);
    parts.resize(std::min(parts.size(), kMostParts));
    if (TellsMore(part, parts)) {
      found_.push_back(std::move(part));
      return;
    }
    if (depth != 0) part.nodes.back().divides = parts.size() > 1;
    for (const PathNode& node : parts) {
      Part below;
      if (&node == &parts.back())
        below.nodes = std::move(part.nodes);
      else
        below.nodes = part.nodes;
      below.nodes.push_back(node);
      for (const uint32_t path : part.paths) {
        const std::span<const uint32_t> calls = paths_.Of(path);
        if (calls.size() > depth && paths_.LabelOf(calls[depth]) == node.label)
          below.paths.push_back(path);
      }
      open_.push_back(std::move(below));
      std::ranges::push_heap(open_, SmallerPart{labels_});
    }
  }

  // True if a part tells more than the parts below it, because they have less
  // than half of it.
  bool TellsMore(const Part& part, std::span<const PathNode> parts) const {
    if (part.nodes.empty()) return false;
    if (parts.empty()) return true;
    double sum = 0;
    for (const PathNode& node : parts) sum += node.value;
    return sum < part.nodes.back().value / 2 && !IsTrunk(part.nodes.back());
  }

  std::vector<StoryChain> Chains() {
    std::vector<uint32_t> part_of_path(paths_.size(), kNone);
    for (uint32_t i = 0; i < found_.size(); ++i)
      for (const uint32_t path : found_[i].paths) part_of_path[path] = i;
    std::vector<Change> sums(found_.size());
    std::vector<uint32_t> part_of_stack(profile_.stacks.size(), kNone);
    for (size_t i = 0; i < profile_.samples.size(); ++i) {
      const Sample& sample = profile_.samples[i];
      const uint32_t part = part_of_path[path_of_sample_[i]];
      part_of_stack[sample.stack.index()] = part;
      if (part != kNone)
        sums[part][sample.side] += sample.values[options_.metric];
    }
    AddSharedVariances(
        profile_, profile_.samples, options_.metric,
        [&](const Sample& sample, std::vector<uint32_t>& of) {
          const uint32_t part = part_of_stack[sample.stack.index()];
          if (part != kNone) of.push_back(part);
        },
        sums);
    const ErrorBars bars(profile_, options_.metric);
    const std::vector<std::vector<bool>> named = NamedNodes();
    std::vector<StoryChain> chains;
    for (size_t i = 0; i < found_.size(); ++i) {
      StoryChain chain = ChainOf(found_[i], named[i]);
      chain.cell = {.change = sums[i], .interval = bars.Of(sums[i])};
      chain.percent = Percent(Difference(sums[i]), total_);
      if (!IsNoise(chain.cell)) chains.push_back(std::move(chain));
    }
    return chains;
  }

  // Returns which nodes of each part get into its chain.
  std::vector<std::vector<bool>> NamedNodes() const {
    std::vector<std::vector<bool>> named;
    for (const Part& part : found_) named.push_back(NamedNodesOf(part));
    // Chains that would look the same also name where they part.
    for (size_t i = 0; i < found_.size(); ++i)
      for (size_t k = i + 1; k < found_.size(); ++k)
        if (NamesOf(found_[i], named[i]) == NamesOf(found_[k], named[k])) {
          const size_t fork = ForkOf(found_[i], found_[k]);
          if (fork < found_[i].nodes.size()) named[i][fork] = true;
          if (fork < found_[k].nodes.size()) named[k][fork] = true;
        }
    return named;
  }

  // Chooses who holds the part, where the part is divided first, what of a
  // library the program calls, and the last function.
  std::vector<bool> NamedNodesOf(const Part& part) const {
    const std::span<const uint32_t> calls = paths_.Of(part.paths.front());
    const size_t last = part.nodes.size() - 1;
    std::vector<bool> is_named(part.nodes.size());
    is_named[last] = true;
    size_t who = 0;
    while (who < last && !IsWho(part.nodes[who], calls[who])) ++who;
    is_named[who] = true;
    for (size_t i = who + 1; i < last; ++i) {
      if (!part.nodes[i].divides) continue;
      is_named[i] = true;
      break;
    }
    size_t own = last;
    while (own > who && !IsOwn(calls[own])) --own;
    if (own < last) is_named[own + 1] = true;
    return is_named;
  }

  // True for the first function that says who holds a part.
  bool IsWho(const PathNode& node, uint32_t line) const {
    return !IsTrunk(node) && IsOwn(line) && labels_.Text(node.label) != "main";
  }

  // Returns the index of the first node in which the parts differ.
  static size_t ForkOf(const Part& a, const Part& b) {
    const auto fork = std::ranges::mismatch(a.nodes, b.nodes, {},
                                            &PathNode::label, &PathNode::label);
    return static_cast<size_t>(fork.in1 - a.nodes.begin());
  }

  std::vector<std::string> NamesOf(const Part& part,
                                   const std::vector<bool>& is_named) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < part.nodes.size(); ++i)
      if (is_named[i]) names.push_back(labels_.Text(part.nodes[i].label));
    return names;
  }

  StoryChain ChainOf(const Part& part,
                     const std::vector<bool>& is_named) const {
    StoryChain chain = {.frames = NamesOf(part, is_named)};
    SetPlace(part, chain);
    return chain;
  }

  bool IsNoise(const MetricCell& cell) const {
    return profile_.is_comparison && cell.interval && cell.interval->lower <= 0;
  }

  bool IsTrunk(const PathNode& node) const {
    return node.value >= (1 - kBesideTrunk) * total_;
  }
  bool IsOwn(uint32_t line) const {
    return paths_.RoleOf(line) == StoryRole::kOwn;
  }

  // Sets the place of the last call that most of the memory has in common.
  void SetPlace(const Part& part, StoryChain& chain) const {
    const size_t depth = part.nodes.size() - 1;
    std::vector<std::pair<uint32_t, double>> by_line;
    for (const uint32_t path : part.paths)
      by_line.emplace_back(profile_.lines[paths_.Of(path)[depth]].line,
                           values_[path]);
    std::ranges::sort(by_line);
    double most = 0;
    for (size_t i = 0; i < by_line.size();) {
      double sum = 0;
      size_t end = i;
      for (; end < by_line.size() && by_line[end].first == by_line[i].first;
           ++end)
        sum += by_line[end].second;
      if (sum > most) {
        most = sum;
        chain.line = by_line[i].first;
      }
      i = end;
    }
    const uint32_t first = paths_.Of(part.paths.front())[depth];
    const FunctionId function = profile_.lines[first].function;
    chain.file = profile_.String(profile_.functions[function.index()].filename);
  }

  struct LabelSum {
    double value = 0;
    bool is_used = false;
  };

  const Profile& profile_;
  const StoryOptions& options_;
  const FrameLabels labels_;
  CallPaths paths_;
  std::vector<double> values_;  // by path
  std::vector<uint32_t> path_of_sample_;
  double total_ = 0;
  double least_ = 0;
  std::vector<Part> open_;  // to be divided; a heap, the largest first
  std::vector<Part> found_;
  std::vector<LabelSum> sum_of_label_;  // working data of Divide()
};

}  // namespace

std::vector<StoryChain> MakeStory(const Profile& profile,
                                  const StoryOptions& options) {
  if (options.roles.empty()) return {};
  return StoryFinder(profile, options).Find();
}

}  // namespace heapprof
