// SPDX-License-Identifier: Apache-2.0
//
// Any bytes taken for the base of a comparison, in any format, against a dump:
// each run of a baseline becomes a run of the base. All sums must be finite,
// and the ids of the compared profile must be valid.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/check/budgets.h"
#include "heapprof/check/judge.h"
#include "heapprof/compare/compare_sides.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/transform/merge.h"
#include "heapprof/transform/split_runs.h"
#include "support/check_valid.h"

namespace heapprof {
namespace {

constexpr std::string_view kDump =
    "heap_v2/524288\n  t*: 3: 1200 [0: 0]\n  t1: 3: 1200 [0: 0] worker\n"
    "@ 0x401010 0x402020\n  t*: 1: 200 [0: 0]\n  t1: 1: 200 [0: 0]\n"
    "@ 0x401010 0x403030 0x403030\n  t*: 2: 1000 [0: 0]\n"
    "  t1: 2: 1000 [0: 0]\n\nMAPPED_LIBRARIES:\n"
    "400000-405000 r-xp 00000000 fe:00 7 /app\n";

void CompareWith(std::string_view bytes) {
  Diagnostics diagnostics;
  auto base = ParseProfile(bytes, "base", diagnostics);
  auto now = ParseProfile(kDump, "new", diagnostics);
  if (!now) std::abort();
  if (!base) return;
  std::vector<MergeInput> inputs;
  inputs.push_back({.profile = *std::move(now), .side = Side::kNew});
  for (Profile& run : SplitRuns(*std::move(base)))
    inputs.push_back({.profile = std::move(run), .side = Side::kBase});
  Profile profile = Merge(std::move(inputs));
  CompareSides(profile, {});
  if (!CheckValid(profile).empty()) std::abort();
  for (const Side side : kSides)
    for (const Estimate& sum : TotalOf(profile, side).by_metric)
      if (!std::isfinite(sum.value) || !std::isfinite(sum.variance))
        std::abort();
  Budgets budgets;
  budgets.settings.max_total_growth = ParseLimit("5% + 1KiB");
  budgets.settings.max_growth = ParseLimit("10%");
  const JudgedCode code = {.is_own =
                               std::vector<bool>(profile.lines.size(), true)};
  static_cast<void>(
      JudgeProfile(profile, Metric::kInuseSpace, budgets, code, diagnostics));
}

}  // namespace
}  // namespace heapprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  heapprof::CompareWith({reinterpret_cast<const char*>(data), size});
  return 0;
}
