// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/diff.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heapprof/demangle/names.h"
#include "heapprof/stats/sum.h"
#include "transform/sides.h"

namespace heapprof {
namespace {

// Gives each stack a key; equal stacks of both sides have equal keys.
class StackKeys {
 public:
  explicit StackKeys(const Profile& profile)
      : profile_(profile),
        one_build_(SharedMappings(profile, SidesOfLocations(profile))),
        normal_names_(profile.functions.size()) {}

  std::string KeyOf(StackId stack) {
    std::string key;
    for (LocationId frame : profile_.StackFrames(stack)) {
      const Location& location = At(frame);
      if (one_build_[location.mapping.index()] &&
          location.module_address != 0) {
        // Compare the addresses of the calls, because one side may have return
        // addresses and the other side addresses of calls. Do not compare
        // names: they may differ if the sides were symbolized separately.
        Append(key, 'L', location.mapping.value);
        Append(key, '@', CallSiteAddress(location, location.module_address));
        continue;
      }
      for (const Line& line : profile_.LocationLines(location))
        Append(key, 'N', NormalName(line.function));
    }
    return key;
  }

 private:
  template <typename T>
  static void Append(std::string& key, char kind, T value) {
    key.push_back(kind);
    key.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  const Location& At(LocationId id) const {
    return profile_.locations[id.index()];
  }
  uint32_t NormalName(FunctionId id) {
    uint32_t& cached = normal_names_[id.index()];
    if (cached == 0) {
      const Function& function = profile_.functions[id.index()];
      cached =
          names_.Intern(NormalizeName(profile_.String(function.name))).value;
    }
    return cached;
  }

  const Profile& profile_;
  const std::vector<bool> one_build_;  // by mapping
  // By function: id of its normalized name in names_; 0: not computed yet.
  std::vector<uint32_t> normal_names_;
  StringTable names_;
};

struct Sides {
  StackId stack;
  ThreadId thread;
  Values now;
  Values before;
};

Values Difference(const Sides& sides, bool drop_negative) {
  Values result = sides.now;
  result -= sides.before;
  for (size_t i = 0; i < kMetricCount; ++i) {
    const double size = std::abs(sides.now.by_metric[i].value) +
                        std::abs(sides.before.by_metric[i].value);
    double& value = result.by_metric[i].value;
    if (IsRoundingError(value, size)) value = 0;
    if (drop_negative && value < 0) value = 0;
  }
  return result;
}

// Subtracts the base samples from the new ones. Adds the subtracted values to
// Profile::bases.
std::vector<Sample> SubtractSamples(Profile& profile,
                                    const std::vector<Sample>& samples,
                                    StackKeys& keys, bool drop_negative) {
  std::unordered_map<std::string, size_t> index;
  std::vector<Sides> rows;
  for (const Sample& sample : samples) {
    std::string key = keys.KeyOf(sample.stack);
    if (!sample.thread.IsNone()) {
      // Match threads by name, because the same thread has another uid in
      // another process.
      const Thread& thread = profile.threads[sample.thread.index()];
      key += thread.name.IsNone()
                 ? 'U' + std::to_string(thread.uid)
                 : 'T' + std::string(profile.String(thread.name));
    }
    auto [it, added] = index.try_emplace(std::move(key), rows.size());
    if (added) rows.push_back({sample.stack, sample.thread, {}, {}});
    Sides& row = rows[it->second];
    (sample.side == Side::kNew ? row.now : row.before) += sample.values;
  }
  std::vector<Sample> result;
  for (const Sides& row : rows) {
    Sample sample = {.stack = row.stack,
                     .thread = row.thread,
                     .values = Difference(row, drop_negative)};
    if (!row.before.AllZero()) {
      sample.base = static_cast<uint32_t>(profile.bases.size());
      profile.bases.push_back(row.before);
    } else if (row.now.AllZero()) {
      continue;
    }
    result.push_back(sample);
  }
  return result;
}

}  // namespace

void Subtract(Profile& profile, bool drop_negative) {
  StackKeys keys(profile);
  std::vector<Sample> samples =
      SubtractSamples(profile, profile.samples, keys, drop_negative);
  profile.thread_samples =
      SubtractSamples(profile, profile.thread_samples, keys, drop_negative);
  profile.samples = std::move(samples);
  profile.is_difference = true;
}

}  // namespace heapprof
