// SPDX-License-Identifier: Apache-2.0
#include "heapprof/explain/slab_holders.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "explain/replay.h"
#include "heapprof/profile/sampling_period.h"
#include "heapprof/stats/interval.h"
#include "heapprof/stats/unbias.h"
#include "heapprof/view/recorded_counts.h"
#include "heapprof/view/size_class.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

constexpr size_t kMostClassesWithHolders = 5;
constexpr size_t kMostHolders = 100;

// Names are asked for once.
class NamedStacks {
 public:
  explicit NamedStacks(const StackNamer& namer) : namer_(namer) {}

  const std::vector<std::string>& Of(StackId stack) {
    const auto [it, is_new] = names_.try_emplace(stack);
    if (is_new) it->second = namer_(stack);
    return it->second;
  }

 private:
  const StackNamer& namer_;
  std::unordered_map<StackId, std::vector<std::string>> names_;
};

// The class whose size is nearest to `size`; null if it is too large for all.
const SmallClass* NearestClass(std::span<const SmallClass> classes,
                               double size) {
  const SmallClass* nearest = nullptr;
  const auto distance = [size](const SmallClass& one) {
    return std::abs(size - static_cast<double>(one.size));
  };
  for (const SmallClass& one : classes)
    if (nearest == nullptr || distance(one) < distance(*nearest))
      nearest = &one;
  return nearest;
}

// A stack's objects of one class, on both sides and in the log.
struct Tally {
  uint64_t now = 0;
  uint64_t base = 0;
  HolderShare replayed = {};
};

using Tallies = std::map<std::vector<std::string>, Tally>;

class ClassHolders {
 public:
  ClassHolders(const HolderSide& now, const HolderSide* base,
               const HolderLog* log)
      : now_(now),
        base_(base),
        log_(log),
        now_names_(now.names),
        base_names_(base == nullptr ? now.names : base->names),
        log_names_(log == nullptr ? now.names : log->names) {}

  void Set(ClassWaste& waste) {
    Tallies tallies;
    for (const StackObjects& one : now_.sizes.stacks)
      if (one.size == waste.small.size)
        tallies[now_names_.Of(one.stack)].now += one.count;
    if (base_ != nullptr)
      for (const StackObjects& one : base_->sizes.stacks)
        if (one.size == waste.small.size)
          tallies[base_names_.Of(one.stack)].base += one.count;
    if (log_ != nullptr) ReplayLog(tallies, waste);
    for (const auto& [frames, tally] : tallies) Add(frames, tally, waste);
    ShareAdded(waste);
    Sort(waste);
  }

 private:
  void ReplayLog(Tallies& tallies, ClassWaste& waste);
  void Add(const std::vector<std::string>& frames, const Tally& tally,
           ClassWaste& waste) const;
  static void ShareAdded(ClassWaste& waste);
  static void Sort(ClassWaste& waste);

  const HolderSide& now_;
  const HolderSide* base_;
  const HolderLog* log_;
  NamedStacks now_names_, base_names_, log_names_;
};

// True if the shares of `replay` rest on few objects.
bool IsUncertain(const Replay& replay) {
  constexpr uint64_t kLeader = 10;
  constexpr double kMeanOfShown = 20, kLeastShown = 0.05;
  const auto leader =
      std::ranges::max_element(replay.holders, {}, &HolderShare::share);
  double live = 0, shown = 0;
  for (const HolderShare& holder : replay.holders) {
    if (holder.share < kLeastShown) continue;
    live += static_cast<double>(holder.live);
    ++shown;
  }
  return replay.free < kFewFreeRegions || leader == replay.holders.end() ||
         leader->live < kLeader || live < kMeanOfShown * shown;
}

void ClassHolders::ReplayLog(Tallies& tallies, ClassWaste& waste) {
  constexpr double kMostDifference = 0.15;
  std::map<std::vector<std::string>, uint32_t> numbers;
  std::vector<ReplayedObject> objects;
  for (const RecentAllocation& one : log_->allocations) {
    if (one.size != waste.small.size) continue;
    const auto number = numbers
                            .try_emplace(log_names_.Of(one.stack),
                                         static_cast<uint32_t>(numbers.size()))
                            .first->second;
    objects.push_back({number, one.thread_uid, one.allocated, one.freed});
  }
  const Replay replay =
      ReplayObjects(objects, static_cast<uint32_t>(numbers.size()));
  uint64_t sampled = 0;
  for (const auto& [frames, tally] : tallies) sampled += tally.now;
  ReplayFit fit = {.free_share = replay.free_share,
                   .actual_share = 1 - waste.used,
                   .objects = replay.objects,
                   .live = replay.live,
                   .older = sampled - std::min(sampled, replay.live),
                   .free = replay.free,
                   .is_uncertain = IsUncertain(replay)};
  fit.fits = replay.free_share > 0 &&
             std::abs(fit.free_share - fit.actual_share) <= kMostDifference;
  waste.replay = fit;
  if (!fit.fits) return;
  for (const auto& [frames, number] : numbers)
    if (replay.holders[number].live != 0)
      tallies[frames].replayed = replay.holders[number];
}

void ClassHolders::Add(const std::vector<std::string>& frames,
                       const Tally& tally, ClassWaste& waste) const {
  const SmallClass& small = waste.small;
  const auto size = static_cast<double>(small.size);
  const auto estimate = [size](uint64_t count, uint64_t period) {
    const auto objects = static_cast<double>(count);
    return MayMissAllocations(period)
               ? UnbiasOneSize(objects, size, static_cast<double>(period))
                     .objects
               : Estimate{.value = objects};
  };
  const uint64_t period = now_.sizes.sampling_period;
  const Estimate objects = estimate(tally.now, period);
  const MeasuredSide side = {
      .mean = objects,
      .missed = MayMissAllocations(period) ? estimate(1, period).value : 0};
  SlabHolder holder = {.frames = frames,
                       .samples = tally.now,
                       .objects = objects.value,
                       .object_bounds = ConfidenceInterval(side, kConfidence)};
  // What an object keeps: all other regions of its slab.
  const double each = static_cast<double>(small.regions_per_slab - 1) * size;
  const auto free = static_cast<double>(small.free_bytes());
  const double others = std::max(
      0.0, static_cast<double>(small.regions) - holder.object_bounds.lower);
  holder.at_most = static_cast<uint64_t>(
      std::min(free, std::ceil(holder.object_bounds.upper) * each));
  holder.at_least =
      static_cast<uint64_t>(std::max(0.0, free - std::ceil(others) * each));
  if (tally.replayed.live != 0)
    holder.kept = KeptShare{tally.replayed.share, tally.replayed.bounds,
                            tally.replayed.live};
  if (base_ != nullptr)
    holder.added_objects =
        objects.value -
        estimate(tally.base, base_->sizes.sampling_period).value;
  waste.holders.push_back(std::move(holder));
}

void ClassHolders::ShareAdded(ClassWaste& waste) {
  if (waste.small.free_bytes() <= waste.base.free_bytes()) return;
  double all = 0;
  for (const SlabHolder& holder : waste.holders)
    all += std::max(0.0, holder.added_objects);
  for (SlabHolder& holder : waste.holders)
    holder.added_share =
        all > 0 ? std::max(0.0, holder.added_objects) / all : 0;
}

void ClassHolders::Sort(ClassWaste& waste) {
  std::ranges::stable_sort(waste.holders, {}, [](const SlabHolder& holder) {
    return std::tuple(holder.kept ? -holder.kept->share : 1.0,
                      -holder.added_share, -holder.objects);
  });
  if (waste.holders.size() > kMostHolders) waste.holders.resize(kMostHolders);
}

bool IsMuchFreeIn(const Waterfall& waterfall, const ClassWaste& waste) {
  constexpr uint64_t kLeast = 1 << 20;
  constexpr int64_t kLeastPart = 100;  // of the total
  const uint64_t free = waste.small.free_bytes();
  return free >= kLeast &&
         static_cast<int64_t>(free) >= waterfall.total / kLeastPart;
}

// Says what limits the meaning of the holders.
class HolderRemarks {
 public:
  HolderRemarks(const HolderSide& now, Waterfall& waterfall)
      : now_(now), waterfall_(waterfall) {}

  void Add() {
    if (waterfall_.has_log)
      std::erase_if(waterfall_.remarks, [](const Remark& remark) {
        return remark.kind == RemarkKind::kOneDump;
      });
    bool has_holders = false, has_added = false;
    for (const ClassWaste& waste : waterfall_.classes) {
      DescribeReplay(waste);
      has_holders |= !waste.holders.empty();
      has_added |= !(waste.replay && waste.replay->fits) &&
                   std::ranges::any_of(waste.holders, [](const auto& holder) {
                     return holder.added_share > 0;
                   });
    }
    if (has_added)
      Say(RemarkKind::kAddedObjects,
          "that a stack keeps as large a share of the new free regions as it "
          "has of the added objects is right only if no other stack has "
          "filled slabs of that size since the base, which two dumps do not "
          "show; --recent FILE does");
    if (has_holders && now_.sizes.mixed_objects != 0)
      Say(RemarkKind::kMixedSizes,
          fmt::format("{} with {} sampled objects {} objects of several sizes, "
                      "and {} in no list of a size",
                      now_.sizes.mixed_stacks == 1
                          ? "a stack"
                          : fmt::format("{} stacks", now_.sizes.mixed_stacks),
                      now_.sizes.mixed_objects,
                      now_.sizes.mixed_stacks == 1 ? "has" : "have",
                      now_.sizes.mixed_stacks == 1 ? "is" : "are"));
    DescribeUnsampled();
  }

 private:
  void Say(RemarkKind kind, std::string text) {
    waterfall_.remarks.push_back({kind, std::move(text)});
  }

  void DescribeReplay(const ClassWaste& waste) {
    if (!waste.replay) return;
    const ReplayFit& fit = *waste.replay;
    const std::string size = FormatSize(waste.small.size);
    if (!fit.fits) {
      Say(RemarkKind::kMisfit,
          fit.live == 0
              ? fmt::format("the log has no live object of {}", size)
              : fmt::format("the log does not fit the objects of {}: its "
                            "replay leaves {} of their regions free, and {} "
                            "are; so it does not say who keeps them",
                            size, FormatShare(100 * fit.free_share),
                            FormatShare(100 * fit.actual_share)));
      return;
    }
    if (fit.is_uncertain)
      Say(RemarkKind::kFewSamples,
          fit.free < kFewFreeRegions
              ? fmt::format("few regions for objects of {} are free in the "
                            "replay ({}): the order of their stacks is "
                            "uncertain",
                            size, fit.free)
              : fmt::format("few sampled objects of {} are live in the log "
                            "({}): the order of their stacks is uncertain",
                            size, fit.live));
    if (fit.older != 0)
      Say(RemarkKind::kOlderThanLog,
          fmt::format("{} of {} sampled objects of {} are older than the log: "
                      "what they keep is not known, and the shares are those "
                      "of the others",
                      fit.older, fit.older + fit.live, size));
  }

  // A stack may be missed if it has few objects; each may keep a slab.
  void DescribeUnsampled() {
    const uint64_t period = now_.sizes.sampling_period;
    if (!MayMissAllocations(period)) return;
    // A stack that holds more has a sample with a probability of kConfidence.
    const auto most_periods =
        static_cast<uint64_t>(std::ceil(-std::log(1 - kConfidence)));
    for (const ClassWaste& waste : waterfall_.classes) {
      if (waste.holders.empty() || (waste.replay && waste.replay->fits))
        continue;
      const uint64_t objects = most_periods * period / waste.small.size;
      const double each =
          static_cast<double>(waste.small.regions_per_slab - 1) *
          static_cast<double>(waste.small.size);
      if (static_cast<double>(objects) * each <
          static_cast<double>(waste.small.free_bytes()))
        continue;
      Say(RemarkKind::kUnsampled,
          fmt::format("a stack without samples may have {} objects of {}, "
                      "enough to keep all slabs of that size",
                      objects, FormatSize(waste.small.size)));
      return;
    }
  }

  const HolderSide& now_;
  Waterfall& waterfall_;
};

}  // namespace

SampledObjectSizes FindSizes(const Profile& profile,
                             std::span<const SmallClass> classes) {
  constexpr double kMostOff = 0.005;
  SampledObjectSizes sizes = {.sampling_period = profile.sampling_period};
  const auto period = static_cast<double>(profile.sampling_period);
  std::set<StackId> mixed;
  for (const Sample& sample : profile.samples) {
    const auto counts =
        RecordedCountsOf(sample.values, profile.sampling_period);
    if (!counts || counts->current.objects == 0) continue;
    const uint64_t count = counts->current.objects;
    const double mean =
        static_cast<double>(counts->current.bytes) / static_cast<double>(count);
    const SmallClass* const nearest = NearestClass(classes, mean);
    if (nearest == nullptr ||
        mean > static_cast<double>(classes.back().size) * (1 + kMostOff))
      continue;
    const double off = std::abs(mean / static_cast<double>(nearest->size) - 1);
    if (off <= kMostOff ||
        (MayMissAllocations(profile.sampling_period) &&
         MayBeOfSize(count, counts->current.bytes, nearest->size, period))) {
      sizes.stacks.push_back({sample.stack, nearest->size, count});
    } else {
      mixed.insert(sample.stack);
      sizes.mixed_objects += count;
    }
  }
  sizes.mixed_stacks = mixed.size();
  return sizes;
}

bool HasMuchFree(const Waterfall& waterfall) {
  return std::ranges::any_of(waterfall.classes, [&](const ClassWaste& waste) {
    return IsMuchFreeIn(waterfall, waste);
  });
}

void AddHolders(const HolderSide& now, const HolderSide* base,
                const HolderLog* log, Waterfall& waterfall) {
  ClassHolders holders(now, base, log);
  size_t count = 0;
  for (ClassWaste& waste : waterfall.classes)
    if (IsMuchFreeIn(waterfall, waste) && count++ < kMostClassesWithHolders)
      holders.Set(waste);
  waterfall.has_log = log != nullptr;
  HolderRemarks(now, waterfall).Add();
}

}  // namespace heapprof
