// SPDX-License-Identifier: Apache-2.0
#include "transform/own_allocators.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "heapprof/base/hash.h"
#include "heapprof/base/nearly_all.h"
#include "heapprof/base/unqualified_name.h"
#include "heapprof/demangle/names.h"
#include "transform/known_functions.h"

namespace heapprof {
namespace {

class AllocatorFinder {
 public:
  AllocatorFinder(const Profile& profile, const std::vector<bool>& is_own)
      : profile_(profile),
        is_own_(is_own),
        namesakes_(profile.functions.size()) {
    for (const Function& function : profile.functions)
      is_candidate_.push_back(
          !function.unresolved &&
          SoundsLikeAllocator(ShortName(profile.String(function.name))));
  }

  std::vector<bool> Find() && {
    std::vector<bool> found(is_candidate_.size());
    if (std::ranges::find(is_candidate_, true) == is_candidate_.end())
      return found;
    for (const Sample& sample : profile_.samples) AddSample(sample);
    for (const auto& [allocator, uses] : uses_) {
      if (!HasSeveral(uses.callers) &&
          (uses.callers.empty() || !SaysAllocate(allocator)))
        continue;
      found[allocator.index()] = true;
      for (const FunctionId part : uses.parts) found[part.index()] = true;
    }
    for (uint32_t i = 0; i < found.size(); ++i)
      if (is_candidate_[i]) found[i] = found[Namesake(FunctionId{i}).index()];
    return found;
  }

 private:
  using Callers = std::map<FunctionId, double>;  // with what they asked for
  struct Uses {
    Callers callers;
    std::set<FunctionId> parts;  // the candidates that they called first
  };

  // If the innermost call to own code is one of a candidate, notes which other
  // own code called it.
  void AddSample(const Sample& sample) {
    std::vector<FunctionId> candidates;
    for (const LocationId frame : profile_.StackFrames(sample.stack)) {
      const RowRange lines = profile_.locations[frame.index()].lines;
      for (uint32_t i = lines.first; i < lines.first + lines.count; ++i) {
        if (!is_own_[i]) continue;
        const FunctionId function = profile_.lines[i].function;
        if (is_candidate_[function.index()]) {
          candidates.push_back(Namesake(function));
          continue;
        }
        if (candidates.empty()) return;
        Uses& uses = uses_[candidates.front()];
        uses.callers[Namesake(function)] += SizeOf(sample);
        uses.parts.insert(candidates.begin() + 1, candidates.end());
        return;
      }
    }
  }

  // Returns the first function found to have the same short name. The sides of
  // a comparison, such as a dump and a baseline, often have two functions for
  // one.
  FunctionId Namesake(FunctionId id) {
    std::optional<FunctionId>& namesake = namesakes_[id.index()];
    if (!namesake)
      namesake = by_name_.try_emplace(NameOf(id), id).first->second;
    return *namesake;
  }

  std::string NameOf(FunctionId id) const {
    return ShortName(profile_.String(profile_.functions[id.index()].name));
  }

  static double SizeOf(const Sample& sample) {
    const Values& values = sample.values;
    return std::abs(values[Metric::kInuseSpace].value) +
           std::abs(values[Metric::kAllocSpace].value);
  }

  // True for allocate_symbol and Table::AllocateRow.
  bool SaysAllocate(FunctionId id) const {
    return WithoutUnderscores(UnqualifiedName(NameOf(id)))
        .starts_with("allocate");
  }

  static bool HasSeveral(const Callers& callers) {
    double all = 0, largest = 0;
    for (const auto& [caller, size] : callers) {
      all += size;
      largest = std::max(largest, size);
    }
    return !IsNearlyAll(largest, all);
  }

  const Profile& profile_;
  const std::vector<bool>& is_own_;
  std::vector<bool> is_candidate_;                    // by function
  std::vector<std::optional<FunctionId>> namesakes_;  // by function
  std::unordered_map<std::string, FunctionId, RandomHash> by_name_;
  std::map<FunctionId, Uses> uses_;  // by candidate
};

}  // namespace

std::vector<bool> FindOwnAllocators(const Profile& profile,
                                    const std::vector<bool>& is_own) {
  return AllocatorFinder(profile, is_own).Find();
}

}  // namespace heapprof
