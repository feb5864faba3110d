// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "heapprof/profile/shared_variance.h"
#include "view/sample_blocks.h"

namespace heapprof {
namespace {

// Of one side and metric.
struct LabelSum {
  Estimate flat = {};
  Estimate cumulative = {};
};

// The sums of one side: those of a label, for each of the metrics, are
// adjacent.
std::vector<LabelSum> SumBlock(const Profile& profile,
                               std::span<const Sample> samples,
                               const FrameLabels& labels,
                               std::span<const Metric> metrics, Side side) {
  struct Term {
    size_t column;  // index into `metrics`
    Estimate estimate;
  };
  std::vector<LabelSum> sums(labels.size() * metrics.size());
  // The index + 1 of the sample that was last added to a label; 0 = none yet.
  // With it, a sample counts only once, even if several of its frames have the
  // label. Apart from the sums: most frames only need this.
  std::vector<uint32_t> last_samples(labels.size());
  std::vector<Term> terms;
  uint32_t number = 0;
  for (const Sample& sample : samples) {
    ++number;
    if (sample.side != side) continue;
    terms.clear();
    for (size_t column = 0; column < metrics.size(); ++column)
      if (const Estimate& estimate = sample.values[metrics[column]];
          estimate.value != 0)
        terms.push_back({column, estimate});
    if (terms.empty()) continue;
    const auto frames = profile.StackFrames(sample.stack);
    const auto leaf = std::ranges::find_if(
        frames, [&](LocationId frame) { return !labels.Of(frame).empty(); });
    if (leaf == frames.end()) continue;
    const uint32_t leaf_label = labels.Of(*leaf).front();
    for (const Term& term : terms)
      sums[leaf_label * metrics.size() + term.column].flat += term.estimate;
    for (const LocationId frame : frames)
      for (const uint32_t label : labels.Of(frame))
        if (std::exchange(last_samples[label], number) != number)
          for (const Term& term : terms)
            sums[label * metrics.size() + term.column].cumulative +=
                term.estimate;
  }
  return sums;
}

// Like SumBlock(), but on several threads if there are many samples.
std::vector<LabelSum> Sum(const Profile& profile,
                          std::span<const Sample> samples,
                          const FrameLabels& labels,
                          std::span<const Metric> metrics, Side side) {
  using Sums = std::vector<LabelSum>;
  return SumBlocks<Sums>(
      samples, labels.jobs(),
      [&](std::span<const Sample> block) {
        return SumBlock(profile, block, labels, metrics, side);
      },
      [](const Sums& of_block, Sums& sums) {
        for (size_t i = 0; i < sums.size(); ++i) {
          sums[i].flat += of_block[i].flat;
          sums[i].cumulative += of_block[i].cumulative;
        }
      });
}

// Adds what threads with the same random seed add to the errors.
void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        const FrameLabels& labels,
                        std::span<const Metric> metrics,
                        Sides<std::vector<LabelSum>>& sums) {
  const SharedSeeds seeds(profile);
  const auto add = [&](Estimate LabelSum::* part,
                       const EntriesOfSample& labels_of) {
    for (size_t column = 0; column < metrics.size(); ++column)
      for (const auto& [label, side, run, variance] :
           seeds.Of(samples, metrics[column], labels.size(), labels_of))
        if (std::vector<LabelSum>& of_side = sums[side]; !of_side.empty())
          (of_side[label * metrics.size() + column].*part).variance += variance;
  };
  add(&LabelSum::flat, [&](const Sample& sample, std::vector<uint32_t>& of) {
    for (const LocationId frame : profile.StackFrames(sample.stack))
      if (const auto ids = labels.Of(frame); !ids.empty())
        return of.push_back(ids.front());
  });
  add(&LabelSum::cumulative,
      [&](const Sample& sample, std::vector<uint32_t>& of) {
        for (const LocationId frame : profile.StackFrames(sample.stack))
          std::ranges::copy(labels.Of(frame), std::back_inserter(of));
      });
}

// Returns the largest rounding error of a sum in which increases and decreases
// cancel. It depends on the absolute values of the terms of this sum. These
// were not added up, but their total is at most that of all samples.
double RoundingError(std::span<const Sample> samples, Metric metric) {
  constexpr double kRoundingOfAll = 1e-14;
  double size = 0;
  bool shrank = false;
  for (const Sample& sample : samples) {
    size += std::abs(sample.values[metric].value);
    shrank |= sample.values[metric].value < 0;
  }
  return shrank ? kRoundingOfAll * size : 0;
}

}  // namespace

uint32_t LabelOf(const Profile& profile, const Sample& sample,
                 const StackCall& call, const FrameLabels& labels) {
  const LocationId id = profile.StackFrames(sample.stack)[call.frame];
  const auto ids = labels.Of(id);
  assert(!ids.empty());
  const size_t inlined = call.line - profile.locations[id.index()].lines.first;
  // There may be fewer labels than calls, because adjacent calls with the same
  // label are merged.
  return ids[std::min(inlined, ids.size() - 1)];
}

std::vector<std::vector<LabelChange>> SumByLabel(
    const Profile& profile, std::span<const Sample> samples,
    const FrameLabels& labels, std::span<const Metric> metrics) {
  Sides<std::vector<LabelSum>> sums;
  sums.now = Sum(profile, samples, labels, metrics, Side::kNew);
  if (profile.is_comparison)
    sums.base = Sum(profile, samples, labels, metrics, Side::kBase);
  AddSharedVariances(profile, samples, labels, metrics, sums);
  std::vector<std::vector<LabelChange>> changes(metrics.size());
  for (size_t column = 0; column < metrics.size(); ++column) {
    const double rounding = RoundingError(samples, metrics[column]);
    changes[column].reserve(labels.size());
    for (size_t i = column; i < sums.now.size(); i += metrics.size()) {
      const LabelSum& now = sums.now[i];
      const LabelSum base = sums.base.empty() ? LabelSum() : sums.base[i];
      LabelChange& change = changes[column].emplace_back(
          Change(now.flat, base.flat), Change(now.cumulative, base.cumulative));
      for (Change* part : {&change.flat, &change.cumulative})
        if (const double value = Difference(*part);
            value != 0 && std::abs(value) <= rounding)
          part->now.value = part->base.value;
    }
  }
  return changes;
}

std::vector<LabelChange> SumByLabel(const Profile& profile,
                                    std::span<const Sample> samples,
                                    const FrameLabels& labels, Metric metric) {
  return std::move(
      SumByLabel(profile, samples, labels, std::span(&metric, 1)).front());
}

}  // namespace heapprof
