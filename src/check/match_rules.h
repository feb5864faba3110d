// SPDX-License-Identifier: Apache-2.0
//
// Finds the rules of budgets that apply to the entries of a comparison.
#pragma once

#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/check/budgets.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

// Both lists are indexed like Comparison::entries. An element is the first rule
// that matches the entry; null if there is none.
struct MatchedRules {
  std::vector<const EntryRule*> rules;
  std::vector<const IgnoreRule*> ignores;
};

// Adds a note to `diagnostics` for each rule that matches no entry. The result
// refers to `budgets`. Fails if a match takes too long.
Result<MatchedRules> MatchRules(const Budgets& budgets,
                                const Comparison& comparison,
                                Diagnostics& diagnostics);

}  // namespace heapprof
