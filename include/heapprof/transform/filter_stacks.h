// SPDX-License-Identifier: Apache-2.0
//
// The filters of the command line: which stacks a report shows, and which of
// their frames.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/transform/regex.h"

namespace heapprof {

// Perl's regular expressions; an empty one does nothing. They apply in this
// order.
struct FilterOptions {
  // Keep only frames whose function matches (or does not match); a frame is cut
  // with all calls that are inlined into it. Only the function's short name is
  // matched, as in jeprof.
  std::string retain = {};
  std::string exclude = {};
  // Keep only stacks in which any frame (or no frame) matches, by the
  // function's short name, by "file:line" of a call, or by the call's address
  // in 16 digits. As in jeprof.
  std::string focus = {};
  std::string ignore = {};
  // Keep only stacks with a frame in a binary whose path matches.
  std::string module = {};
  // Cut matching frames at every level of inlining, and stacks that become
  // empty. Matches a function's name in any form, its file, or the binary, as
  // in pprof. "@std,@rust" names built-in sets instead:
  //   @std       the standard libraries of C and C++
  //   @rust      Rust's
  //   @wrappers  functions that only pass memory on, such as xmalloc
  std::vector<std::string> hide = {};
  // Cut the callers of the matching frame nearest the root, and stacks without
  // such a frame. Matches a function's name in any form, its file, or the
  // binary, as in pprof.
  std::string show_from = {};
  // Cut the callees of the matching frame nearest the leaf. Matches a
  // function's name in any form, as in pprof.
  std::string prune_from = {};
  // Like prune_from, but for the user's own code, matched like show_from: the
  // own frame nearest the leaf then holds the memory that libraries allocated
  // for it. A stack without own frames ends in "[not own]". "auto" uses
  // OwnCode, "none" does nothing.
  std::string own = {};
  // Cut inlined calls: their values go to the function that contains them.
  bool no_inlines = false;

  bool operator==(const FilterOptions&) const = default;
};

// The effect of one filter, in one metric.
struct FilterEffect {
  std::string filter;  // "--focus=PATTERN"
  size_t removed_stacks = 0;
  double removed_value = 0;
  // Percentage of the absolute values of all stacks, so that in a difference a
  // decrease counts as well.
  double removed_percent = 0;
  size_t cut_stacks = 0;      // that lost frames but remain
  size_t not_own_stacks = 0;  // that got the frame "[not own]" from --own
  size_t left_stacks = 0;
};

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

  // Filters all samples of `profile`, including those by thread. The samples of
  // removed stacks are added to Profile::filtered_out. Returns the effect of
  // each filter in use. If a pattern takes too long, the result is an error of
  // kind kUsage.
  Result<std::vector<FilterEffect>> Apply(Profile& profile,
                                          Metric metric) const;

 private:
  StackFilters(FilterOptions options, std::vector<FrameFilter> filters);

  FilterOptions options_;
  std::vector<FrameFilter> filters_;
};

}  // namespace heapprof
