// SPDX-License-Identifier: Apache-2.0
//
// The sentences that go to standard error after a report, as text.
#pragma once

#include <string>
#include <vector>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/view/info.h"

namespace heapprof {

struct CoverageLook {
  size_t columns = 0;          // that the line may take; 0 = any number
  bool is_difference = false;  // the values are those of a comparison
  bool is_verbose = false;     // also says what hardly matters
};

// "2.1% of bytes have no names: libfoo.so.1 has no debug information (2 more
// modules; see heapprof info)", or less, as far as it fits; empty if less than
// 1 % have none.
std::string CoverageSummary(const ModuleTable& modules,
                            const CoverageLook& look);

// Why `profile` has nothing to show. `has_new_side`: the dumps hold samples,
// other than those of the base.
std::string EmptyReason(bool has_new_side, const Profile& profile,
                        const Options& options);

// What the filters took, in one line; empty if there are none.
std::string FilterSummary(const std::vector<FilterEffect>& effects, Unit unit);

// The findings as lines; all that were kept, or with `all` unset the first of
// each kind with the number of the others.
std::vector<std::string> Warnings(const Diagnostics& diagnostics, bool all);

}  // namespace heapprof
