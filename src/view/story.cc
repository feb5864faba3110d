// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/story.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <utility>

#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/units.h"
#include "view/call_paths.h"
#include "view/story_parts.h"

namespace heapprof {
namespace {

// The smallest part that is told, as a fraction of the heap. If there are few
// samples, it is larger: it has so many of them that its error bar is less than
// a third of it, unless it is at least a quarter of the heap.
constexpr double kLeastShare = 1.0 / 8;
constexpr double kLeastSamples = 40;
constexpr double kLargeShare = 1.0 / 4;
// A part is told by its pieces only if they hold this fraction of it. The more
// may be left out, the more often sampling decides which of them are told.
constexpr double kNearlyAll = 5.0 / 6;
// Only if the smallest part has so many samples, so that its error bar is less
// than a quarter of it, more may be left out to say what a part is for.
constexpr double kManySamples = 64;
constexpr size_t kMostChains = StoryOptions().most_chains;
constexpr uint32_t kNone = UINT32_MAX;

// Orders parts by value, and equal ones by their functions.
struct SmallerPart {
  const FrameLabels& labels;
  bool operator()(const StoryPart& a, const StoryPart& b) const {
    if (a.value != b.value) return a.value < b.value;
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
    StoryPart all;
    all.paths.resize(paths_.size());
    std::iota(all.paths.begin(), all.paths.end(), 0);
    Divide(std::move(all));
    while (!open_.empty() && !HasAll()) {
      std::ranges::pop_heap(open_, SmallerPart{labels_});
      StoryPart part = std::move(open_.back());
      open_.pop_back();
      Divide(std::move(part));
    }
    std::ranges::sort(found_, [this](const StoryPart& a, const StoryPart& b) {
      return SmallerPart{labels_}(b, a);
    });
    // The names of a chain depend on the other chains, but not on how many of
    // them a report has room for.
    found_.resize(std::min(found_.size(), kMostChains));
    std::vector<StoryChain> chains = Chains();
    chains.resize(std::min(chains.size(), options_.most_chains));
    return chains;
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
    const double sample = ShareOfSample();
    least_ =
        std::clamp(kLeastSamples * sample, kLeastShare, kLargeShare) * total_;
    // Folded stacks do not tell two calls of a function apart.
    may_dispatch_ = kManySamples * sample <= kLeastShare &&
                    std::ranges::any_of(profile_.locations, &Location::address);
  }

  // Returns which share of the heap one sample stands for; 0 if values have no
  // error bars.
  double ShareOfSample() const {
    const ErrorBars bars(profile_, options_.metric);
    if (total_ <= 0 || bars.exactness() != Exactness::kSampled) return 0;
    const Change total = TotalChange(profile_, options_.metric);
    return (total.now.variance + total.base.variance) / (total_ * total_);
  }

  // True if enough parts are found, and what is left to divide is smaller.
  bool HasAll() const {
    const auto larger =
        std::ranges::count_if(found_, [this](const StoryPart& part) {
          return part.value >= open_.front().value;
        });
    return static_cast<size_t>(larger) >= kMostChains;
  }

  // Adds to `open_` the parts of `part` that are below one function each, or
  // notes `part` as found if there is none of some size.
  void Divide(StoryPart part) {
    const size_t depth = part.nodes.size();
    double self = 0;
    std::vector<PathNode> parts = PartsOf(part, self);
    if (depth != 0) {
      const bool tells_self = self >= least_;
      if (TellsMore(part, parts, tells_self ? self : 0)) {
        found_.push_back(std::move(part));
        return;
      }
      if (tells_self) found_.push_back(SelfOf(part, self));
    }
    for (const PathNode& node : parts) {
      StoryPart below = {.nodes = part.nodes, .value = node.value};
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

  // Returns the functions that the last function of `part` calls and that hold
  // enough, and sets `self` to what the last function allocates itself.
  std::vector<PathNode> PartsOf(const StoryPart& part, double& self) {
    const size_t depth = part.nodes.size();
    std::vector<PathNode> next;
    for (const uint32_t path : part.paths) {
      const std::span<const uint32_t> calls = paths_.Of(path);
      if (calls.size() <= depth) {
        self += values_[path];
        continue;
      }
      const uint32_t label = paths_.LabelOf(calls[depth]);
      LabelSum& sum = sum_of_label_[label];
      if (!sum.is_used) next.push_back({label, paths_.RoleOf(calls[depth])});
      sum.is_used = true;
      sum.value += values_[path];
    }
    std::vector<PathNode> parts;
    const double enough =
        depth == 0 ? least_ : std::min(least_, kNearlyAll * part.value);
    for (PathNode& node : next) {
      node.value = std::exchange(sum_of_label_[node.label], {}).value;
      if (total_ > 0 && node.value >= enough) parts.push_back(node);
    }
    std::ranges::sort(parts, [this](const PathNode& a, const PathNode& b) {
      if (a.value != b.value) return a.value > b.value;
      return labels_.Text(a.label) < labels_.Text(b.label);
    });
    // Without shrinking parts, there cannot be more.
    constexpr auto kMostParts = static_cast<size_t>(1 / kLeastShare);
    parts.resize(std::min(parts.size(), kMostParts));
    return parts;
  }

  // Returns the part of `part` that its last function allocates itself.
  StoryPart SelfOf(const StoryPart& part, double value) const {
    StoryPart self = {.nodes = part.nodes, .value = value, .is_self = true};
    self.nodes.back().value = value;
    for (const uint32_t path : part.paths)
      if (paths_.Of(path).size() == part.nodes.size())
        self.paths.push_back(path);
    return self;
  }

  // True if a part tells more than the parts of it, because they leave much of
  // it out, it is not nearly everything, and its last function says who holds
  // it, or what for.
  bool TellsMore(const StoryPart& part, std::span<const PathNode> parts,
                 double self) const {
    if (parts.empty()) return true;
    if (part.value > total_ - least_ ||
        !SaysWho(labels_.Text(part.nodes.back().label)))
      return false;
    double sum = self;
    for (const PathNode& node : parts) sum += node.value;
    if (sum >= kNearlyAll * part.value) return false;
    return !may_dispatch_ || parts.size() < 2 || !Dispatches(part);
  }

  // True if one call of the last function of `part`, below which most of it is,
  // reaches several functions: a call through a pointer, as that of an event
  // loop, an interpreter or a table of commands. Then only the functions that
  // are called say what the memory is for.
  bool Dispatches(const StoryPart& part) const {
    const size_t depth = part.nodes.size();
    std::map<uint32_t, Callees> by_call;
    for (const uint32_t path : part.paths) {
      const std::span<const uint32_t> calls = paths_.Of(path);
      if (calls.size() <= depth) continue;
      Callees& callees = by_call[calls[depth - 1]];
      callees.labels.insert(paths_.LabelOf(calls[depth]));
      callees.value += values_[path];
    }
    return std::ranges::any_of(by_call, [&part](const auto& call) {
      constexpr size_t kSeveral = 3;
      return call.second.labels.size() >= kSeveral &&
             call.second.value > part.value / 2;
    });
  }

  std::vector<StoryChain> Chains() {
    const std::vector<std::vector<bool>> named =
        NamedNodes(found_, labels_, total_);
    const std::vector<uint32_t> part_of_path = PartsByPath(named);
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
    std::vector<StoryChain> chains;
    for (size_t i = 0; i < found_.size(); ++i) {
      StoryChain chain = {.frames = NamesOf(found_[i], named[i])};
      SetPlace(found_[i], chain);
      chain.cell = {.change = sums[i], .interval = bars.Of(sums[i])};
      chain.percent = Percent(Difference(sums[i]), total_);
      if (!IsNoise(chain.cell)) chains.push_back(std::move(chain));
    }
    std::ranges::stable_sort(chains, std::ranges::greater(),
                             &StoryChain::value);
    return chains;
  }

  // Returns the part of each path. What a chain says is true for all paths
  // through its functions, also for those that were too few to be a part.
  std::vector<uint32_t> PartsByPath(
      const std::vector<std::vector<bool>>& named) {
    std::vector<uint32_t> part_of_path(paths_.size(), kNone);
    for (uint32_t i = 0; i < found_.size(); ++i)
      for (const uint32_t path : found_[i].paths) part_of_path[path] = i;
    for (uint32_t path = 0; path < paths_.size(); ++path)
      for (uint32_t i = 0; i < found_.size(); ++i)
        if (part_of_path[path] == kNone &&
            GoesThrough(path, found_[i], named[i]))
          part_of_path[path] = i;
    return part_of_path;
  }

  // True if a path has the named functions of a part, in this order.
  bool GoesThrough(uint32_t path, const StoryPart& part,
                   const std::vector<bool>& is_named) const {
    const std::span<const uint32_t> calls = paths_.Of(path);
    size_t call = 0;
    for (size_t i = 0; i < part.nodes.size(); ++i) {
      if (!is_named[i]) continue;
      while (call < calls.size() &&
             paths_.LabelOf(calls[call]) != part.nodes[i].label)
        ++call;
      if (call++ == calls.size()) return false;
    }
    return !part.is_self || call == calls.size();
  }

  std::vector<std::string> NamesOf(const StoryPart& part,
                                   const std::vector<bool>& is_named) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < part.nodes.size(); ++i)
      if (is_named[i]) names.push_back(labels_.Text(part.nodes[i].label));
    return names;
  }

  bool IsNoise(const MetricCell& cell) const {
    return profile_.is_comparison && cell.interval && cell.interval->lower <= 0;
  }

  // Sets the place of the last call that most of the memory has in common.
  void SetPlace(const StoryPart& part, StoryChain& chain) const {
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

  struct Callees {
    std::set<uint32_t> labels;
    double value = 0;
  };

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
  bool may_dispatch_ = false;
  std::vector<StoryPart> open_;  // to be divided; a heap, the largest first
  std::vector<StoryPart> found_;
  std::vector<LabelSum> sum_of_label_;  // working data of Divide()
};

}  // namespace

std::vector<StoryChain> MakeStory(const Profile& profile,
                                  const StoryOptions& options) {
  if (options.roles.empty()) return {};
  return StoryFinder(profile, options).Find();
}

}  // namespace heapprof
