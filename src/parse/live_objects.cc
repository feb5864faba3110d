// SPDX-License-Identifier: Apache-2.0
#include "parse/live_objects.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "heapprof/stats/unbias.h"

namespace heapprof {
namespace {

// Reads numbers separated by blanks, to the end of the line.
template <size_t kCount>
std::optional<std::array<uint64_t, kCount>> ReadNumbers(TextScanner in) {
  std::array<uint64_t, kCount> numbers;
  for (uint64_t& number : numbers) {
    in.SkipBlanks();
    const auto read = in.Decimal();
    if (!read) return std::nullopt;
    number = *read;
  }
  in.SkipBlanks();
  return in.AtEnd() ? std::optional(numbers) : std::nullopt;
}

// No process has this much memory.
constexpr uint64_t kTooMuch = uint64_t{1} << 62;

std::optional<uint64_t> Product(uint64_t a, uint64_t b) {
  if (b != 0 && a > kTooMuch / b) return std::nullopt;
  return a * b;
}

Sample SampleOf(StackId stack, uint64_t count, uint64_t size, double period) {
  const Unbiased live = UnbiasOneSize(static_cast<double>(count),
                                      static_cast<double>(size), period);
  Sample sample = {.stack = stack, .one_size = true};
  sample.values[Metric::kInuseObjects] = live.objects;
  sample.values[Metric::kInuseSpace] = live.bytes;
  return sample;
}

}  // namespace

std::optional<LiveObject> ReadLiveObject(TextScanner in) {
  const auto numbers = ReadNumbers<6>(in);
  if (!numbers) return std::nullopt;
  const auto& [age, requested, usable, size_class, arena, thread] = *numbers;
  if (usable == 0 || usable > kTooMuch || requested > usable)
    return std::nullopt;
  return LiveObject{.age = age, .size = usable, .thread_uid = thread};
}

std::optional<SlabClass> ReadSlabs(TextScanner in) {
  const auto numbers = ReadNumbers<9>(in);
  if (!numbers) return std::nullopt;
  const auto& [arena, bin, region_size, slab_size, regions_of_slab, shards,
               slabs, regions, nonfull] = *numbers;
  const auto slab_bytes = Product(slabs, slab_size);
  const auto used_bytes = Product(regions, region_size);
  const auto all_regions = Product(slabs, regions_of_slab);
  const bool fits = region_size > 0 && slab_bytes && used_bytes &&
                    all_regions && *used_bytes <= *slab_bytes &&
                    regions <= *all_regions && nonfull <= slabs;
  if (!fits) return std::nullopt;
  return SlabClass{.region_size = region_size,
                   .slab_bytes = *slab_bytes,
                   .used_bytes = *used_bytes};
}

void AddSlabs(const SlabClass& slabs, std::vector<SlabClass>& classes) {
  const auto at = std::ranges::lower_bound(classes, slabs.region_size, {},
                                           &SlabClass::region_size);
  if (at == classes.end() || at->region_size != slabs.region_size) {
    classes.insert(at, slabs);
    return;
  }
  if (at->slab_bytes > kTooMuch) return;
  at->slab_bytes += slabs.slab_bytes;
  at->used_bytes += slabs.used_bytes;
}

void LiveObjects::Add(uint64_t size, ThreadId thread) {
  groups_.push_back({.thread = thread, .size = size, .count = 1});
  ++count_;
  if (groups_.size() < limit_) return;
  Unite();
  limit_ = std::max(kFirstLimit, 2 * groups_.size());
}

std::vector<uint32_t> LiveObjects::Threads() const {
  std::vector<uint32_t> threads;
  for (const Group& group : groups_) threads.push_back(group.thread.value);
  std::ranges::sort(threads);
  const auto repeated = std::ranges::unique(threads);
  threads.erase(repeated.begin(), repeated.end());
  return threads;
}

// Sorts the groups by size and thread, and adds up those that are equal.
void LiveObjects::Unite() {
  const auto key = [](const Group& group) {
    return std::tuple(group.size, group.thread.value);
  };
  std::ranges::sort(groups_, {}, key);
  size_t kept = 0;
  for (const Group& group : groups_) {
    if (kept > 0 && key(groups_[kept - 1]) == key(group))
      groups_[kept - 1].count += group.count;
    else
      groups_[kept++] = group;
  }
  groups_.resize(kept);
}

std::vector<Sample> LiveObjects::Samples(StackId stack, double period) {
  Unite();
  std::vector<Sample> samples;
  for (size_t i = 0; i < groups_.size();) {
    const uint64_t size = groups_[i].size;
    uint64_t count = 0;
    for (; i < groups_.size() && groups_[i].size == size; ++i)
      count += groups_[i].count;
    samples.push_back(SampleOf(stack, count, size, period));
  }
  return samples;
}

std::vector<Sample> LiveObjects::ThreadSamples(StackId stack, double period) {
  Unite();
  std::vector<Sample> samples;
  for (const Group& group : groups_) {
    samples.push_back(SampleOf(stack, group.count, group.size, period));
    samples.back().thread = group.thread;
  }
  return samples;
}

void LiveObjects::Clear() {
  groups_.clear();
  limit_ = kFirstLimit;
  count_ = 0;
}

}  // namespace heapprof
