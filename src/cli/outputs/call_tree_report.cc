// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/call_tree_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/outputs/name_pattern.h"
#include "heapprof/report/call_tree.h"
#include "heapprof/view/call_tree.h"

namespace heapprof {
namespace {

// As many as a terminal shows with headings, messages and the prompt; 0 = all.
size_t RowLimit(const Look& look, const Options& options) {
  constexpr size_t kOtherLines = 8;
  constexpr size_t kFewest = 10;
  constexpr size_t kUnknown = 30;
  if (options.top || !look.terminal) return options.top.value_or(0);
  if (look.rows == 0) return kUnknown;
  return std::max(kFewest, look.rows - std::min(look.rows, kOtherLines));
}

// `limit` is that of rows, or 0.
void NoteHidden(const CallTree& tree, CallDirection direction, size_t limit,
                const Options& options, Diagnostics& diagnostics) {
  if (tree.has_more_rows && limit == 0)
    diagnostics.Note("there are too many rows: the largest are shown");
  else if (tree.has_more_rows && !options.top)
    diagnostics.Note("the largest rows are shown; --top 0 shows all");
  if (tree.hidden_small == 0) return;
  const bool is_one = tree.hidden_small == 1;
  diagnostics.Note(fmt::format(
      "{} {}{} below {:g}% of the total {} left out; --nodefraction 0 shows "
      "all",
      tree.hidden_small,
      direction == CallDirection::kCallers ? "caller" : "callee",
      is_one ? "" : "s", 100 * options.least_fraction, is_one ? "is" : "are"));
}

}  // namespace

Result<std::string> CallTreeReport(const Profile& profile, OutputMode mode,
                                   const Look& look, const Options& options,
                                   Diagnostics& diagnostics) {
  auto pattern = NamePattern::Compile(mode, options);
  if (!pattern) return std::unexpected(pattern.error());
  const CallDirection direction = mode == OutputMode::kCallers
                                      ? CallDirection::kCallers
                                      : CallDirection::kCallees;
  const size_t limit = RowLimit(look, options);
  const CallTree tree =
      MakeCallTree(profile, {.metric = options.metric,
                             .labels = LabelsOf(options),
                             .direction = direction,
                             .least_fraction = options.least_fraction,
                             .most_rows = limit,
                             .matches = [&](std::string_view name) {
                               return pattern->Matches(name);
                             }});
  if (auto ok = pattern->Check(tree.matching > 0); !ok)
    return std::unexpected(ok.error());
  NoteHidden(tree, direction, limit, options, diagnostics);
  return WriteCallTree(tree, {.pattern = options.pattern,
                              .direction = direction,
                              .unit = UnitOf(options),
                              .width = look.columns,
                              .draws_lines = look.utf8,
                              .color = look.color});
}

}  // namespace heapprof
