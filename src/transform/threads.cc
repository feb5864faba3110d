// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/threads.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "heapprof/profile/profile_builder.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/profile/thread_name.h"
#include "transform/location_parts.h"

namespace heapprof {
namespace {

// Returns for each thread whether `selector` is what SelectThread() calls it.
std::vector<bool> Selected(const Profile& profile, std::string_view selector) {
  std::vector<bool> selected(profile.threads.size());
  const auto select = [&](const auto& predicate) {
    for (uint32_t i = 1; i < selected.size(); ++i)
      selected[i] =
          predicate(profile.threads[ShownThread(profile, ThreadId{i}).index()]);
    return std::ranges::find(selected, true) != selected.end();
  };
  const auto by_uid = [&](std::string_view text) {
    return select([text](const Thread& thread) {
      return std::to_string(thread.uid) == text;
    });
  };
  const auto by_name = [&] {
    return select([&](const Thread& thread) {
      return !thread.name.IsNone() && profile.String(thread.name) == selector;
    });
  };
  if (!by_uid(selector) && !by_name() && selector.starts_with('t'))
    by_uid(selector.substr(1));
  return selected;
}

// Returns what --thread does to the profile if it keeps only the selected
// threads.
FilterEffect EffectOf(const Profile& profile, const std::vector<bool>& selected,
                      Metric metric) {
  std::vector<Sample> kept, removed;
  for (const Sample& sample : profile.thread_samples)
    (selected[sample.thread.index()] ? kept : removed).push_back(sample);
  std::vector<bool> is_left(profile.stacks.size());
  FilterEffect effect;
  double size = 0, removed_size = 0;
  for (const StackChange& change : ChangesByStack(profile, kept, metric)) {
    if (change.value() == 0) continue;
    is_left[change.stack.index()] = true;
    ++effect.left_stacks;
    size += change.size();
  }
  for (const StackChange& change : ChangesByStack(profile, removed, metric)) {
    if (change.value() == 0) {
      ++effect.equal_stacks;
      continue;
    }
    if (!is_left[change.stack.index()]) ++effect.removed_stacks;
    effect.removed_value += change.value();
    removed_size += change.size();
  }
  size += removed_size;
  if (size != 0) effect.removed_percent = 100 * removed_size / size;
  return effect;
}

// Sets InputRun::dropped_threads to the number of threads that are not
// selected.
void CountDropped(const std::vector<bool>& selected, Profile& profile) {
  std::set<std::tuple<Side, size_t, ThreadId>> dropped;
  for (const Side side : kSides) profile.runs[side] = RunsOf(profile, side);
  for (const Sample& sample : profile.thread_samples) {
    auto& runs = profile.runs[sample.side];
    const size_t run = RunOf(sample, runs.size());
    if (!selected[sample.thread.index()] && !sample.values.AllZero() &&
        dropped.emplace(sample.side, run, sample.thread).second)
      ++runs[run].dropped_threads;
  }
}

// Divides the samples among threads.
class ThreadSplitter {
 public:
  explicit ThreadSplitter(const Profile& profile) : profile_(profile) {
    for (const Sample& sample : profile.samples) {
      const auto [it, added] = index_.try_emplace(KeyOf(sample), sums_.size());
      if (added) sums_.push_back({.sample = &sample});
      sums_[it->second].all += sample.values;
    }
    for (const Sample& sample : profile.thread_samples)
      if (Sums* sums = FindSums(sample)) AddThread(sample.values, *sums);
  }

  std::vector<Sample> Split() {
    std::vector<Sample> samples;
    for (Sample sample : profile_.thread_samples) {
      const Sums* sums = FindSums(sample);
      if (sums == nullptr) continue;
      sample.values = Share(sample.values, *sums);
      sample.thread = ShownThread(profile_, sample.thread);
      samples.push_back(sample);
    }
    for (const Sums& sums : sums_) AddRest(sums, samples);
    return samples;
  }

 private:
  // About one stack of an input.
  struct Sums {
    const Sample* sample = nullptr;  // the first one with this stack
    Values all = {};
    Values threads = {};
    Values sizes = {};  // sum of the threads' absolute values
  };
  using Key = std::tuple<StackId, Side, uint16_t>;

  static Key KeyOf(const Sample& sample) {
    return {sample.stack, sample.side, sample.run};
  }

  Sums* FindSums(const Sample& sample) {
    const auto it = index_.find(KeyOf(sample));
    return it == index_.end() ? nullptr : &sums_[it->second];
  }

  static void AddThread(const Values& values, Sums& sums) {
    sums.threads += values;
    for (size_t i = 0; i < kMetricCount; ++i)
      sums.sizes.by_metric[i].value += std::abs(values.by_metric[i].value);
  }

  // Returns the values of one thread, corrected so that those of all threads
  // add up. They need not do so in the profile, because each line of a dump is
  // scaled separately.
  static Values Share(Values values, const Sums& sums) {
    for (size_t i = 0; i < kMetricCount; ++i) {
      double& value = values.by_metric[i].value;
      if (value == 0) continue;
      const double missing =
          sums.all.by_metric[i].value - sums.threads.by_metric[i].value;
      value += missing * std::abs(value) / sums.sizes.by_metric[i].value;
    }
    return values;
  }

  // Adds a sample with the values that no thread has.
  static void AddRest(const Sums& sums, std::vector<Sample>& samples) {
    Sample rest = *sums.sample;
    rest.values = sums.all;
    rest.lifetime = Lifetime::kUnknown;
    rest.one_size = false;
    for (size_t i = 0; i < kMetricCount; ++i)
      if (sums.sizes.by_metric[i].value != 0) rest.values.by_metric[i] = {};
    if (!rest.values.AllZero()) samples.push_back(rest);
  }

  const Profile& profile_;
  std::vector<Sums> sums_;
  std::map<Key, size_t> index_;
};

}  // namespace

std::optional<FilterEffect> SelectThread(Profile& profile,
                                         std::string_view selector,
                                         Metric metric) {
  const std::vector<bool> selected = Selected(profile, selector);
  FilterEffect effect = EffectOf(profile, selected, metric);
  effect.filter = fmt::format("--thread={}", selector);
  CountDropped(selected, profile);
  std::erase_if(profile.thread_samples, [&selected](const Sample& sample) {
    return !selected[sample.thread.index()];
  });
  profile.samples = profile.thread_samples;
  for (Sample& sample : profile.samples) sample.thread = {};
  if (std::ranges::find(selected, true) == selected.end()) return std::nullopt;
  return effect;
}

void AddThreadRoots(Profile& profile) {
  ProfileBuilder builder(std::move(profile));
  Profile& made = builder.profile();
  std::vector<LocationId> roots(made.threads.size());
  std::map<std::pair<ThreadId, StackId>, StackId> stacks;
  std::vector<Sample> samples = std::move(made.thread_samples);
  for (Sample& sample : samples) {
    sample.thread = ShownThread(made, sample.thread);
    const Thread thread = made.threads[sample.thread.index()];
    LocationId& root = roots[sample.thread.index()];
    if (root.IsNone()) {
      const std::string title =
          ThreadTitle(thread.uid, made.String(thread.name));
      root = AddSyntheticLocation(fmt::format("[{}]", title), builder);
    }
    StackId& stack = stacks[{sample.thread, sample.stack}];
    if (stack.IsNone()) {
      const auto old = made.StackFrames(sample.stack);
      std::vector<LocationId> frames(old.begin(), old.end());
      frames.push_back(root);
      stack = builder.AddStack(frames);
    }
    sample.stack = stack;
  }
  made.thread_samples = samples;
  for (Sample& sample : samples) sample.thread = {};
  made.samples = std::move(samples);
  profile = std::move(builder).Finish();
}

void SplitByThread(Profile& profile) {
  profile.samples = ThreadSplitter(profile).Split();
}

}  // namespace heapprof
