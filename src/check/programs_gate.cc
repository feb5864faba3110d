// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "heapprof/check/gates.h"

namespace heapprof {
namespace {

// What the functions of a program's own code hold in one dump, by name. A stack
// is charged to the innermost of them.
using OwnFunctions = std::map<std::string_view, double>;

std::optional<std::string_view> InnermostOwn(const Profile& profile,
                                             StackId stack,
                                             const std::vector<bool>& is_own) {
  for (const LocationId id : profile.StackFrames(stack)) {
    const RowRange lines = profile.locations[id.index()].lines;
    for (uint32_t i = lines.first; i < lines.first + lines.count; ++i) {
      const Function& function =
          profile.functions[profile.lines[i].function.index()];
      if (is_own[i] && !function.unresolved)
        return profile.String(function.name);
    }
  }
  return std::nullopt;
}

// Returns how much of `functions` is held by those that `other` has, too.
double ShareIn(const OwnFunctions& functions, const OwnFunctions& other) {
  double all = 0, shared = 0;
  for (const auto& [name, value] : functions) {
    all += value;
    if (other.contains(name)) shared += value;
  }
  return shared / all;
}

}  // namespace

GateResult CheckPrograms(const Profile& profile,
                         const std::vector<bool>& is_own, Metric metric) {
  // Measured on dumps of ten programs: functions in both of two dumps hold 97 %
  // of a dump or more if these are of one program, and at most 5 % if they are
  // of two. For programs made of the same sources, it was mostly 47 % or more,
  // but once 5 %.
  constexpr double kHardlyAny = 0.1;
  // By side and run. The new side comes first, because it is never missing.
  std::map<std::pair<bool, uint16_t>, OwnFunctions> dumps;
  for (const Sample& sample : profile.samples) {
    const double value = std::abs(sample.values[metric].value);
    if (value == 0) continue;
    if (const auto name = InnermostOwn(profile, sample.stack, is_own))
      dumps[{sample.side == Side::kBase, sample.run}][*name] += value;
  }
  for (const auto& [dump, functions] : dumps) {
    const OwnFunctions& first = dumps.begin()->second;
    if (std::max(ShareIn(first, functions), ShareIn(functions, first)) <
        kHardlyAny)
      return FailGate(
          FindingKind::kDifferentPrograms,
          "the dumps are of different programs, as a warning says: hardly any "
          "of your functions holds memory in both; --allow-renamed judges "
          "them");
  }
  return {};
}

}  // namespace heapprof
