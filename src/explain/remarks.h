// SPDX-License-Identifier: Apache-2.0
//
// The sentences of a waterfall. Each has a condition, without which it is not
// said; tests/explain/sentences_test.cc lists them.
#pragma once

#include <string>
#include <vector>

#include "explain/heap_parts.h"
#include "heapprof/explain/waterfall.h"

namespace heapprof {

// With this value of lg_prof_sample and below, nearly every object is sampled.
inline constexpr uint64_t kMostlySampled = 8;

// How well jemalloc's mappings could be told apart from others.
enum class Match : uint8_t {
  kNone,   // no file lists the mappings
  kExact,  // sizes add up to `mapped` + `retained`
  kClose,  // nearly: the files are of slightly different moments
  kForeign
};

struct JemallocMappings {
  Match match = Match::kNone;
  uint64_t found = 0;     // address space of the mappings that look like it
  uint64_t expected = 0;  // that jemalloc has
  uint64_t resident = 0;  // of those that were found
  uint64_t swapped = 0;   // the same
  bool includes_arenas = false;  // those that look like glibc's are jemalloc's

  bool AreToldApart() const {
    return match == Match::kExact || match == Match::kClose;
  }
};

JemallocMappings FindJemalloc(const WaterfallInputs& inputs);

std::vector<Remark> MakeRemarks(const WaterfallInputs& inputs,
                                const HeapParts& parts,
                                const JemallocMappings& mappings);

// Returns what acts on a line; empty if nothing does that the files support.
std::string AdviceFor(LineKind kind, const WaterfallInputs& inputs);

// True if `bytes`, a part of `all`, are worth advice.
bool IsWorthAdvice(int64_t bytes, int64_t all);

}  // namespace heapprof
