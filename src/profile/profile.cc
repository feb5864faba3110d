// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/profile.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/core.h>

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

namespace {

bool InRange(RowRange range, size_t size) {
  return range.first <= size && range.count <= size - range.first;
}

// Describes the first string id that is out of range; empty if there is none.
std::string CheckNames(const Profile& profile) {
  const auto bad = [&profile](StringId id) {
    return id.index() >= profile.strings.size();
  };
  for (const Function& f : profile.functions)
    for (StringId id : {f.name, f.system_name, f.filename})
      if (bad(id)) return fmt::format("function names string {}", id.value);
  for (const Mapping& m : profile.mappings)
    for (StringId id : {m.filename, m.build_id, m.elf_path})
      if (bad(id)) return fmt::format("mapping names string {}", id.value);
  for (const Thread& thread : profile.threads)
    if (bad(thread.name))
      return fmt::format("thread names string {}", thread.name.value);
  if (bad(profile.main_binary))
    return fmt::format("main binary is string {}", profile.main_binary.value);
  for (StringId id : profile.other_programs)
    if (bad(id)) return fmt::format("a program is string {}", id.value);
  return "";
}

std::string CheckSample(const Profile& profile, const Sample& sample) {
  if (sample.stack.index() >= profile.stacks.size())
    return fmt::format("sample names stack {}", sample.stack.value);
  if (sample.thread.index() >= profile.threads.size())
    return fmt::format("sample names thread {}", sample.thread.value);
  return "";
}

}  // namespace

std::string CheckValid(const Profile& profile) {
  for (const Sample& sample : profile.samples)
    if (auto bad = CheckSample(profile, sample); !bad.empty()) return bad;
  for (const Sample& sample : profile.thread_samples)
    if (auto bad = CheckSample(profile, sample); !bad.empty()) return bad;
  for (const RowRange& stack : profile.stacks)
    if (!InRange(stack, profile.frames.size()))
      return fmt::format("stack leaves the frames at {}", stack.first);
  for (LocationId frame : profile.frames)
    if (frame.IsNone() || frame.index() >= profile.locations.size())
      return fmt::format("frame names location {}", frame.value);
  for (const Location& location : profile.locations) {
    if (location.mapping.index() >= profile.mappings.size())
      return fmt::format("location names mapping {}", location.mapping.value);
    if (!InRange(location.lines, profile.lines.size()))
      return fmt::format("location leaves the lines at {}",
                         location.lines.first);
  }
  for (const Line& line : profile.lines)
    if (line.function.index() >= profile.functions.size())
      return fmt::format("line names function {}", line.function.value);
  return CheckNames(profile);
}

}  // namespace heapprof
