// SPDX-License-Identifier: Apache-2.0
//
// Applies the filters to one stack.
//
// To add a filter that matches frames by a pattern, add
//   - a member to FilterOptions (filter_stacks.h). The option's row in
//     OptionTable() stores the pattern there, by StoreFilter()
//   - a FilterKind below, and a row for it in PatternsOf() (filter_stacks.cc)
//   - its cases in SubjectsOf() and ApplyFilter() (stack_filter.cc)
// A filter without a pattern, such as --no-inlines, is a bool in FilterOptions.
// StackFilters::Apply() (filter_stacks.cc) hands it to StackRewriter.
#pragma once

#include <cstdint>
#include <vector>

#include "transform/frame_matches.h"
#include "transform/location_parts.h"

namespace heapprof {

enum class FilterKind : uint8_t {
  kRetain,
  kExclude,
  kFocus,
  kIgnore,
  kModule,
  kHide,
  kShowFrom,
  kPruneFrom,
  kOwn,
};

enum class FilterOutcome : uint8_t { kUnchanged, kCut, kRemoved };

// Returns which texts of a frame a filter of this kind compares with its
// pattern.
Subjects SubjectsOf(FilterKind kind);

// True for filters that keep or remove whole stacks because of functions in
// them. They also match the group of a stack.
bool SelectsStacks(FilterKind kind);

// True for filters that keep only what has certain names.
bool WantsNames(FilterKind kind);

// Changes `stack`, which is leaf first, as described in FilterOptions. For two
// kinds, the caller does the rest: kHide changes nothing here (see
// HideCalls()), and kOwn does not add "[outside your code]".
FilterOutcome ApplyFilter(FilterKind kind, const FrameMatches& matches,
                          std::vector<LocationPart>& stack);

}  // namespace heapprof
