// SPDX-License-Identifier: Apache-2.0
//
// The findings of a check as cells of a table, and the sentences of its header:
// what the reports for people share. The text comes from binaries and may
// contain any byte.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heapprof/report/check.h"

namespace heapprof {

// Longer names are shortened where nothing else limits them.
inline constexpr size_t kLongestName = 160;

struct CheckRow {
  std::string before = {};   // "new" if the base lacks the entry
  std::string after = {};    // empty for an expired ignore
  std::string change = {};   // "+14.3 ± 2.1 MiB"
  std::string allowed = {};  // of `after`
  std::string verdict = {};
  std::string name = {};  // of the entry, or "total"
  std::string note = {};  // the rule, the reason of an ignore ...
  std::string path = {};  // "main > Serve > Handle"; may be empty
};

CheckRow MakeCheckRow(const CheckReport& report, const CheckFinding& finding);

// A row without a finding: nothing limits the total.
CheckRow MakeTotalRow(const CheckReport& report);

// "1.0 MiB to 9.0 MiB (+8.0 ± 1.0 MiB), allowed 4.0 MiB"
std::string GrowthSentence(const CheckRow& row);

// "the total and 2 functions over the limit"
std::string VerdictSentence(const CheckReport& report);

// "old.heap and 2 more (build 289ee39f0a1b): 120.3 ± 3.0 MiB live; one sample
// per 512 KiB"
std::string SideSentence(const CheckReport& report, Side side);

// "inuse_space by function, 95% confidence: 312 tested, 40 too small to matter"
std::string MethodSentence(const CheckReport& report);

// Says which growth the check could have proven with these dumps: a sentence
// for the total, and one for a typical entry.
std::vector<std::string> DetectableSentences(const CheckReport& report);

}  // namespace heapprof
