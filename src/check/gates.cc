// SPDX-License-Identifier: Apache-2.0
#include "heapprof/check/gates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "heapprof/base/counted.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/profile/process_address.h"
#include "heapprof/profile/stack_changes.h"
#include "heapprof/view/metric_words.h"
#include "heapprof/view/next_to_nothing.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

// Says what to do about a dump with little or no memory.
std::string Remedy(const Profile& profile) {
  const std::string_view rate = RateForSmall(profile);
  return fmt::format(
      ", so there is nothing to judge; jemalloc's final dump is written after "
      "the program has freed its memory: use 'heapprof record' (if main() "
      "frees it, with --every) to dump while the memory is alive, {}or accept "
      "it with --allow-empty",
      rate.empty() ? "" : fmt::format("{} if the process is small, ", rate));
}

GateResult CheckOneDump(const CheckedDump& dump, const GateOptions& options) {
  const Profile& profile = *dump.profile;
  const auto fail = [&dump](FindingKind kind, std::string_view what) {
    return FailGate(kind, fmt::format("{}: {}", dump.path, what));
  };
  if (profile.sampling_period == 0)
    return fail(
        FindingKind::kNoSamplingPeriod,
        "the profile does not say how often it was sampled, so nothing is "
        "known about its errors; give --sample-period");
  if (std::ranges::any_of(profile.samples, [](const Sample& sample) {
        return sample.side == Side::kBase;
      }))
    return fail(FindingKind::kIsComparison,
                "the profile is a comparison itself");
  if (options.allow_empty) return {};
  if (!HasValue(profile, options.metric))
    return fail(FindingKind::kNoValues,
                fmt::format("no sample has a value of {}{}",
                            MetricName(options.metric), Remedy(profile)));
  if (HoldsNextToNothing(profile, options.metric)) {
    const auto count =
        std::max(1L, std::lround(SampleCount(profile, options.metric)));
    return fail(FindingKind::kNextToNothing,
                fmt::format("holds next to nothing, only {}{}",
                            Counted(static_cast<uint64_t>(count), "sample"),
                            Remedy(profile)));
  }
  return {};
}

// Finds out whether the dumps of the new side fit into one baseline. A baseline
// is a pprof profile, which has only one sampling period for all dumps in it.
GateResult CheckBaselineRuns(std::span<const CheckedDump> dumps) {
  const Profile* first = nullptr;
  size_t runs = 0;
  for (const CheckedDump& dump : dumps) {
    if (dump.side != Side::kNew) continue;
    if (first == nullptr) first = dump.profile;
    if (++runs > kMostBaselineRuns)
      return FailGate(FindingKind::kTooManyRuns,
                      fmt::format("--save-baseline: a baseline has at most {} "
                                  "runs",
                                  kMostBaselineRuns));
    const uint64_t period = dump.profile->sampling_period;
    if (period != first->sampling_period)
      return FailGate(
          FindingKind::kDifferentPeriods,
          fmt::format("--save-baseline: the runs of the new side have "
                      "different sampling periods, {} and {}; a "
                      "baseline has one",
                      FormatSize(first->sampling_period), FormatSize(period)));
  }
  return {};
}

// Growth after prof.reset could not be told from memory that is no longer seen.
GateResult CheckResets(std::span<const CheckedDump> dumps) {
  std::vector<SampledProcess> processes;
  for (const CheckedDump& dump : dumps)
    processes.push_back(SampledProcessOf(*dump.profile));
  for (size_t i = 0; i < dumps.size(); ++i)
    for (size_t k = 0; k < dumps.size(); ++k)
      if (dumps[i].side == Side::kBase && dumps[k].side == Side::kNew &&
          IsResetBetween(processes[i], processes[k]))
        return FailGate(
            FindingKind::kReset,
            fmt::format("{}: a dump of the same process as {}, with another "
                        "sampling rate: prof.reset, which changes it, drops "
                        "what was sampled before, so they cannot be compared",
                        dumps[k].path, dumps[i].path));
  return {};
}

GateResult CheckDamage(const Diagnostics& diagnostics) {
  for (const Diagnostics::Warning& warning : diagnostics.warnings())
    if (IsDamage(warning.kind))
      return FailGate(
          FindingKind::kDamage,
          "a dump is damaged, as a warning says; --accept-damaged judges "
          "what is left of it");
  return {};
}

}  // namespace

GateResult CheckDumps(std::span<const CheckedDump> dumps,
                      const GateOptions& options,
                      const Diagnostics& diagnostics) {
  // First, because damage may be why a dump has no values.
  if (!options.accept_damaged)
    if (auto ok = CheckDamage(diagnostics); !ok) return ok;
  for (const CheckedDump& dump : dumps)
    if (auto ok = CheckOneDump(dump, options); !ok) return ok;
  if (auto ok = CheckResets(dumps); !ok) return ok;
  if (options.saves_baseline) return CheckBaselineRuns(dumps);
  return {};
}

GateResult CheckBinaries(const Profile& profile, const ModuleTable& modules,
                         std::span<const std::string> binaries) {
  for (const std::string& binary : binaries)
    if (std::ranges::none_of(profile.mappings, [&](const Mapping& mapping) {
          return profile.String(mapping.elf_path) == binary;
        }))
      return FailGate(
          FindingKind::kUnusedBinary,
          fmt::format("{}: not a binary that the dumps use", binary));
  for (const ModuleRow& row : modules.rows)
    if (row.status == ModuleStatus::kUnreadable && row.unresolved > 0)
      return FailGate(FindingKind::kUnreadableBinary,
                      fmt::format("{}: {}", row.path, row.info.reason));
  return {};
}

GateResult CheckFiltered(const Profile& profile, const GateOptions& options,
                         std::string_view own, const Sides<bool>& lacks_own) {
  if (options.allow_empty) return {};
  if (!HasValue(profile, options.metric))
    return FailGate(FindingKind::kNothingLeft,
                    "check: the filters leave no samples");
  // Functions that were renamed, or lost their names, would pass unnoticed.
  if (!HasValue(profile, options.metric, Side::kNew))
    return FailGate(
        FindingKind::kNothingLeft,
        "check: the filters leave samples of the base, but none of the new "
        "side: what they keep is gone, or has other names or none; "
        "--allow-empty judges it as gone");
  for (const Side side : {Side::kBase, Side::kNew})
    if (lacks_own[side])
      return FailGate(
          FindingKind::kNoOwnCode,
          fmt::format("check: --own={} finds none of your code on the {}{}; "
                      "--own=none judges all functions",
                      own, side == Side::kBase ? "base" : "new side",
                      Remedy(profile)));
  return {};
}

}  // namespace heapprof
