// SPDX-License-Identifier: Apache-2.0
//
// The findings of a check as cells of a table, and the sentences of its header:
// what the reports for people share. The text comes from binaries and may
// contain any byte.
#pragma once

#include <string>
#include <vector>

#include "heapprof/report/check.h"

namespace heapprof {

struct CheckRow {
  std::string before;
  std::string after;
  std::string change;   // "+14.3 ± 2.1 MiB"
  std::string allowed;  // of `after`
  std::string verdict;
  std::string name;  // of the entry, or "total"
  // "new", the reason of an ignore, ...: what else is to be said
  std::string note;
  std::string path;  // "main > Serve > Handle"; may be empty
};

CheckRow MakeCheckRow(const CheckReport& report, const CheckFinding& finding);

// A row without a finding: nothing limits the total.
CheckRow MakeTotalRow(const CheckReport& report);

// "12 functions", "1 function"
std::string CountOfEntries(size_t count, CompareBy by);

// "the total and 2 functions over the limit"
std::string VerdictSentence(const CheckReport& report);

// "120.3 ± 3.0 MiB in old.heap and 2 more runs, one sample per 512 KiB, build
// 3f2a91c4"
std::string SideSentence(const CheckReport& report, Side side);

// "inuse_space by function, 95% confidence: 312 tested, 40 too small to matter"
std::string MethodSentence(const CheckReport& report);

// What the dumps could have shown, a line for each.
std::vector<std::string> DetectableSentences(const CheckReport& report);

}  // namespace heapprof
