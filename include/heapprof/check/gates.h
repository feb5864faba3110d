// SPDX-License-Identifier: Apache-2.0
//
// The gates of `heapprof check`: whether dumps can be judged at all. A check
// calls them in the order of this file and ends at the first finding, because a
// verdict on dumps that are damaged, empty or without names would mean nothing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/check/budgets.h"
#include "heapprof/check/finding.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/module_table.h"

namespace heapprof {

struct GateOptions {
  Metric metric = Metric::kInuseSpace;
  bool accept_damaged = false;
  bool allow_empty = false;
  bool saves_baseline = false;  // from the new side
};

// One input, as it was read.
struct CheckedDump {
  const Profile* profile = nullptr;
  std::string_view path;
  Side side = Side::kNew;
};

// Each dump must have a sampling period, not be a comparison itself, and hold
// more than next to nothing. Between dumps of one process, prof.reset must not
// have changed the sampling rate. The runs of a baseline must fit together.
// Nothing may be damaged: `diagnostics` has what was found while reading.
GateResult CheckDumps(std::span<const CheckedDump> dumps,
                      const GateOptions& options,
                      const Diagnostics& diagnostics);

// For dumps whose programs have different names: they count as one program if
// functions of own code that hold at least a tenth of one dump also hold memory
// in the other. `is_own` says it by row of Profile::lines. A dump whose own
// code has no names is left to CheckNames().
GateResult CheckPrograms(const Profile& profile,
                         const std::vector<bool>& is_own, Metric metric);

// The dumps must use all `binaries` of the command line, and those that they
// use must be readable. Functions without names would be addresses, which match
// no function of the other side.
GateResult CheckBinaries(const Profile& profile, const ModuleTable& modules,
                         std::span<const std::string> binaries);

// The filters must leave samples of the new side, and --own must find own code
// on each side. A base without samples hides nothing: all that it is compared
// with is new.
// `own` is the value of --own, and `lacks_own` is true for a side with samples
// of which none is own code.
GateResult CheckFiltered(const Profile& profile, const GateOptions& options,
                         std::string_view own, const Sides<bool>& lacks_own);

// Each side must have as many names as --require-symbols demands. Without this
// option, if functions are matched by name, most of them must have one, because
// an unchanged function would look new. `removed` is RemovedNameless() of the
// filters: it counts as being without names, too.
GateResult CheckNames(const Profile& profile, Metric metric,
                      const Budgets& budgets,
                      const Sides<double>& removed = {});

// Returns which percentage of a side filters removed because it has no name.
// `removed` is what CheckNames() takes.
double RemovedPercent(const Profile& profile, Side side, Metric metric,
                      const Sides<double>& removed);
// If they removed more than this from a side that is judged alone, it may be
// what they ask for. Less is often a library that they do not mean.
inline constexpr double kMostRemovedPercent = 50;

}  // namespace heapprof
