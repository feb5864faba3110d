// SPDX-License-Identifier: Apache-2.0
//
// How much something must grow before a check can prove it, and what helps to
// prove less: the numbers of `heapprof check --explain`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "heapprof/check/budgets.h"
#include "heapprof/check/judge.h"
#include "heapprof/view/comparison.h"

namespace heapprof {

// The smallest growth, of the total or of one kind of entry, that can be proven
// with as many samples as the compared dumps have.
struct Detectable {
  enum class Subject : uint8_t { kTotal, kTypicalEntry, kNewEntry };
  Subject subject = Subject::kTotal;
  double base = 0;            // the value in the base, in bytes
  double allowed_growth = 0;  // bytes that the limit allows
  // The smallest growth, in bytes, that 90 % of all comparisons would prove to
  // be beyond the limit.
  double growth = 0;
  // How many times as many samples are needed to prove growth of twice
  // `allowed_growth`; 1 if there are enough samples. Otherwise, the next two
  // members are alternative ways to get them: jemalloc's option lg_prof_sample,
  // or the number of dumps on each side. A way that is not feasible is empty.
  double more_samples = 1;
  std::optional<unsigned> lg_prof_sample = {};
  std::optional<size_t> runs = {};
};

// Returns one element for each Subject whose growth the settings of `budgets`
// limit.
std::vector<Detectable> FindDetectable(const Comparison& comparison,
                                       const Budgets& budgets,
                                       const CheckResult& result);

}  // namespace heapprof
