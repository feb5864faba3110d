// SPDX-License-Identifier: Apache-2.0
//
// What changed between the two sides of a profile, entry by entry: the numbers
// of `--base` on a terminal and of `heapprof check`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/frame_labels.h"
#include "heapprof/view/stack_call.h"

namespace heapprof {

// What an entry stands for. A stack counts for each function (file, module) in
// it, once, unless it is charged to a single call.
enum class CompareBy : uint8_t { kFunction, kStack, kFile, kModule, kThread };

// "function", "functions" ...
std::string_view CompareByName(CompareBy by);
std::string_view CompareByPlural(CompareBy by);

// The key of the entry of samples without a call.
inline constexpr std::string_view kNoCall = "(none of your code on the stack)";

struct ComparisonOptions {
  Metric metric = Metric::kInuseSpace;
  CompareBy by = CompareBy::kFunction;
  // kShort for shortened names of functions; else keys are names.
  NameForm names = NameForm::kShort;
  // For each sample, the call whose entry it counts for, or none: then it
  // counts for the entry kNoCall. If empty, entries are cumulative.
  std::vector<std::optional<StackCall>> calls = {};
  double confidence = 0.95;
};

struct ComparisonEntry {
  // Equal for both sides and both builds: MatchingName() of functions.
  std::string key;
  std::string name;  // for people; of the new side if it has the entry
  // Where the function starts, or the file; for annotations. May be empty, 0.
  std::string file = {};
  uint32_t line = 0;
  Growth growth = {};
  // By side (Side), then by run; without runs in which the entry is absent.
  std::vector<double> runs[2] = {};
  double change = 0;       // now - base, exactly 0 if only rounding is left
  Interval interval = {};  // two-sided, of the change; equals it if exact
  bool is_new = false;     // absent from all runs of the base
  bool is_gone = false;
  bool is_noise = false;  // the interval contains 0
  // The key of an entry of the other side with about the same size, if this one
  // is new or gone: the code may have been moved or renamed.
  std::string maybe_moved = {};

  // False for what cannot be told from an unchanged entry.
  bool HasChanged() const { return !is_noise && change != 0; }
};

struct ComparedSide {
  size_t runs = 0;        // inputs; values are their mean
  uint64_t period = 0;    // bytes, the longest of all runs; 0 = unknown
  bool is_exact = false;  // every allocation was counted
  Interval total = {};    // of the total; equals it if exact
  double dispersion = 1;  // OverDispersion() of the totals of its runs
};

// The entries that each sample counts for, as indexes of Comparison::entries,
// leaf first. A sample without a value counts for none.
struct SampleEntries {
  std::vector<Run> runs = {};  // of `entries`, by sample
  std::vector<uint32_t> entries = {};

  std::span<const uint32_t> Of(size_t sample) const {
    return std::span(entries).subspan(runs[sample].first, runs[sample].count);
  }
};

struct Comparison {
  Metric metric = Metric::kInuseSpace;
  CompareBy by = CompareBy::kFunction;
  double confidence = 0.95;
  ComparedSide sides[2] = {};  // by Side
  double dispersion = 1;       // OverDispersion() of the runs of all entries
  // Key "total". Allows for threads with the same seed, as TotalChange() does.
  ComparisonEntry total = {};
  std::vector<ComparisonEntry> entries = {};  // largest absolute change first
  // Of Profile::samples or, for threads, Profile::thread_samples.
  SampleEntries samples = {};

  // True if a sample counts for several entries, so that they do not add up.
  bool is_cumulative = false;
};

// Compares the sides of a profile that Merge() has joined and Subtract() has
// not changed.
Comparison Compare(const Profile& profile, const ComparisonOptions& options);

// All entries that have not changed, as one. Only for entries that do not
// overlap.
ComparisonEntry SumOfUnchanged(const Comparison& comparison);

// The growth of entry `index` without the stacks that pass through any of
// `callees` (indexes of entries) on the leaf side of that entry. Tells whether
// the growth of a caller is explained by that of its callees. `profile` is the
// one that was compared.
Growth GrowthWithout(const Profile& profile, const Comparison& comparison,
                     size_t index, std::span<const size_t> callees);

// The path of callers along which an entry changed most, root first, as names;
// empty for stacks and threads.
std::vector<std::string> PathTo(const Profile& profile,
                                const Comparison& comparison, size_t index);

}  // namespace heapprof
