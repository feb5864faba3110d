// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/story.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/units.h"
#include "view/call_paths.h"
#include "view/story_parts.h"

namespace heapprof {
namespace {

// The smallest part that is told, as a fraction of the heap.
constexpr double kLeastShare = 1.0 / 8;
// Samples decide which parts are that large. Another run of the same program
// should tell the same parts, so the limit is larger by this many standard
// errors of such a part; but a quarter of the heap is always told.
constexpr double kMarginInErrors = 3;
constexpr double kLargeShare = 1.0 / 4;
// A call that has this fraction of what its caller has says more of the same
// memory.
constexpr double kNearlyAll = 0.9;
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

  std::vector<StoryChain> Find() {
    AddPaths();
    FindWholes();
    FindPieces();
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
    least_ = LeastShare() * total_;
  }

  // Returns x of x = kLeastShare + kMarginInErrors * sqrt(x * ShareOfSample()):
  // the variance of a part is about its value times that of a sample.
  double LeastShare() const {
    const double error = kMarginInErrors * std::sqrt(ShareOfSample());
    const double root =
        (error + std::sqrt(error * error + 4 * kLeastShare)) / 2;
    return std::min(root * root, kLargeShare);
  }

  // Returns which share of the heap one sample stands for; 0 if values have no
  // error bars.
  double ShareOfSample() const {
    const ErrorBars bars(profile_, options_.metric);
    if (total_ <= 0 || bars.exactness() != Exactness::kSampled) return 0;
    const Change total = TotalChange(profile_, options_.metric);
    return (total.now.variance + total.base.variance) / (total_ * total_);
  }

  // Finds where the heap divides for the first time.
  void FindWholes() {
    StoryPart all;
    all.paths.resize(paths_.size());
    std::iota(all.paths.begin(), all.paths.end(), 0);
    const std::vector<PathNode> first = PartsOf(all, least_);
    for (const PathNode& node : first)
      Open(Below(all, node), first.size() == 1);
    for (StoryPart part; TakeLargest(part);) {
      const std::vector<PathNode> parts = PartsOf(part, least_);
      if (parts.empty() || SelfOf(part) >= least_ ||
          (!part.is_shared && SaysWho(NameOf(part)))) {
        // If there is nothing else, what it shares says who.
        if (part.is_shared) part.shared_depth = 0;
        part.is_shared = false;
        wholes_.push_back(Followed(std::move(part)));
        continue;
      }
      for (const PathNode& node : parts)
        Open(Below(part, node), part.is_shared && parts.size() == 1);
    }
    KeepLargest(kMostChains, wholes_);
  }

  // Finds where each whole divides. If it has one piece only, and this divides,
  // its pieces say more.
  void FindPieces() {
    for (uint32_t i = 0; i < wholes_.size(); ++i) {
      StoryPart part = wholes_[i];
      part.whole = i;
      part.depth_of_whole = part.nodes.size();
      std::vector<PathNode> parts = PartsOf(part, least_);
      if (parts.size() == 1) {
        StoryPart only = Followed(Below(part, parts.front()));
        std::vector<PathNode> parts_of_only = PartsOf(only, least_);
        if (parts_of_only.size() < 2 || SelfOf(only) >= least_) {
          pieces_.push_back(std::move(only));
          continue;
        }
        part = std::move(only);
        parts = std::move(parts_of_only);
      }
      for (const PathNode& node : parts)
        pieces_.push_back(Followed(Below(part, node)));
    }
    KeepLargest(kMostChains - wholes_.size(), pieces_);
  }

  // Adds a part that is to be divided. It is shared by all that is told if
  // `is_only` and it has most of the heap.
  void Open(StoryPart part, bool is_only) {
    part.is_shared = is_only && part.value >= kMostOfTheHeap * total_;
    open_.push_back(std::move(part));
    std::ranges::push_heap(open_, SmallerPart{labels_});
  }

  // Takes the largest part that is to be divided; false if enough larger ones
  // are found. In a comparison, a part may be larger than the one that it is a
  // part of, because others shrank; then this is a good guess, and bounds the
  // work.
  bool TakeLargest(StoryPart& part) {
    if (open_.empty()) return false;
    const auto larger =
        std::ranges::count_if(wholes_, [this](const StoryPart& found) {
          return found.value >= open_.front().value;
        });
    if (static_cast<size_t>(larger) >= kMostChains) return false;
    std::ranges::pop_heap(open_, SmallerPart{labels_});
    part = std::move(open_.back());
    open_.pop_back();
    return true;
  }

  // In a comparison in which parts shrank, the smallest that is told may be a
  // small fraction of the others.
  void KeepLargest(size_t most, std::vector<StoryPart>& parts) const {
    std::ranges::sort(parts, [this](const StoryPart& a, const StoryPart& b) {
      return SmallerPart{labels_}(b, a);
    });
    const auto is_small = [&](const StoryPart& part) {
      return part.value < kLeastShare * parts.front().value;
    };
    const auto end = std::ranges::find_if(parts, is_small);
    parts.erase(end, parts.end());
    parts.resize(std::min(parts.size(), most));
  }

  // Returns the functions that the last function of `part` calls and that hold
  // at least `least`, the largest first.
  std::vector<PathNode> PartsOf(const StoryPart& part, double least) {
    const size_t depth = part.nodes.size();
    std::vector<PathNode> next;
    for (const uint32_t path : part.paths) {
      const std::span<const uint32_t> calls = paths_.Of(path);
      if (calls.size() <= depth) continue;
      const uint32_t label = paths_.LabelOf(calls[depth]);
      LabelSum& sum = sum_of_label_[label];
      if (!sum.is_used) next.push_back({label, paths_.RoleOf(calls[depth])});
      sum.is_used = true;
      sum.value += values_[path];
    }
    std::vector<PathNode> parts;
    for (PathNode& node : next) {
      node.value = std::exchange(sum_of_label_[node.label], {}).value;
      if (total_ > 0 && node.value >= least) parts.push_back(node);
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

  // Returns what the last function of `part` allocates itself.
  double SelfOf(const StoryPart& part) const {
    double self = 0;
    for (const uint32_t path : part.paths)
      if (paths_.Of(path).size() == part.nodes.size()) self += values_[path];
    return self;
  }

  // Returns what of `part` is below a function that its last one calls.
  StoryPart Below(const StoryPart& part, const PathNode& node) const {
    StoryPart below = {
        .nodes = part.nodes,
        .value = node.value,
        .shared_depth = part.is_shared ? part.nodes.size() : part.shared_depth,
        .whole = part.whole,
        .depth_of_whole = part.depth_of_whole};
    below.nodes.push_back(node);
    const size_t depth = part.nodes.size();
    for (const uint32_t path : part.paths) {
      const std::span<const uint32_t> calls = paths_.Of(path);
      if (calls.size() > depth && paths_.LabelOf(calls[depth]) == node.label)
        below.paths.push_back(path);
    }
    return below;
  }

  // Follows the calls that have nearly all of `part`.
  StoryPart Followed(StoryPart part) {
    while (true) {
      const std::vector<PathNode> parts =
          PartsOf(part, kNearlyAll * part.value);
      if (parts.empty()) return part;
      part = Below(part, parts.front());
    }
  }

  const std::string& NameOf(const StoryPart& part) const {
    return labels_.Text(part.nodes.back().label);
  }

  // Returns the chains of the wholes, each before those of its pieces.
  std::vector<StoryChain> Chains() {
    std::vector<uint32_t> whole_of_path(paths_.size(), kNone);
    const std::vector<Told> wholes = Tell(
        wholes_, [](const StoryPart&, uint32_t) { return true; },
        whole_of_path);
    std::vector<uint32_t> piece_of_path(paths_.size(), kNone);
    std::vector<Told> pieces = Tell(
        pieces_,
        [&](const StoryPart& piece, uint32_t path) {
          return whole_of_path[path] == piece.whole;
        },
        piece_of_path);
    std::vector<double> value_of_whole(wholes_.size());
    for (const Told& whole : wholes)
      value_of_whole[whole.part] = whole.chain.value();
    std::erase_if(pieces, [&](const Told& piece) {
      return piece.chain.value() >=
             kNearlyAll * value_of_whole[pieces_[piece.part].whole];
    });
    std::vector<StoryChain> chains;
    const size_t most = options_.most_chains;
    const size_t whole_count = std::min(wholes.size(), most);
    pieces.resize(std::min(pieces.size(), most - whole_count));
    for (size_t i = 0; i < whole_count; ++i) {
      const size_t index = chains.size();
      chains.push_back(wholes[i].chain);
      for (const Told& piece : pieces)
        if (pieces_[piece.part].whole == wholes[i].part) {
          chains.push_back(piece.chain);
          chains.back().whole = index;
        }
    }
    return chains;
  }

  struct Told {
    StoryChain chain;
    size_t part = 0;  // index
  };

  // Returns chains of `parts`, the largest first, and sets the part of each
  // path. What a chain says is true for all paths through its functions, also
  // for those that were too few to be a part; they are its own if
  // `may_have(part, path)`.
  template <typename MayHave>
  std::vector<Told> Tell(const std::vector<StoryPart>& parts, MayHave may_have,
                         std::vector<uint32_t>& part_of_path) const {
    const std::vector<std::vector<bool>> named =
        NamedNodes(parts, labels_, total_);
    for (uint32_t i = 0; i < parts.size(); ++i)
      for (const uint32_t path : parts[i].paths) part_of_path[path] = i;
    for (uint32_t path = 0; path < paths_.size(); ++path)
      for (uint32_t i = 0; i < parts.size(); ++i)
        if (part_of_path[path] == kNone && may_have(parts[i], path) &&
            GoesThrough(path, parts[i], named[i]))
          part_of_path[path] = i;
    const std::vector<Change> sums = SumsOf(parts.size(), part_of_path);
    const ErrorBars bars(profile_, options_.metric);
    std::vector<Told> told;
    for (size_t i = 0; i < parts.size(); ++i) {
      StoryChain chain = {.frames = NamesOf(parts[i], named[i])};
      SetPlace(parts[i], chain);
      chain.cell = {.change = sums[i], .interval = bars.Of(sums[i])};
      chain.percent = Percent(Difference(sums[i]), total_);
      if (!IsNoise(chain.cell)) told.push_back({std::move(chain), i});
    }
    std::ranges::stable_sort(
        told, std::ranges::greater(),
        [](const Told& each) { return each.chain.value(); });
    return told;
  }

  std::vector<Change> SumsOf(size_t count,
                             const std::vector<uint32_t>& part_of_path) const {
    std::vector<Change> sums(count);
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
    return sums;
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
    return true;
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
  std::vector<StoryPart> open_;  // to be divided; a heap, the largest first
  std::vector<StoryPart> wholes_;
  std::vector<StoryPart> pieces_;
  std::vector<LabelSum> sum_of_label_;  // working data of PartsOf()
};

}  // namespace

std::vector<StoryChain> MakeStory(const Profile& profile,
                                  const StoryOptions& options) {
  if (options.roles.empty()) return {};
  return StoryFinder(profile, options).Find();
}

}  // namespace heapprof
