// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/profile.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace heapprof {
namespace {

// In the order of the enumerators of Lifetime.
constexpr std::string_view kLifetimeNames[] = {
    "",          "below 1ms",   "1ms to 10ms",   "10ms to 100ms", "100ms to 1s",
    "1s to 10s", "10s to 100s", "100s and more", "live"};

// Samples must stay small, because dumps have hundreds of thousands of them.
static_assert(sizeof(Sample) == 16 + sizeof(Values));

}  // namespace

Values& Values::operator+=(const Values& other) {
  for (size_t i = 0; i < kMetricCount; ++i) by_metric[i] += other.by_metric[i];
  return *this;
}

Values& Values::operator-=(const Values& other) {
  for (size_t i = 0; i < kMetricCount; ++i) {
    by_metric[i].value -= other.by_metric[i].value;
    by_metric[i].variance += other.by_metric[i].variance;
  }
  return *this;
}

bool Values::AllZero() const {
  return std::ranges::all_of(by_metric,
                             [](const Estimate& e) { return e.value == 0; });
}

Lifetime LifetimeOf(uint64_t nanoseconds) {
  constexpr uint64_t kFirstLimit = 1'000'000;
  constexpr uint64_t kLastLimit = 100'000'000'000;
  int bucket = static_cast<int>(Lifetime::kBelow1ms);
  for (uint64_t limit = kFirstLimit;
       limit <= kLastLimit && nanoseconds >= limit; limit *= 10)
    ++bucket;
  return static_cast<Lifetime>(bucket);
}

std::string_view LifetimeName(Lifetime lifetime) {
  return kLifetimeNames[static_cast<size_t>(lifetime)];
}

Lifetime FindLifetime(std::string_view name) {
  const auto it = std::ranges::find(kLifetimeNames, name);
  return it == std::end(kLifetimeNames)
             ? Lifetime::kUnknown
             : static_cast<Lifetime>(it - std::begin(kLifetimeNames));
}

bool HasMetric(const Profile& profile, Metric metric) {
  if (IsObjectCount(metric) && !profile.has_object_counts) return false;
  return IsAccumulated(metric) ? profile.has_accumulated : profile.has_inuse;
}

std::vector<InputRun> RunsOf(const Profile& profile, Side side) {
  if (!profile.runs[side].empty()) return profile.runs[side];
  return {{.sampling_period = profile.sampling_period,
           .thread_stacks = profile.thread_stacks[side]}};
}

Values TotalOf(const Profile& profile, Side side) {
  Values total;
  for (const Sample& sample : profile.samples)
    if (sample.side == side) total += sample.values;
  return total;
}

}  // namespace heapprof
