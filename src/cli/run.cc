// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "cli/address_list.h"
#include "cli/cache.h"
#include "cli/environment.h"
#include "cli/facts.h"
#include "cli/load.h"
#include "cli/messages.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "heapprof/base/printable.h"
#include "heapprof/io/input_file.h"
#include "heapprof/io/output_file.h"
#include "heapprof/report/info_json.h"
#include "heapprof/report/info_text.h"
#include "heapprof/symbolize/added_library.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/transform/allocator_frames.h"
#include "heapprof/transform/diff.h"
#include "heapprof/transform/filter_stacks.h"
#include "heapprof/transform/merge.h"
#include "heapprof/transform/regex.h"
#include "heapprof/transform/style_names.h"
#include "heapprof/transform/threads.h"
#include "heapprof/view/info.h"

namespace heapprof {
namespace {

// Names in a message come from dumps and binaries.
void PrintMessage(std::string_view text) {
  fmt::print(stderr, "heapprof: {}\n", Printable(text));
}

unsigned Jobs(const Options& options) {
  return options.jobs != 0 ? options.jobs
                           : std::max(1u, std::thread::hardware_concurrency());
}

Result<void> CheckInputs(const LoadedInputs& inputs, const Options& options) {
  if (options.command == Command::kInfo && inputs.profiles.size() > 1)
    return Fail(ErrorKind::kUsage, fmt::format("info takes one dump, found {}",
                                               inputs.profiles.size()));
  return {};
}

// Whether `profile`, which was read from `path` and perhaps others, has what
// is asked for.
Result<void> CheckRequest(const Profile& profile, const std::string& path,
                          const Options& options) {
  const auto lacks = [&path](std::string_view what) {
    return Fail(ErrorKind::kNoData, fmt::format("{}: {}", path, what));
  };
  if (IsAccumulated(options.metric) && !profile.has_accumulated)
    return lacks(
        "the dump has no accumulated counters, which --alloc_space and "
        "--alloc_objects show: run the program with "
        "MALLOC_CONF=prof_accum:true");
  if (!IsAccumulated(options.metric) && !profile.has_inuse)
    return lacks(
        "the profile says only what was allocated, not what is live: choose "
        "--alloc_space or --alloc_objects");
  if (IsObjectCount(options.metric) && !profile.has_object_counts)
    return lacks(
        "the profile has no object counts, only bytes: choose --inuse_space "
        "or --alloc_space");
  for (const Output& output : options.outputs)
    if (const OutputFormat& format = FormatOf(output.mode);
        format.binary && output.IsStandardOutput() &&
        isatty(STDOUT_FILENO) == 1)
      return Fail(ErrorKind::kUsage,
                  fmt::format("--{} is binary: name a file with -o, or pipe it",
                              format.option));
  return {};
}

Result<void> WriteReport(const std::string& report, const Output& output) {
  return output.IsStandardOutput()
             ? WriteAll(STDOUT_FILENO, report, "standard output")
             : WriteFileAtomically(output.path, report);
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

// Shares of nothing would tell nothing.
Metric InfoMetric(const Profile& profile, const Options& options) {
  return HasValue(profile, options.metric)
             ? options.metric
             : MetricWithValues(profile).value_or(options.metric);
}

// Notes that belong to a comparison are the same for both ways to show it.
void AddOnce(std::string note, std::vector<std::string>& notes) {
  if (std::ranges::find(notes, note) == notes.end())
    notes.push_back(std::move(note));
}

// The stacks as a report shows them. From here on stacks only get fewer and
// shorter.
Result<void> ShapeStacks(Profile& profile, bool both_sides,
                         const Options& options,
                         std::vector<std::string>& notes) {
  const bool has_new_side = std::ranges::any_of(
      profile.samples,
      [](const Sample& sample) { return sample.side == Side::kNew; });
  // Stacks that were cut already must meet others that are cut, too.
  const bool trim = !options.keep_allocator_frames;
  if (trim && profile.may_be_trimmed) TrimAllocatorFrames(profile);
  if (HasBase(profile) && !both_sides) Subtract(profile, options.drop_negative);
  const bool one_thread = !options.thread.empty() && options.thread != "*";
  if (one_thread && !SelectThread(profile, options.thread))
    AddOnce(fmt::format("--thread={}: no such thread; --threads lists them",
                        options.thread),
            notes);
  else if (!HasValue(profile, options.metric))
    AddOnce(EmptyReason(has_new_side, profile, options), notes);
  if (!trim)
    LabelEmptyStacks(profile);
  else if (!profile.may_be_trimmed)
    TrimAllocatorFrames(profile);
  const auto filters = StackFilters::Compile(options.filters);
  if (!filters) return std::unexpected(filters.error());
  const auto effects = filters->Apply(profile, options.metric);
  if (!effects) return std::unexpected(effects.error());
  AddOnce(FilterSummary(*effects, options.metric), notes);
  if (options.names) StyleNames(profile, *options.names);
  return {};
}

Result<void> WriteInfo(Profile profile, const LoadedInputs& inputs,
                       const Symbolizer& symbolizer, const Options& options,
                       Progress& progress, std::vector<std::string>& notes) {
  if (auto shaped = ShapeStacks(profile, false, options, notes); !shaped)
    return shaped;
  const Info info =
      MakeInfo(profile, DumpFactsOf(inputs.first_dump, inputs.first_format),
               MakeModuleTable(profile, InfoMetric(profile, options),
                               ModuleFactsOf(profile, symbolizer, true)));
  progress.Stop();
  return WriteReport(options.json ? WriteInfoJson(info) : WriteInfoText(info),
                     options.outputs.front());
}

bool NeedsThreads(const Options& options) {
  return options.thread == "*" ||
         std::ranges::find(options.outputs, OutputMode::kThreads,
                           &Output::mode) != options.outputs.end();
}

// Makes all reports before it writes the first: one that cannot be made
// leaves no file of any.
Result<void> WriteReports(Profile profile, const Symbolizer& symbolizer,
                          const Options& options, Progress& progress,
                          std::vector<std::string>& notes) {
  const auto needs_both = [&options](const Output& output) {
    return NeedsBothSides(output, options);
  };
  std::vector<std::string> reports(options.outputs.size());
  std::string summary;
  const auto make_reports = [&](Profile shaped, bool both) -> Result<void> {
    if (auto ok = ShapeStacks(shaped, both, options, notes); !ok) return ok;
    summary = CoverageSummary(MakeModuleTable(
        shaped, options.metric, ModuleFactsOf(shaped, symbolizer, false)));
    if (shaped.thread_samples.empty() &&
        shaped.filtered_thread_samples.empty() && NeedsThreads(options))
      AddOnce("the dump says nothing of threads", notes);
    for (const bool in_stacks : {false, true}) {
      // Other outputs show threads as roots of their stacks.
      if (in_stacks && options.thread == "*") AddThreadRoots(shaped);
      for (size_t i = 0; i < reports.size(); ++i) {
        const Output& output = options.outputs[i];
        if (needs_both(output) != both || ShowsThreads(output) == in_stacks)
          continue;
        auto report = MakeReport(shaped, output, options, notes);
        if (!report) return std::unexpected(report.error());
        reports[i] = std::move(*report);
      }
    }
    return {};
  };

  const bool both = std::ranges::any_of(options.outputs, needs_both);
  const bool one = !std::ranges::all_of(options.outputs, needs_both);
  if (both)
    if (auto made = make_reports(one ? profile : std::move(profile), true);
        !made)
      return made;
  if (one)
    if (auto made = make_reports(std::move(profile), false); !made) return made;
  progress.Stop();
  for (size_t i = 0; i < reports.size(); ++i)
    if (auto written = WriteReport(reports[i], options.outputs[i]); !written)
      return written;
  notes.push_back(std::move(summary));
  return {};
}

// Null without --debuginfod.
Result<std::unique_ptr<BuildIdServers>> ServersOf(const Options& options) {
  if (!options.use_debuginfod) return nullptr;
  return OpenDebuginfod(DebuginfodUrls());
}

LocatorOptions LocatorOf(const Options& options, const LoadedInputs& inputs,
                         BuildIdServers* servers) {
  LocatorOptions locator = options.locator;
  locator.binaries = inputs.binaries;
  locator.folder_files = inputs.folder_files;
  locator.debug.debuginfod_caches =
      DebuginfodCaches(ReadDebuginfodEnvironment());
  locator.debug.servers = servers;
  return locator;
}

// What is of use when the report is written.
struct Session {
  Diagnostics diagnostics;
  std::vector<std::string> notes;
  std::optional<IndexCache> cache;
  std::unique_ptr<BuildIdServers> servers;
  std::optional<Symbolizer> symbolizer;
};

// What --symbols takes as arguments: one binary, or none.
Result<LoadedInputs> BinaryOf(const Options& options) {
  LoadedInputs inputs;
  for (const std::string& path : options.files) {
    const auto file = InputFile::Open(path);
    if (!file) return std::unexpected(file.error());
    if (DetectFormat(file->bytes()) != InputFormat::kElf)
      return Fail(ErrorKind::kUsage,
                  fmt::format("{}: --symbols takes a binary", path));
    inputs.binaries.push_back(path);
  }
  if (inputs.binaries.size() > 1)
    return Fail(ErrorKind::kUsage, "--symbols takes one binary");
  return inputs;
}

// The passes of --symbols.
Result<void> RunSymbols(const Options& options, Session& session) {
  const auto inputs = BinaryOf(options);
  if (!inputs) return std::unexpected(inputs.error());
  auto servers = ServersOf(options);
  if (!servers) return std::unexpected(servers.error());
  session.servers = std::move(*servers);
  session.cache = CacheOf(options);
  const auto input = InputFile::Open("-");
  if (!input) return std::unexpected(input.error());

  AddressList list = ReadAddressList(
      input->bytes(), inputs->binaries.empty() ? "" : inputs->binaries.front(),
      session.diagnostics);
  LocatorOptions locator = LocatorOf(options, *inputs, session.servers.get());
  locator.force = true;  // these addresses need not be behind calls
  Symbolizer& symbolizer = session.symbolizer.emplace(
      SymbolizeOptions{.locator = std::move(locator),
                       .jobs = Jobs(options),
                       .cache = session.cache ? &*session.cache : nullptr});
  if (auto bound = symbolizer.Bind(list.profile, session.diagnostics); !bound)
    return bound;
  symbolizer.Symbolize(list.profile, session.diagnostics);
  return WriteReport(WriteAddressNames(list, options.names),
                     options.outputs.front());
}

// The passes, in order.
Result<void> RunPasses(const Options& options, Session& session) {
  // Before anything takes time.
  if (auto filters = StackFilters::Compile(options.filters); !filters)
    return std::unexpected(filters.error());
  const std::string_view report = FormatOf(options.outputs.front().mode).option;
  if (auto pattern =
          Regex::Compile(fmt::format("--{}", report), options.pattern);
      !pattern)
    return std::unexpected(pattern.error());
  Diagnostics& diagnostics = session.diagnostics;
  Progress progress(isatty(STDERR_FILENO) == 1 && !options.quiet);
  progress.Enter("reading the profile");
  auto inputs = LoadInputs(options, diagnostics);
  if (!inputs) return std::unexpected(inputs.error());
  if (auto ok = CheckInputs(*inputs, options); !ok) return ok;

  const bool is_info = options.command == Command::kInfo;
  auto servers = ServersOf(options);
  if (!servers) return std::unexpected(servers.error());
  session.servers = std::move(*servers);
  session.cache = CacheOf(options);

  // From here on addresses are those of files, not of processes.
  Symbolizer& symbolizer = session.symbolizer.emplace(SymbolizeOptions{
      .locator = LocatorOf(options, *inputs, session.servers.get()),
      .jobs = Jobs(options),
      .cache = session.cache ? &*session.cache : nullptr,
      .resymbolize = options.resymbolize,
      .unknown_addresses = options.pprof_addresses});
  progress.Enter("looking for the binaries");
  for (MergeInput& input : inputs->profiles) {
    if (input.profile.is_symbolized) continue;
    if (!options.added_library.empty())
      if (auto added = MapAddedLibrary(options.added_library, input.profile);
          !added)
        return added;
    if (auto bound = symbolizer.Bind(input.profile, diagnostics); !bound)
      return bound;
  }

  Profile profile = Merge(std::move(inputs->profiles));
  if (auto ok = CheckRequest(profile, inputs->first_dump, options);
      !ok && !is_info)
    return ok;
  progress.Enter("naming the frames");
  symbolizer.Symbolize(profile, diagnostics);
  progress.Enter("making the report");
  return is_info ? WriteInfo(std::move(profile), *inputs, symbolizer, options,
                             progress, session.notes)
                 : WriteReports(std::move(profile), symbolizer, options,
                                progress, session.notes);
}

void PrintMessages(const Session& session, const Options& options) {
  if (options.quiet) return;
  for (const std::string& warning :
       Warnings(session.diagnostics, options.verbose))
    PrintMessage("warning: " + warning);
  for (const std::string& note : session.notes)
    if (!note.empty()) PrintMessage(note);
}

// Who reads the report from a pipe need not wait for what follows.
void EndStandardOutput() {
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null < 0) return;
  dup2(null, STDOUT_FILENO);
  close(null);
}

// Builds the indexes that were missing. Says no more than once that the cache
// is of no use.
void BuildIndexes(Session& session, const Options& options) {
  if (!session.symbolizer->LacksIndexes()) return;
  EndStandardOutput();
  const bool is_said = session.diagnostics.Count(kIndexCacheFinding) != 0;
  Diagnostics diagnostics;
  const std::vector<std::string> notes =
      session.symbolizer->BuildIndexes(diagnostics);
  if (options.quiet) return;
  if (!is_said || options.verbose)
    for (const std::string& warning : Warnings(diagnostics, options.verbose))
      PrintMessage("warning: " + warning);
  if (options.verbose)
    for (const std::string& note : notes) PrintMessage(note);
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
  if (options.command == Command::kCache) {
    const auto text = RunCacheAction(options);
    if (!text) return ReportError(text.error());
    const auto shown = WriteAll(STDOUT_FILENO, *text, "standard output");
    return shown ? kExitDone : ReportError(shown.error());
  }
  Session session;
  const bool symbols = options.outputs.front().mode == OutputMode::kSymbols;
  const auto done =
      symbols ? RunSymbols(options, session) : RunPasses(options, session);
  PrintMessages(session, options);
  if (!done) return ReportError(done.error());
  BuildIndexes(session, options);
  return kExitDone;
}

}  // namespace heapprof
