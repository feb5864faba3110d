// SPDX-License-Identifier: Apache-2.0
//
// The filters of the command line: which stacks a report shows, and which of
// their frames.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/regex.h"
#include "heapprof/profile/filter_effect.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Each filter is a regular expression in Perl's syntax; an empty one does
// nothing. The filters apply in this order.
struct FilterOptions {
  // Keep only frames whose function matches `retain` and does not match
  // `exclude`. Inlined calls are not matched; they are cut with the function
  // that contains them. Matches all ShownNames() of the function.
  std::string retain = {};
  std::string exclude = {};
  // Keep only stacks in which some frame matches `focus` and no frame matches
  // `ignore`. Matches all ShownNames() of a function, and, as in jeprof,
  // "file:line" of a call, or the call's address in 16 hex digits. Also matches
  // the FrameOfGroup() of a stack. All other filters ignore it, and none cuts
  // it.
  std::string focus = {};
  std::string ignore = {};
  // Keep only stacks with a frame in a binary whose path matches.
  std::string module = {};
  // Cut every matching call, inlined or not; remove a stack that becomes empty.
  // Matches all ShownNames() of a function, its file, or the binary, as in
  // pprof. Instead of a pattern, "@std,@rust" names built-in sets:
  //   @std       the standard libraries of C and C++
  //   @rust      Rust's
  //   @wrappers  functions that only pass memory on, such as xmalloc
  std::vector<std::string> hide = {};
  // Cut the callers of the matching frame nearest the root; remove a stack
  // without such a frame. Matches what `hide` matches.
  std::string show_from = {};
  // Cut the callees of the matching frame nearest the leaf; keep a stack
  // without such a frame. Matches all ShownNames() of a function, as in pprof.
  std::string prune_from = {};
  // Matches the user's own code. Cut the callees of the matching frame nearest
  // the leaf, so that this frame holds the memory that libraries allocated for
  // it. A stack without a match gets the leaf kOutsideOwnCode. Matches what
  // `hide` matches. Instead of a pattern, "auto" lets OwnCode decide which code
  // is own, "!PATTERN" is "auto" without functions and files that match, and
  // "none" does nothing.
  std::string own = {};
  // Cut inlined calls. Their values count in the function that contains them.
  bool no_inlines = false;

  bool operator==(const FilterOptions&) const = default;
};

// Returns FilterEffect::removed_nameless of all filters.
Sides<double> RemovedNameless(std::span<const FilterEffect> effects);

struct FrameFilter;  // one compiled filter

class StackFilters {
 public:
  // An invalid pattern is an error of kind kUsage.
  static Result<StackFilters> Compile(FilterOptions options);
  StackFilters();  // removes nothing
  StackFilters(StackFilters&& other) noexcept;
  StackFilters& operator=(StackFilters&& other) noexcept;
  ~StackFilters();

  const FilterOptions& options() const { return options_; }
  // True if stacks stay as they are.
  bool IsEmpty() const { return filters_.empty() && !options_.no_inlines; }
  // True if Apply() sets Profile::own_allocators.
  bool FindOwnCode() const;

  // Filters all samples of `profile`, including those by thread. The samples of
  // removed stacks are added to Profile::filtered_out. --own=auto and
  // --own=!PATTERN set Profile::own_allocators. Returns the effect of each
  // filter in use. If a pattern takes too long, the result is an error of kind
  // kUsage.
  Result<std::vector<FilterEffect>> Apply(Profile& profile,
                                          Metric metric) const;

 private:
  StackFilters(FilterOptions options, std::vector<FrameFilter> filters);

  FilterOptions options_;
  std::vector<FrameFilter> filters_;
};

}  // namespace heapprof
