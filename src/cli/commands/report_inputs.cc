// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/report_inputs.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "cli/args/choose_outputs.h"
#include "cli/inputs/freed_memory.h"
#include "cli/inputs/metrics.h"
#include "cli/inputs/series.h"
#include "cli/inputs/side_warnings.h"
#include "cli/outputs/latest_snapshots.h"
#include "cli/outputs/write_outputs.h"
#include "heapprof/transform/merge.h"

namespace heapprof {
namespace {

// Of several dumps of a process, lets suggested commands name only the one that
// the report is about. A sum needs all, but a command must not fill the screen.
void KeepLastDump(const LoadedInputs& inputs, Options& options) {
  constexpr size_t kMostDumps = 8;
  std::vector<std::string> paths;
  for (const InputFacts& input : inputs.facts) paths.push_back(input.path);
  const bool is_sum =
      std::ranges::all_of(FindSeries(paths), [](const FileSeries& series) {
        return series.process.empty() || series.files.size() == 1;
      });
  if (is_sum && paths.size() <= kMostDumps) return;
  const std::string& kept = paths[LastShownDump(inputs.facts)];
  for (const std::string& path : paths)
    if (path != kept) std::erase(options.args, path);
}

// Fails if a binary output would go to a terminal.
Result<void> CheckBinaryOutputs(const Options& options) {
  for (const Output& output : options.outputs)
    if (output.format->traits.is_binary && output.IsStandardOutput() &&
        isatty(STDOUT_FILENO) == 1)
      return Fail(ErrorKind::kUsage,
                  fmt::format("--{} is binary: name a file with -o, or pipe it",
                              output.format->name));
  return {};
}

}  // namespace

Result<void> ReportInputs(LoadedInputs inputs, Options& options,
                          Session& session) {
  if (auto found = FindBinaries(options, inputs, session); !found) return found;
  NoteMeans(inputs.profiles, options, session.diagnostics);
  if (options.bases.empty()) {
    KeepLastDump(inputs, options);
    if (options.drop_negative)
      session.diagnostics.Note("--drop_negative has no effect without --base");
  }
  ChooseMetric(inputs.profiles, options, session.diagnostics);
  if (auto ok = CheckEachInput(inputs, options); !ok) return ok;
  if (inputs.profiles.size() > 1) session.progress.Enter("joining the dumps");
  Profile profile = std::move(inputs.merger).Finish(std::move(inputs.profiles));
  NoteFreedMemory(profile, inputs.first_dump, options, session.diagnostics);
  if (auto ok = CheckMetrics(profile, inputs.first_dump, options); !ok)
    return ok;
  if (auto ok = CheckBinaryOutputs(options); !ok) return ok;
  if (auto named = NameFrames(profile, session); !named) return named;
  session.progress.Enter("making the report");
  for (const Output& output : options.outputs)
    session.diagnostics.Note(MisnamedNote(output));
  auto written =
      WriteReports(std::move(profile), {.inputs = inputs,
                                        .symbolizer = *session.symbolizer,
                                        .options = options,
                                        .progress = session.progress,
                                        .diagnostics = session.diagnostics});
  if (options.verbose) session.diagnostics.Note(session.progress.Times());
  return written;
}

}  // namespace heapprof
