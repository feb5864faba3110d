// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "heapprof/profile/shared_variance.h"

namespace heapprof {
namespace {

// Of one side, because a sum of both would take two cache lines.
struct LabelSum {
  Estimate flat = {};
  Estimate cumulative = {};
  // The index + 1 of the sample that was added last; 0 = none yet. With it, a
  // sample counts only once, even if several of its frames have the label.
  size_t last_sample = 0;
};

std::vector<LabelSum> Sum(const Profile& profile,
                          std::span<const Sample> samples,
                          const FrameLabels& labels, Metric metric, Side side) {
  std::vector<LabelSum> sums(labels.size());
  size_t sample_number = 0;
  for (const Sample& sample : samples) {
    ++sample_number;
    const Estimate& estimate = sample.values[metric];
    if (estimate.value == 0 || sample.side != side) continue;
    bool leaf = true;
    for (LocationId frame : profile.StackFrames(sample.stack)) {
      for (uint32_t label : labels.Of(frame)) {
        LabelSum& sum = sums[label];
        if (std::exchange(leaf, false)) sum.flat += estimate;
        if (std::exchange(sum.last_sample, sample_number) != sample_number)
          sum.cumulative += estimate;
      }
    }
  }
  return sums;
}

// Adds what threads with the same random seed add to the errors.
void AddSharedVariances(const Profile& profile, std::span<const Sample> samples,
                        const FrameLabels& labels, Metric metric,
                        Sides<std::vector<LabelSum>>& sums) {
  const SharedSeeds seeds(profile);
  const auto add = [&](Estimate LabelSum::* part,
                       const EntriesOfSample& labels_of) {
    for (const auto& [label, side, run, variance] :
         seeds.Of(samples, metric, labels.size(), labels_of))
      if (std::vector<LabelSum>& of_side = sums[side]; !of_side.empty())
        (of_side[label].*part).variance += variance;
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
  const size_t inlined = call.line - profile.locations[id.index()].lines.first;
  // There may be fewer labels than calls, because adjacent calls with the same
  // label are merged.
  return ids[std::min(inlined, ids.size() - 1)];
}

std::vector<LabelChange> SumByLabel(const Profile& profile,
                                    std::span<const Sample> samples,
                                    const FrameLabels& labels, Metric metric) {
  const double rounding = RoundingError(samples, metric);
  Sides<std::vector<LabelSum>> sums;
  sums.now = Sum(profile, samples, labels, metric, Side::kNew);
  if (profile.is_comparison)
    sums.base = Sum(profile, samples, labels, metric, Side::kBase);
  AddSharedVariances(profile, samples, labels, metric, sums);
  std::vector<LabelChange> changes;
  changes.reserve(labels.size());
  for (size_t i = 0; i < labels.size(); ++i) {
    const LabelSum& now = sums.now[i];
    const LabelSum base = sums.base.empty() ? LabelSum() : sums.base[i];
    LabelChange& change = changes.emplace_back(
        Change(now.flat, base.flat), Change(now.cumulative, base.cumulative));
    for (Change* part : {&change.flat, &change.cumulative})
      if (const double value = Difference(*part);
          value != 0 && std::abs(value) <= rounding)
        part->now.value = part->base.value;
  }
  return changes;
}

}  // namespace heapprof
