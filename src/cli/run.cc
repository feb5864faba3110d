// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "cli/facts.h"
#include "cli/load.h"
#include "cli/messages.h"
#include "heapprof/base/printable.h"
#include "heapprof/io/output_file.h"
#include "heapprof/report/collapsed.h"
#include "heapprof/report/info_json.h"
#include "heapprof/report/info_text.h"
#include "heapprof/report/pprof.h"
#include "heapprof/report/raw.h"
#include "heapprof/report/text.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/transform/allocator_frames.h"
#include "heapprof/transform/diff.h"
#include "heapprof/transform/merge.h"
#include "heapprof/transform/style_names.h"
#include "heapprof/view/flat_table.h"
#include "heapprof/view/info.h"
#include "heapprof/view/stack_table.h"

namespace heapprof {
namespace {

// Rows of a table on a terminal, where nobody reads the other thousand.
constexpr size_t kTerminalRows = 30;

bool ToStandardOutput(const Options& options) {
  return options.output.empty() || options.output == "-";
}

// Names in a message come from dumps and binaries.
void PrintMessage(std::string_view text) {
  fmt::print(stderr, "heapprof: {}\n", Printable(text));
}

unsigned Jobs(const Options& options) {
  return options.jobs != 0 ? options.jobs
                           : std::max(1u, std::thread::hardware_concurrency());
}

Unit UnitOf(const Options& options) {
  if (IsObjectCount(options.metric)) return Unit::kObjects;
  return options.show_bytes ? Unit::kBytes : Unit::kMegabytes;
}

// The sides of a comparison stay apart where the output shows both.
bool NeedsBothSides(const Options& options) {
  return options.two_columns ||
         (options.mode == OutputMode::kProto && !options.drop_negative);
}

std::string TextReport(const Profile& profile, const Options& options,
                       std::vector<std::string>& notes) {
  const FlatTable table =
      MakeFlatTable(profile, {.metric = options.metric,
                              .sort_by_cumulative = options.sort_by_cumulative,
                              .names_as_they_are = options.names.has_value()});
  const bool terminal = ToStandardOutput(options) && isatty(STDOUT_FILENO) == 1;
  const size_t top = options.top.value_or(terminal ? kTerminalRows : 0);
  if (!options.top && top != 0 && table.rows.size() > top)
    notes.push_back(fmt::format("{} more rows; --top 0 shows all",
                                table.rows.size() - top));
  return WriteText(table, {.unit = UnitOf(options), .top = top});
}

std::string CollapsedReportText(const Profile& profile, const Options& options,
                                std::vector<std::string>& notes) {
  const StackTable table = MakeStackTable(profile, options.metric);
  if (options.two_columns) return WriteTwoColumns(table);
  CollapsedReport report = WriteCollapsed(table);
  if (report.shrunk > 0)
    notes.push_back(fmt::format(
        "what shrank is not in the output: {:.0f} {}", report.shrunk,
        IsObjectCount(options.metric) ? "objects" : "bytes"));
  return std::move(report.text);
}

std::string RawReportText(const Profile& profile,
                          std::vector<std::string>& notes) {
  RawReport report = WriteRaw(profile);
  if (report.rounded)
    notes.push_back(
        "the values were not recorded with one sampling period: they are "
        "written in whole bytes, without threads");
  return std::move(report.text);
}

Result<std::string> MakeReport(const Profile& profile, const Options& options,
                               std::vector<std::string>& notes) {
  switch (options.mode) {
    case OutputMode::kText:
      return TextReport(profile, options, notes);
    case OutputMode::kCollapsed:
      return CollapsedReportText(profile, options, notes);
    case OutputMode::kProto:
      return WritePprof(profile, {.default_metric = options.metric,
                                  .comments = {"heapprof " HEAPPROF_VERSION}});
    case OutputMode::kRaw:
      return RawReportText(profile, notes);
  }
  return "";
}

std::string InfoReport(const Profile& profile, const LoadedInputs& inputs,
                       ModuleTable modules, const Options& options) {
  const Info info =
      MakeInfo(profile, DumpFactsOf(inputs.first_dump, inputs.first_format),
               std::move(modules));
  return options.json ? WriteInfoJson(info) : WriteInfoText(info);
}

Result<void> CheckInputs(const LoadedInputs& inputs, const Options& options) {
  if (options.command == Command::kInfo && inputs.profiles.size() > 1)
    return Fail(ErrorKind::kUsage, fmt::format("info takes one dump, found {}",
                                               inputs.profiles.size()));
  return {};
}

Result<void> CheckRequest(const Profile& profile, const Options& options) {
  if (IsAccumulated(options.metric) && !profile.has_accumulated)
    return Fail(ErrorKind::kNoData,
                "the dump has no accumulated counters, which --alloc_space "
                "and --alloc_objects show: run the program with "
                "MALLOC_CONF=prof_accum:true");
  if (!IsAccumulated(options.metric) && !profile.has_inuse)
    return Fail(ErrorKind::kNoData,
                "the profile says only what was allocated, not what is live: "
                "choose --alloc_space or --alloc_objects");
  if (IsObjectCount(options.metric) && !profile.has_object_counts)
    return Fail(ErrorKind::kNoData,
                "the profile has no object counts, only bytes: choose "
                "--inuse_space or --alloc_space");
  if (options.mode == OutputMode::kProto && ToStandardOutput(options) &&
      isatty(STDOUT_FILENO) == 1)
    return Fail(ErrorKind::kUsage,
                "a pprof profile is binary: name a file with -o, or pipe it");
  return {};
}

Result<void> WriteReport(const std::string& report, const Options& options) {
  return ToStandardOutput(options)
             ? WriteAll(STDOUT_FILENO, report, "standard output")
             : WriteFileAtomically(options.output, report);
}

// A pprof profile may be a comparison already.
bool HasBase(const Profile& profile) {
  return std::ranges::any_of(profile.samples, [](const Sample& sample) {
    return sample.side == Side::kBase;
  });
}

bool HasValue(const Profile& profile, Metric metric) {
  return std::ranges::any_of(profile.samples, [metric](const Sample& sample) {
    return sample.values[metric].value != 0;
  });
}

// The stacks as a report shows them. From here on stacks only get fewer and
// shorter.
void ShapeStacks(Profile& profile, const Options& options,
                 std::vector<std::string>& notes) {
  const bool has_new_side = std::ranges::any_of(
      profile.samples,
      [](const Sample& sample) { return sample.side == Side::kNew; });
  // Stacks that were cut already must meet others that are cut, too.
  const bool trim = !options.keep_allocator_frames;
  if (trim && profile.may_be_trimmed) TrimAllocatorFrames(profile);
  if (HasBase(profile) && !NeedsBothSides(options))
    Subtract(profile, options.drop_negative);
  if (!HasValue(profile, options.metric))
    notes.push_back(
        EmptyReason(has_new_side, profile.sampling_period, options));
  if (!trim)
    LabelEmptyStacks(profile);
  else if (!profile.may_be_trimmed)
    TrimAllocatorFrames(profile);
  if (options.names) StyleNames(profile, *options.names);
}

// The passes, in order.
Result<void> RunPasses(const Options& options, Diagnostics& diagnostics,
                       std::vector<std::string>& notes) {
  auto inputs = LoadInputs(options, diagnostics);
  if (!inputs) return std::unexpected(inputs.error());
  if (auto ok = CheckInputs(*inputs, options); !ok) return ok;

  // From here on addresses are those of files, not of processes.
  LocatorOptions locator = options.locator;
  locator.binaries = inputs->binaries;
  locator.folder_files = inputs->folder_files;
  Symbolizer symbolizer({.locator = locator,
                         .jobs = Jobs(options),
                         .resymbolize = options.resymbolize,
                         .unknown_addresses = options.pprof_addresses});
  for (MergeInput& input : inputs->profiles) {
    if (input.profile.is_symbolized) continue;
    if (auto bound = symbolizer.Bind(input.profile, diagnostics); !bound)
      return bound;
  }

  Profile profile = Merge(std::move(inputs->profiles));
  if (auto ok = CheckRequest(profile, options); !ok) return ok;
  symbolizer.Symbolize(profile, diagnostics);
  ShapeStacks(profile, options, notes);

  const bool is_info = options.command == Command::kInfo;
  ModuleTable modules = MakeModuleTable(
      profile, options.metric, ModuleFactsOf(profile, symbolizer, is_info));
  if (is_info)
    return WriteReport(
        InfoReport(profile, *inputs, std::move(modules), options), options);
  auto report = MakeReport(profile, options, notes);
  if (!report) return std::unexpected(report.error());
  if (auto written = WriteReport(*report, options); !written) return written;
  notes.push_back(CoverageSummary(modules));
  return {};
}

}  // namespace

int ReportError(const Error& error) {
  PrintMessage("error: " + error.message);
  return error.kind == ErrorKind::kUsage ? kExitUsage : kExitFailed;
}

int RunCommand(const Options& options) {
  if (options.show_help || options.show_version) {
    const auto shown =
        WriteAll(STDOUT_FILENO, options.show_help ? HelpText() : VersionText(),
                 "standard output");
    return shown ? kExitDone : ReportError(shown.error());
  }
  Diagnostics diagnostics;
  std::vector<std::string> notes;
  const auto done = RunPasses(options, diagnostics, notes);
  if (!options.quiet) {
    for (const std::string& warning : Warnings(diagnostics, options.verbose))
      PrintMessage("warning: " + warning);
    for (const std::string& note : notes)
      if (!note.empty()) PrintMessage(note);
  }
  return done ? kExitDone : ReportError(done.error());
}

}  // namespace heapprof
