// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>

#include "cli/outputs/report_request.h"
#include "cli/outputs/row_limits.h"
#include "heapprof/report/text.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/thread_table.h"

namespace heapprof {
namespace {

// The title for a value of --thread: "t3" for a UID, as in jeprof, or a name.
std::string ThreadTitle(const std::string& thread) {
  const bool is_uid = thread.find_first_not_of("0123456789") == thread.npos;
  return is_uid && !thread.empty() ? "t" + thread : thread;
}

std::string TextOfEachThread(const Profile& profile, const Options& options) {
  std::string text;
  for (const auto& [thread, samples, filtered_out] : SamplesByThread(profile)) {
    const FlatTable table = MakeFlatTable(
        profile, {.metric = options.metric,
                  .sort_by_cumulative = options.sort_by_cumulative,
                  .labels = LabelsOf(options),
                  .samples = samples,
                  .filtered_out = filtered_out});
    text += WriteText(table, {.unit = UnitOf(options),
                              .top = options.top.value_or(0),
                              .thread = fmt::format(
                                  "t{}", profile.threads[thread.index()].uid)});
  }
  return text;
}

}  // namespace

Result<std::string> MakeTextReport(const ReportRequest& request) {
  const Profile& profile = request.profile;
  const Options& options = request.options;
  if (options.thread == "*") return TextOfEachThread(profile, options);
  const FlatTable table =
      MakeFlatTable(profile, {.metric = options.metric,
                              .sort_by_cumulative = options.sort_by_cumulative,
                              .labels = LabelsOf(options)});
  const TerminalStyle style = request.Style();
  const size_t top = LineLimit(request);
  NoteMoreRows(table.rows.size(), top, request);
  return WriteText(table, {.unit = UnitOf(options),
                           .top = top,
                           .heading = style.is_terminal,
                           .thread = ThreadTitle(options.thread),
                           .width = style.columns,
                           .color = style.color});
}

}  // namespace heapprof
