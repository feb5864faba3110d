// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/story.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "heapprof/base/no_index.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/change.h"
#include "heapprof/view/error_bars.h"
#include "heapprof/view/units.h"
#include "view/call_paths.h"
#include "view/path_tree.h"
#include "view/run_sums.h"
#include "view/story_limits.h"
#include "view/story_names.h"
#include "view/story_parts.h"

namespace heapprof {
namespace {

// Step 1: the paths of all samples, and what they hold.
struct StoryPaths {
  CallPaths paths;
  std::vector<double> values = {};  // by path; in a comparison, the changes
  std::vector<double> held = {};    // by path, on both sides together
  std::vector<uint32_t> path_of_sample = {};
};

StoryPaths CollectPaths(const Profile& profile, const FrameLabels& labels,
                        const StoryOptions& options) {
  StoryPaths found = {.paths = CallPaths(profile, labels, options.roles)};
  std::vector<uint32_t> path_of_stack(profile.stacks.size(), kNoIndex);
  for (const Sample& sample : profile.samples) {
    uint32_t& path = path_of_stack[sample.stack.index()];
    if (path == kNoIndex) path = found.paths.Add(sample.stack);
    found.values.resize(found.paths.size());
    found.held.resize(found.paths.size());
    const double value = sample.values[options.metric].value;
    found.values[path] += sample.side == Side::kNew ? value : -value;
    found.held[path] += value;
    found.path_of_sample.push_back(path);
  }
  return found;
}

// Returns the fraction of `whole` that one sample stands for; 0 if values have
// no error bars.
double ShareOfSample(const Profile& profile, Metric metric, double whole) {
  const ErrorBars bars(profile, metric);
  if (bars.exactness() != Exactness::kEstimated) return 0;
  const Change change = TotalChange(profile, metric);
  return (change.now.variance + change.base.variance) / (whole * whole);
}

// Returns the smallest share of a part or piece: the x of
// x = kLeastShare + margin_in_errors * sqrt(x * share_of_sample). The variance
// of a part is about its value times that of a sample.
double LeastShare(double margin_in_errors, double share_of_sample) {
  const double error = margin_in_errors * std::sqrt(share_of_sample);
  const double root = (error + std::sqrt(error * error + 4 * kLeastShare)) / 2;
  return root * root;
}

// The least value of a part and of a piece. They are so large that samples do
// not decide which ones there are.
struct LeastValues {
  double part = 0;
  double piece = 0;
};

LeastValues LeastValuesOf(const Profile& profile, Metric metric, double whole) {
  const double sample = ShareOfSample(profile, metric, whole);
  return {.part = whole *
                  std::min(LeastShare(kMarginInErrors, sample), kLargeShare),
          .piece = whole * std::min(LeastShare(kPieceMarginInErrors, sample),
                                    kLargePieceShare)};
}

// Returns the one-sided level at which growth must be proven to be told. A
// story picks the subtrees that seem to have grown most, from about as many as
// there are functions that hold enough. Of all these together, one may seem to
// have grown by chance as rarely as a single one (Bonferroni).
double GrowthLevel(const StoryPaths& found, const FrameLabels& labels,
                   double least_part) {
  const auto functions =
      std::ranges::count_if(SumByLabel(found.paths, found.held, labels),
                            [&](double held) { return held >= least_part; });
  constexpr double kOneSided = (1 - kConfidence) / 2;
  return kOneSided / static_cast<double>(std::max<int64_t>(functions, 1));
}

// Paths by the index of the part or piece whose chain they count for.
using Owners = std::vector<uint32_t>;

// A chain and the subtree that it tells.
struct ToldChain {
  StoryChain chain;
  size_t index = 0;  // of the subtree among all parts or all pieces
  size_t part = 0;   // of a piece: Subtree::part
};

// Steps 3 and 4: makes the chains of parts and pieces.
class ChainMaker {
 public:
  ChainMaker(const Profile& profile, Metric metric, const PathTree& tree,
             const std::vector<uint32_t>& path_of_sample, double growth_level)
      : profile_(profile),
        metric_(metric),
        tree_(tree),
        path_of_sample_(path_of_sample),
        growth_level_(growth_level),
        bars_(profile, metric),
        judge_(JudgingMetric(profile, metric)),
        judging_bars_(profile, judge_) {}

  // Returns at most `most` chains; leaves out pieces first.
  std::vector<StoryChain> Run(const StoryParts& found, size_t most) const {
    Owners part_of_path(tree_.paths().size(), kNoIndex);
    std::vector<ToldChain> parts = Tell(
        found.parts, [](const Subtree&, uint32_t) { return true; },
        part_of_path);
    Owners piece_of_path(tree_.paths().size(), kNoIndex);
    std::vector<ToldChain> pieces = Tell(
        found.pieces,
        [&](const Subtree& piece, uint32_t path) {
          return part_of_path[path] == piece.part;
        },
        piece_of_path);
    JoinWholePieces(parts, pieces);
    parts.resize(std::min(parts.size(), most));
    pieces.resize(std::min(pieces.size(), most - parts.size()));
    return Join(parts, pieces);
  }

 private:
  // Returns the chains of `subtrees`, the largest first, and sets the owners of
  // their paths. A chain also owns other paths through the functions that it
  // shows, those that were too small to be in the subtree, if
  // `may_own(subtree, path)`: what it says is true of them as well.
  template <typename MayOwn>
  std::vector<ToldChain> Tell(const std::vector<Subtree>& subtrees,
                              MayOwn may_own, Owners& owner_of_path) const {
    const std::vector<std::vector<bool>> is_shown =
        ChooseNames(tree_, subtrees);
    for (uint32_t i = 0; i < subtrees.size(); ++i)
      for (const uint32_t path : subtrees[i].paths) owner_of_path[path] = i;
    for (uint32_t path = 0; path < owner_of_path.size(); ++path)
      for (uint32_t i = 0; i < subtrees.size(); ++i)
        if (owner_of_path[path] == kNoIndex && may_own(subtrees[i], path) &&
            GoesThrough(path, subtrees[i], is_shown[i]))
          owner_of_path[path] = i;
    const size_t count = subtrees.size();
    const std::vector<RunSums> sums = SumsOf(count, owner_of_path, metric_);
    const std::vector<RunSums> judged =
        judge_ == metric_ ? sums : SumsOf(count, owner_of_path, judge_);
    std::vector<ToldChain> told;
    for (size_t i = 0; i < count; ++i)
      if (!IsNoise(judged[i]))
        told.push_back(
            {ChainOf(subtrees[i], is_shown[i], sums[i], sums[count + i]), i,
             subtrees[i].part});
    SortByValue(told);
    return told;
  }

  // True if a path has the functions that a chain shows, in this order.
  bool GoesThrough(uint32_t path, const Subtree& subtree,
                   const std::vector<bool>& is_shown) const {
    const std::span<const uint32_t> calls = tree_.paths().Of(path);
    size_t call = 0;
    for (size_t i = 0; i < subtree.nodes.size(); ++i) {
      if (!is_shown[i]) continue;
      while (call < calls.size() &&
             tree_.paths().LabelOf(calls[call]) != subtree.nodes[i].label)
        ++call;
      if (call++ == calls.size()) return false;
    }
    return true;
  }

  // Returns what the paths of each of `count` owners hold, and then what all
  // other paths hold, for each of them.
  std::vector<RunSums> SumsOf(size_t count, const Owners& owner_of_path,
                              Metric metric) const {
    std::vector<RunSums> sums(2 * count, EmptySums(profile_));
    RunSums total = EmptySums(profile_);
    std::vector<uint32_t> owner_of_stack(profile_.stacks.size(), kNoIndex);
    for (size_t i = 0; i < profile_.samples.size(); ++i) {
      const Sample& sample = profile_.samples[i];
      const uint32_t owner = owner_of_path[path_of_sample_[i]];
      owner_of_stack[sample.stack.index()] = owner;
      Add(sample, metric, total);
      if (owner != kNoIndex) Add(sample, metric, sums[owner]);
    }
    for (size_t i = 0; i < count; ++i)
      sums[count + i] = Without(sums[i], total);
    AddSharedVariances(
        profile_, profile_.samples, metric,
        [&](const Sample& sample, std::vector<uint32_t>& of) {
          const uint32_t owner = owner_of_stack[sample.stack.index()];
          for (uint32_t i = 0; i < count; ++i)
            of.push_back(i == owner ? i : static_cast<uint32_t>(count) + i);
        },
        sums);
    return sums;
  }

  // Returns the sums of the samples of `all` that are not in `part`.
  static RunSums Without(const RunSums& part, RunSums all) {
    for (const Side side : kSides)
      for (size_t run = 0; run < all[side].size(); ++run) {
        Estimate& rest = all[side][run];
        rest.value = Difference(rest.value, part[side][run].value);
        rest.variance =
            std::max(0.0, Difference(rest.variance, part[side][run].variance));
      }
    return all;
  }

  // `rest` is what all paths hold but for those of the chain.
  StoryChain ChainOf(const Subtree& subtree, const std::vector<bool>& is_shown,
                     const RunSums& sums, const RunSums& rest) const {
    const Change change = MeansOf(sums);
    StoryChain chain;
    for (size_t i = 0; i < subtree.nodes.size(); ++i)
      if (is_shown[i]) chain.frames.push_back(tree_.NameOf(subtree.nodes[i]));
    NamePlace(subtree, chain);
    chain.cell = {.change = change,
                  .interval = IntervalOf(sums, bars_, Extent::kEntry)};
    chain.percent = Percent(Difference(change), tree_.whole());
    chain.percent_interval = ShareIntervalOf(sums, rest, bars_);
    if (auto& interval = chain.percent_interval)
      *interval = {Percent(interval->lower, 1), Percent(interval->upper, 1)};
    return chain;
  }

  // Sets the file and the line of the last function of a subtree, if each has
  // more than half of its memory. Functions of several files may have one name.
  void NamePlace(const Subtree& subtree, StoryChain& chain) const {
    const size_t last = subtree.nodes.size() - 1;
    std::map<std::string_view, std::map<uint32_t, double>> values;
    for (const uint32_t path : subtree.paths) {
      const Line& line = profile_.lines[tree_.paths().Of(path)[last]];
      const Function& function = profile_.functions[line.function.index()];
      values[profile_.String(function.filename)][line.line] +=
          tree_.ValueOf(path);
    }
    double most = subtree.value / 2;
    for (const auto& [file, value_of_line] : values)
      if (const double value = SumOf(value_of_line); value > most) {
        most = value;
        chain.file = file;
      }
    if (chain.file.empty()) return;
    most = subtree.value / 2;
    for (const auto& [line, value] : values[chain.file])
      if (value > most) {
        most = value;
        chain.line = line;
      }
  }

  static double SumOf(const std::map<uint32_t, double>& values) {
    double sum = 0;
    for (const auto& [_, value] : values) sum += value;
    return sum;
  }

  // True if samples do not prove that something grew. `sums` are of judge_.
  bool IsNoise(const RunSums& sums) const {
    if (!profile_.is_comparison ||
        judging_bars_.exactness() != Exactness::kEstimated)
      return false;
    const Growth growth = GrowthOf(sums, judging_bars_, Extent::kEntry,
                                   judging_bars_.VariationOf(Extent::kEntry));
    return LowerGrowthBound(growth, /*ratio=*/1, growth_level_) <= 0;
  }

  // Leaves out the pieces of parts that are not told, because they are noise. A
  // piece that has nearly all of its part, with the other paths through its
  // functions, is no piece, but the end of the part's chain.
  static void JoinWholePieces(std::vector<ToldChain>& parts,
                              std::vector<ToldChain>& pieces) {
    std::erase_if(pieces, [&](const ToldChain& piece) {
      const auto part = std::ranges::find(parts, piece.part, &ToldChain::index);
      if (part == parts.end()) return true;
      if (piece.chain.value() < kNearlyAll * part->chain.value()) return false;
      std::vector<std::string> frames = part->chain.frames;
      frames.insert(frames.end(), piece.chain.frames.begin(),
                    piece.chain.frames.end());
      part->chain = piece.chain;
      part->chain.frames = std::move(frames);
      return true;
    });
    SortByValue(parts);
  }

  static void SortByValue(std::vector<ToldChain>& told) {
    std::ranges::stable_sort(
        told, std::ranges::greater(),
        [](const ToldChain& each) { return each.chain.value(); });
  }

  // Returns the chain of each part, followed by those of its pieces.
  static std::vector<StoryChain> Join(const std::vector<ToldChain>& parts,
                                      const std::vector<ToldChain>& pieces) {
    std::vector<StoryChain> chains;
    for (const ToldChain& part : parts) {
      const size_t index = chains.size();
      chains.push_back(part.chain);
      for (const ToldChain& piece : pieces)
        if (piece.part == part.index) {
          chains.push_back(piece.chain);
          chains.back().part_of = index;
        }
    }
    return chains;
  }

  const Profile& profile_;
  const Metric metric_;
  const PathTree& tree_;
  const std::vector<uint32_t>& path_of_sample_;
  const double growth_level_;
  const ErrorBars bars_;
  const Metric judge_;
  const ErrorBars judging_bars_;
};

}  // namespace

std::vector<StoryChain> MakeStory(const Profile& profile,
                                  const StoryOptions& options) {
  if (options.roles.empty()) return {};
  const FrameLabels labels(profile,
                           {.names = options.names, .marks_inlined = false});
  StoryPaths found = CollectPaths(profile, labels, options);
  PathTree tree(found.paths, std::move(found.values), labels);
  if (!(tree.whole() > 0)) return {};
  const auto least = LeastValuesOf(profile, options.metric, tree.whole());
  const StoryParts parts = FindStoryParts(tree, least.part, least.piece);
  const double level = GrowthLevel(found, labels, least.part);
  return ChainMaker(profile, options.metric, tree, found.path_of_sample, level)
      .Run(parts, options.most_chains);
}

}  // namespace heapprof
