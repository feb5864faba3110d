// SPDX-License-Identifier: Apache-2.0
#include "view/label_sums.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iterator>
#include <span>
#include <utility>

#include "heapprof/profile/shared_variance.h"
#include "view/sample_blocks.h"

namespace heapprof {
namespace {

// Of one side: by label, and for each of some metrics.
struct LabelSums {
  std::vector<Estimate> flat = {};
  std::vector<Estimate> cumulative = {};
};

// Which sums of one side are wanted.
struct WantedSums {
  const Profile& profile;
  const FrameLabels& labels;
  std::span<const Metric> metrics;
  Side side;
};

// The sums of one side: those of a label, for each of `kColumns` metrics, are
// adjacent.
template <size_t kColumns>
void AddSamples(const WantedSums& wanted, std::span<const Sample> samples,
                LabelSums& sums) {
  const FrameLabels& labels = wanted.labels;
  using Terms = std::array<Estimate, kColumns>;
  const auto add = [](const Terms& terms, uint32_t label,
                      std::vector<Estimate>& to) {
    Estimate* const columns = to.data() + label * kColumns;
    for (size_t i = 0; i < kColumns; ++i) columns[i] += terms[i];
  };
  // The index + 1 of the sample that was last added to a label; 0 = none yet.
  // With it, a sample counts only once, even if several of its frames have the
  // label. Apart from the sums: most frames only need this.
  std::vector<uint32_t> last_samples(labels.size());
  uint32_t number = 0;
  for (const Sample& sample : samples) {
    ++number;
    if (sample.side != wanted.side) continue;
    Terms terms;
    for (size_t i = 0; i < kColumns; ++i)
      terms[i] = sample.values[wanted.metrics[i]];
    const auto frames = wanted.profile.StackFrames(sample.stack);
    const auto leaf = labels.LeafOf(frames);
    if (!leaf) continue;
    add(terms, *leaf, sums.flat);
    for (const LocationId frame : frames)
      for (const uint32_t label : labels.Of(frame))
        if (std::exchange(last_samples[label], number) != number)
          add(terms, label, sums.cumulative);
  }
}

LabelSums SumBlock(const WantedSums& wanted, std::span<const Sample> samples) {
  const size_t size = wanted.labels.size() * wanted.metrics.size();
  LabelSums sums = {.flat = std::vector<Estimate>(size),
                    .cumulative = std::vector<Estimate>(size)};
  const auto add = [&]<size_t kColumns>() {
    AddSamples<kColumns>(wanted, samples, sums);
  };
  switch (wanted.metrics.size()) {
    case 1:
      add.operator()<1>();
      break;
    case 2:
      add.operator()<2>();
      break;
    case 3:
      add.operator()<3>();
      break;
    default:
      add.operator()<kMetricCount>();
      break;
  }
  return sums;
}

// Like SumBlock(), but on several threads if there are many samples.
LabelSums Sum(const WantedSums& wanted, std::span<const Sample> samples) {
  return SumBlocks<LabelSums>(
      samples, wanted.labels.jobs(),
      [&](std::span<const Sample> block) { return SumBlock(wanted, block); },
      [](const LabelSums& of_block, LabelSums& sums) {
        for (size_t i = 0; i < sums.flat.size(); ++i) {
          sums.flat[i] += of_block.flat[i];
          sums.cumulative[i] += of_block.cumulative[i];
        }
      });
}

// Adds what threads with the same random seed add to the errors.
void AddVariancesOfSeeds(const Profile& profile,
                         std::span<const Sample> samples,
                         const FrameLabels& labels,
                         std::span<const Metric> metrics,
                         Sides<LabelSums>& sums) {
  const SharedSeeds seeds(profile);
  const auto add = [&](std::vector<Estimate> LabelSums::* part,
                       const EntriesOfSample& labels_of) {
    for (size_t column = 0; column < metrics.size(); ++column)
      for (const auto& [label, side, run, variance] :
           seeds.Of(samples, metrics[column], labels.size(), labels_of))
        if (std::vector<Estimate>& of_side = sums[side].*part; !of_side.empty())
          of_side[label * metrics.size() + column].variance += variance;
  };
  add(&LabelSums::flat, [&](const Sample& sample, std::vector<uint32_t>& of) {
    if (const auto leaf = labels.LeafOf(profile.StackFrames(sample.stack)))
      of.push_back(*leaf);
  });
  add(&LabelSums::cumulative,
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
  Sides<LabelSums> sums;
  sums.now = Sum({profile, labels, metrics, Side::kNew}, samples);
  if (profile.is_comparison)
    sums.base = Sum({profile, labels, metrics, Side::kBase}, samples);
  AddVariancesOfSeeds(profile, samples, labels, metrics, sums);
  std::vector<std::vector<LabelChange>> changes(metrics.size());
  for (size_t column = 0; column < metrics.size(); ++column) {
    const double rounding = RoundingError(samples, metrics[column]);
    changes[column].reserve(labels.size());
    const auto change_of = [&](std::vector<Estimate> LabelSums::* part,
                               size_t i) {
      const std::vector<Estimate>& base = sums.base.*part;
      return Change((sums.now.*part)[i], base.empty() ? Estimate() : base[i]);
    };
    for (size_t i = column; i < sums.now.flat.size(); i += metrics.size()) {
      LabelChange& change = changes[column].emplace_back(
          change_of(&LabelSums::flat, i), change_of(&LabelSums::cumulative, i));
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

SumsOfMetrics::SumsOfMetrics(const Profile& profile,
                             std::span<const Sample> samples,
                             const FrameLabels& labels,
                             std::span<const Metric> metrics) {
  for (const Metric metric : metrics)
    if (std::ranges::find(metrics_, metric) == metrics_.end())
      metrics_.push_back(metric);
  sums_ = SumByLabel(profile, samples, labels, metrics_);
}

const std::vector<LabelChange>& SumsOfMetrics::Of(Metric metric) const {
  const auto it = std::ranges::find(metrics_, metric);
  assert(it != metrics_.end());
  return sums_[static_cast<size_t>(it - metrics_.begin())];
}

}  // namespace heapprof
