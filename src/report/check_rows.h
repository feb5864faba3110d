// SPDX-License-Identifier: Apache-2.0
//
// What the reports of `heapprof check` for people have in common: the findings
// as cells of a table, and the sentences above and below the table. Names come
// from binaries and may contain any byte, so the reports must escape them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/report/check.h"

namespace heapprof {

// Names are shortened to this many characters, even if the width of the report
// is not limited.
inline constexpr size_t kLongestName = 160;

struct CheckRow {
  std::string before = {};  // "new" if the base lacks the entry
  std::string after = {};   // empty for an ignore that has expired
  std::string change = {};  // "+14.3 ± 2.1 MiB"
  // "+4.8 MiB", the largest permitted change; or, for a limit on the value,
  // "2.0 GiB", the largest permitted value of `after`.
  std::string allowed = {};
  std::string verdict = {};
  std::string name = {};  // the name of the entry, or "total"
  bool is_total = false;  // an entry may be called "total", too
  std::string note = {};  // the violated rule, why the entry is ignored, ...
  std::string path = {};  // "main > Serve > Handle"; may be empty
};

// Returns the path of `file` relative to the repository at `root`, or `file`
// itself if it is not in the repository.
std::string_view InRepository(std::string_view file, std::string_view root);

CheckRow MakeCheckRow(const CheckReport& report, const CheckFinding& finding);

// Makes the row of the total for a check that does not limit the total. The
// cells for the verdict and the limit are empty.
CheckRow MakeTotalRow(const CheckReport& report);

// Returns, for example, "1.0 MiB to 9.0 MiB (+8.0 ± 1.0 MiB), allowed +4.0
// MiB".
std::string GrowthSentence(const CheckRow& row);

// Returns, for example, "the total and 2 functions over the limit".
std::string VerdictSentence(const CheckReport& report);

// Describes the dumps of one side: "old.heap and 2 more (build 289ee39f0a1b):
// 120.3 ± 3.0 MiB live; one sample per 512 KiB".
std::string SideSentence(const CheckReport& report, Side side);

// Says what was tested and how: "inuse_space by function, 95 % confidence: 312
// tested, 40 too small to matter".
std::string MethodSentence(const CheckReport& report);

// Says that a check without a regression could have found only growth far above
// a limit; empty if it could have found less.
std::string PowerSentence(const CheckReport& report);

// Says how much something must grow before the check can prove it with these
// dumps. Returns a sentence for each element of CheckReport::detectable, or
// none without --explain.
std::vector<std::string> DetectableSentences(const CheckReport& report);

}  // namespace heapprof
