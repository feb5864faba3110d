// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "cli/args/option_table.h"

namespace heapprof {

// Returns jeprof's options alone, as jeprof treats them: none of them is
// refused or renamed.
inline std::vector<OptionSpec> JeprofTable() {
  std::vector<OptionSpec> table;
  for (OptionSpec spec : OptionTable()) {
    if (spec.origin != OptionOrigin::kJeprof) continue;
    spec.replacement = {};
    spec.alias_of = {};
    table.push_back(spec);
  }
  return table;
}

}  // namespace heapprof
