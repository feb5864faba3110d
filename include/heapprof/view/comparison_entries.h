// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a comparison, entry by entry. Compare() makes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/stack_call.h"
#include "heapprof/stats/growth.h"
#include "heapprof/stats/interval.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// What the entries of a comparison are. A stack contains several functions,
// files and modules. It counts once in the entry of each of them, unless
// ComparisonOptions::calls charges it to a single entry. It is in exactly one
// group, its root: see AddGroupRoots().
enum class CompareBy : uint8_t {
  kFunction,
  kStack,
  kFile,
  kModule,
  kThread,
  kGroup
};

struct ComparisonOptions {
  Metric metric = Metric::kInuseSpace;
  CompareBy by = CompareBy::kFunction;
  // With kShort, ComparisonEntry::name is a shortened name of the function.
  // Otherwise, it is the key. Modules are always named without their folders,
  // unless two would have the same name.
  NameForm names = NameForm::kShort;
  // The calls to whose entries samples are charged; a sample without one is
  // charged to the entry kOutsideOwnCode. If the list is empty, a sample counts
  // in the entries of all of its calls.
  CallsOfStacks calls = {};
  // For ComparisonEntry::is_own: as LabelOptions::own_lines.
  const std::vector<bool>* own_lines = nullptr;
  double confidence = kConfidence;
};

struct ComparisonEntry {
  // Identifies the entry on both sides: the full name of a function or thread,
  // the path of a file or module, the name of a group, or the functions of a
  // stack as in a collapsed report.
  std::string key;
  std::string name;  // as reports show it
  // The source position to which annotations in a code review refer: where the
  // function starts, or the file. `file` is empty and `line` is 0 if they are
  // unknown.
  std::string file = {};
  uint32_t line = 0;
  // The function, file or module has own code; see ComparisonOptions.
  bool is_own = false;
  Growth growth = {};
  // The values of the entry in the runs of each side. Runs without the entry
  // are left out.
  Sides<std::vector<double>> runs = {};
  double change = 0;  // now - base, exactly 0 if only rounding is left
  // The two-sided confidence interval of `change`. If the change is exact, both
  // bounds equal it.
  Interval interval = {};
  bool is_new = false;    // absent from all runs of the base
  bool is_gone = false;   // absent from all runs of the new side
  bool is_noise = false;  // the interval contains 0
  // Among all entries, the interval of some excludes 0 by chance. False also
  // for an entry that may be one of them: see FindChanges().
  bool has_changed = false;
  // For a new entry: the key of an entry that is gone and had about the same
  // size. For an entry that is gone: the key of such a new entry. The code may
  // have been moved or renamed. Empty if no such entry was found.
  std::string maybe_moved = {};
};

struct ComparedSide {
  size_t runs = 0;        // number of inputs; values are their mean
  uint64_t period = 0;    // bytes, the longest of all runs; 0 = unknown
  bool is_exact = false;  // every allocation was counted
  // The confidence interval of this side's total. If the total is exact, both
  // bounds equal it.
  Interval total = {};
  double filtered_out = 0;  // what filters removed from the total
  double dispersion = 1;    // Dispersion::of_sides
};

// The entries in which samples count, as indexes of Comparison::entries, leaf
// first: those of their stacks or, if threads are compared, of their threads. A
// stack or thread without any value has none.
struct SampleEntries {
  bool are_of_threads = false;
  // By StackId or ThreadId: its part of `entries`.
  std::vector<RowRange> ranges = {};
  std::vector<uint32_t> entries = {};

  size_t RowOf(const Sample& sample) const {
    return are_of_threads ? sample.thread.index() : sample.stack.index();
  }
  std::span<const uint32_t> OfRow(size_t row) const {
    return std::span(entries).subspan(ranges[row].first, ranges[row].count);
  }
  std::span<const uint32_t> Of(const Sample& sample) const {
    return OfRow(RowOf(sample));
  }
};

struct Comparison {
  Metric metric = Metric::kInuseSpace;
  CompareBy by = CompareBy::kFunction;
  double confidence = kConfidence;
  Sides<ComparedSide> sides = {};
  // The sum of all samples; its key is "total". Its errors allow for threads
  // that sample with the same random seed, as those of TotalChange() do.
  ComparisonEntry total = {};
  std::vector<ComparisonEntry> entries = {};  // largest absolute change first
  RunVariation variation = {};                // of the entries
  SampleEntries samples = {};

  // True if a sample may count in several entries, so that the entries do not
  // add up to the total.
  bool is_cumulative = false;
  // Unless it is so: the sum of the entries for which `has_changed` is false,
  // apart from that of IsOtherGroup(), with its growth, change and interval.
  ComparisonEntry unchanged = {};
};

}  // namespace heapprof
