// SPDX-License-Identifier: Apache-2.0
#include "explain/replay.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <tuple>
#include <utility>

#include "heapprof/stats/interval.h"
#include "heapprof/stats/proportion.h"

namespace heapprof {
namespace {

// With 16, dense slabs look fuller than they are; 64 needs more samples than
// there usually are.
constexpr uint32_t kRegions = 32;
constexpr uint32_t kFull = ~uint32_t{0};

// The slabs of a thread.
class Slabs {
 public:
  // Returns the number of the region.
  uint64_t Allocate() {
    if (open_.empty()) {
      open_.insert(used_.size());
      used_.push_back(0);
      touched_.push_back(0);
    }
    const size_t slab = *open_.begin();
    const auto region = static_cast<uint32_t>(std::countr_one(used_[slab]));
    used_[slab] |= uint32_t{1} << region;
    touched_[slab] = std::max(touched_[slab], region + 1);
    if (used_[slab] == kFull) open_.erase(open_.begin());
    return slab * kRegions + region;
  }

  void Free(uint64_t region) {
    const auto slab = static_cast<size_t>(region / kRegions);
    used_[slab] &= ~(uint32_t{1} << region % kRegions);
    if (used_[slab] != 0)
      open_.insert(slab);
    else
      open_.erase(slab);
  }

  // Returns how many regions of the slab with this one were ever in use. The
  // others are free only because a slab of samples is so large: in reality,
  // there is at most one such slab.
  uint32_t Touched(uint64_t region) const {
    return touched_[static_cast<size_t>(region / kRegions)];
  }

 private:
  std::vector<uint32_t> used_;     // by slab: a bit for each region
  std::vector<uint32_t> touched_;  // by slab
  std::set<size_t> open_;          // slabs with used and with free regions
};

// A slab at the end.
struct LiveSlab {
  uint32_t regions = 0;                // that were ever in use
  std::vector<uint32_t> holders = {};  // of its live objects

  double free() const { return static_cast<double>(regions - holders.size()); }
};

struct Event {
  uint64_t time = 0;
  bool is_end = false;
  size_t object = 0;
};

std::vector<Event> EventsOf(std::span<const ReplayedObject> objects) {
  std::vector<Event> events;
  for (size_t i = 0; i < objects.size(); ++i) {
    events.push_back({objects[i].allocated, false, i});
    if (objects[i].freed != UINT64_MAX)
      events.push_back({objects[i].freed, true, i});
  }
  // Where the clock is coarse, objects come before others go.
  std::ranges::sort(events, {}, [](const Event& event) {
    return std::tuple(event.time, event.is_end, event.object);
  });
  return events;
}

// What a holder keeps of a slab, in regions.
struct Part {
  uint32_t holder = 0;
  double regions = 0;
};

// The slabs with live objects.
std::vector<LiveSlab> LiveSlabs(std::span<const ReplayedObject> objects) {
  std::map<uint64_t, Slabs> threads;
  std::vector<uint64_t> regions(objects.size());
  for (const Event& event : EventsOf(objects)) {
    Slabs& slabs = threads[objects[event.object].thread];
    if (event.is_end)
      slabs.Free(regions[event.object]);
    else
      regions[event.object] = slabs.Allocate();
  }
  std::map<std::pair<uint64_t, uint64_t>, LiveSlab> live;
  for (size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].freed != UINT64_MAX) continue;
    LiveSlab& slab = live[{objects[i].thread, regions[i] / kRegions}];
    slab.regions = threads[objects[i].thread].Touched(regions[i]);
    slab.holders.push_back(objects[i].holder);
  }
  std::vector<LiveSlab> slabs;
  for (auto& [place, slab] : live) slabs.push_back(std::move(slab));
  return slabs;
}

std::vector<Part> PartsOf(LiveSlab slab) {
  const double each = slab.free() / static_cast<double>(slab.holders.size());
  std::ranges::sort(slab.holders);
  std::vector<Part> parts;
  for (const uint32_t holder : slab.holders) {
    if (parts.empty() || parts.back().holder != holder)
      parts.push_back({.holder = holder});
    parts.back().regions += each;
  }
  return parts;
}

// Returns what each holder has of all regions; nothing if there are none.
std::vector<double> Shares(std::vector<double> regions) {
  double all = 0;
  for (const double one : regions) all += one;
  if (all == 0) return {};
  for (double& one : regions) one /= all;
  return regions;
}

// The holders with the largest shares, the largest first.
std::vector<uint32_t> LargestHolders(const Replay& replay, size_t most) {
  std::vector<uint32_t> largest(replay.holders.size());
  std::iota(largest.begin(), largest.end(), 0u);
  std::ranges::stable_sort(largest, std::greater<>(), [&](uint32_t holder) {
    return replay.holders[holder].share;
  });
  largest.resize(std::min(most, largest.size()));
  return largest;
}

// Sets the bounds of the shares that may be shown. `weight` is how many objects
// that keep equally much would tell as much.
void SetBounds(const std::vector<std::vector<Part>>& slabs, double weight,
               Replay& replay) {
  // 2.5 % on each side.
  constexpr size_t kDraws = 400, kTail = 10;
  // What a slab of two stacks may charge to the wrong one.
  const double border = replay.free < kFewFreeRegions
                            ? (kRegions - 1) / static_cast<double>(replay.free)
                            : 0;
  const std::vector<uint32_t> shown = LargestHolders(replay, kBoundedHolders);
  // All others are added up.
  std::vector<size_t> row_of(replay.holders.size(), shown.size());
  for (size_t i = 0; i < shown.size(); ++i) row_of[shown[i]] = i;
  std::mt19937_64 random(kDraws);
  std::vector<std::vector<double>> shares(shown.size());
  for (size_t draw = 0; draw < kDraws; ++draw) {
    std::vector<double> regions(shown.size() + 1);
    for (size_t i = 0; i < slabs.size(); ++i)
      for (const Part& part : slabs[random() % slabs.size()])
        regions[row_of[part.holder]] += part.regions;
    // By chance, all slabs of a draw may be full.
    regions = Shares(std::move(regions));
    for (size_t i = 0; i < shown.size(); ++i)
      shares[i].push_back(regions.empty() ? replay.holders[shown[i]].share
                                          : regions[i]);
  }
  for (size_t i = 0; i < shown.size(); ++i) {
    std::ranges::sort(shares[i]);
    HolderShare& holder = replay.holders[shown[i]];
    const Interval counted =
        ProportionInterval(holder.share, weight, kConfidence);
    holder.bounds = {
        std::max(0.0, std::min(counted.lower, shares[i][kTail - 1]) - border),
        std::min(1.0,
                 std::max(counted.upper, shares[i][kDraws - kTail]) + border)};
  }
}

}  // namespace

Replay ReplayObjects(std::span<const ReplayedObject> objects,
                     uint32_t holders) {
  Replay replay = {.holders = std::vector<HolderShare>(holders),
                   .objects = objects.size()};
  std::vector<std::vector<Part>> slabs;
  std::vector<double> regions(holders);
  double sum = 0, squares = 0;  // of what each object keeps
  for (LiveSlab& slab : LiveSlabs(objects)) {
    const double free = slab.free();
    sum += free;
    squares += free * free / static_cast<double>(slab.holders.size());
    replay.live += slab.holders.size();
    for (const uint32_t holder : slab.holders) ++replay.holders[holder].live;
    slabs.push_back(PartsOf(std::move(slab)));
    for (const Part& part : slabs.back()) regions[part.holder] += part.regions;
  }
  if (slabs.empty()) return replay;
  replay.free = static_cast<uint64_t>(sum);
  replay.free_share = sum / (sum + static_cast<double>(replay.live));
  regions = Shares(std::move(regions));
  if (regions.empty()) return replay;
  for (uint32_t i = 0; i < holders; ++i) replay.holders[i].share = regions[i];
  SetBounds(slabs, sum * sum / squares, replay);
  return replay;
}

}  // namespace heapprof
