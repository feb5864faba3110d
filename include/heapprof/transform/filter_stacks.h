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

// Perl's regular expressions; an empty one filters nothing. They apply in this
// order.
struct FilterOptions {
  // Frames whose function matches, or does not, are cut out of their stacks,
  // each with all calls that are inlined in it. The function's short name
  // counts. As in jeprof.
  std::string retain = {};
  std::string exclude = {};
  // Stacks are kept if any frame matches, or does not, by a function's short
  // name, "file:line" of a call, or the call's address in 16 digits. As in
  // jeprof.
  std::string focus = {};
  std::string ignore = {};
  // Stacks are kept if any frame is in a binary whose path matches.
  std::string module = {};
  // Frames that match are cut out at every level of inlining; stacks of which
  // nothing is left go. A function's name in any form, its file, or the binary
  // may match. As in pprof. "@std,@rust" names built-in sets instead:
  //   @std       the standard libraries of C and C++
  //   @rust      Rust's
  //   @wrappers  functions that only hand on memory, such as xmalloc
  std::vector<std::string> hide = {};
  // Cuts what called the matching frame nearest the root; stacks without any
  // go. A function's name in any form, its file, or the binary may match. As in
  // pprof.
  std::string show_from = {};
  // Cuts what the matching frame nearest the leaf called. A function's name in
  // any form may match. As in pprof.
  std::string prune_from = {};
  // The same, for the frame nearest the leaf that is one's own code, by what
  // show_from looks at: it then holds what libraries allocated for it. A stack
  // without own frames ends in "[not own]". "auto" is what OwnCode finds,
  // "none" filters nothing.
  std::string own = {};
  // Cuts inlined calls: what they hold belongs to the function they are in.
  bool no_inlines = false;

  bool operator==(const FilterOptions&) const = default;
};

// What one filter did, by one metric.
struct FilterEffect {
  std::string filter;  // "--focus=PATTERN"
  size_t removed_stacks = 0;
  double removed_value = 0;
  // Of the sizes of all stacks: in a difference, what shrank counts as well.
  double removed_percent = 0;
  size_t cut_stacks = 0;      // which lost frames only
  size_t not_own_stacks = 0;  // of --own: which got the frame "[not own]"
  size_t left_stacks = 0;
};

struct FrameFilter;  // one of the filters, compiled

class StackFilters {
 public:
  // An invalid pattern is an error of kind kUsage.
  static Result<StackFilters> Compile(const FilterOptions& options);
  StackFilters(StackFilters&& other) noexcept;
  ~StackFilters();

  // Filters the samples of `profile`, those by thread, too; samples of stacks
  // that go are added up in Profile::filtered_out. Returns what each filter
  // that was asked for did. An error, of kind kUsage, if a pattern takes too
  // long.
  Result<std::vector<FilterEffect>> Apply(Profile& profile,
                                          Metric metric) const;

 private:
  StackFilters(std::vector<FrameFilter> filters, bool no_inlines);

  std::vector<FrameFilter> filters_;
  bool no_inlines_;
};

}  // namespace heapprof
