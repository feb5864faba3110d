// SPDX-License-Identifier: Apache-2.0
//
// The sentences that go to standard error after a report, as text.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/view/info.h"

namespace heapprof {

// "2 of 41 modules unresolved (2.1 % of bytes): libfoo.so.1: not found …";
// empty if every address has a name.
std::string CoverageSummary(const ModuleTable& modules);

// Why `profile` has nothing to show. `has_new_side`: the dumps hold samples,
// other than those of the base.
std::string EmptyReason(bool has_new_side, const Profile& profile,
                        const Options& options);

// What the filters took, in one line; empty if there are none.
std::string FilterSummary(const std::vector<FilterEffect>& effects,
                          Metric metric);

// The findings as lines; all that were kept, or with `all` unset the first of
// each kind with the number of the others.
std::vector<std::string> Warnings(const Diagnostics& diagnostics, bool all);

}  // namespace heapprof
