// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/args/help.h"
#include "cli/cache_command.h"
#include "cli/check_command.h"
#include "cli/inputs/address_list.h"
#include "cli/inputs/comparison.h"
#include "cli/inputs/input_facts.h"
#include "cli/inputs/load.h"
#include "cli/outputs/messages.h"
#include "cli/outputs/report_request.h"
#include "cli/outputs/write_outputs.h"
#include "cli/system/emergency_exit.h"
#include "cli/system/environment.h"
#include "cli/system/progress.h"
#include "heapprof/base/printable.h"
#include "heapprof/check/finding.h"
#include "heapprof/io/input_file.h"
#include "heapprof/io/mapped_range.h"
#include "heapprof/io/output_file.h"
#include "heapprof/symbolize/added_library.h"
#include "heapprof/symbolize/symbolizer.h"
#include "heapprof/transform/merge.h"

namespace heapprof {
namespace {

// Prints `text` without control characters, because names in it come from dumps
// and binaries and could contain escape sequences for the terminal.
void PrintMessage(std::string_view text) {
  fmt::print(stderr, "heapprof: {}\n", Printable(text));
}

// Says why `profile` does not have a metric; empty if it has.
std::string_view WhyLacking(const Profile& profile, Metric metric) {
  if (IsAccumulated(metric) && !profile.has_accumulated)
    return "the dump has no accumulated counters, which --alloc_space and "
           "--alloc_objects show: run the program with "
           "MALLOC_CONF=prof_accum:true";
  if (!IsAccumulated(metric) && !profile.has_inuse)
    return "the profile says only what was allocated, not what is live: choose "
           "--alloc_space or --alloc_objects";
  if (IsObjectCount(metric) && !profile.has_object_counts)
    return "the profile has no object counts, only bytes: choose --inuse_space "
           "or --alloc_space";
  return "";
}

Result<void> CheckMetrics(const Profile& profile, const std::string& path,
                          const Options& options) {
  std::vector<Metric> metrics = options.pprof.types;
  metrics.push_back(options.metric);
  for (const Metric metric : metrics)
    if (const auto reason = WhyLacking(profile, metric); !reason.empty())
      return Fail(ErrorKind::kNoData, fmt::format("{}: {}", path, reason));
  return {};
}

// Checks that each input has the data that the options ask for. The merged
// profile does not show this: an input without counters would count as 0, so
// that everything would seem to have grown or shrunk. But a dump without
// samples really counts as 0, and does not show which counters it would have.
Result<void> CheckEachInput(const LoadedInputs& inputs,
                            const Options& options) {
  for (size_t i = 0; i < inputs.profiles.size(); ++i) {
    const Profile& profile = inputs.profiles[i].profile;
    if (profile.samples.empty()) continue;
    if (auto ok = CheckMetrics(profile, inputs.facts[i].path, options); !ok)
      return ok;
  }
  return {};
}

Result<void> CheckInputs(const LoadedInputs& inputs, const Options& options,
                         int& status, const Diagnostics& diagnostics) {
  if (options.command == Command::kCheck) {
    if (auto ok = CheckEachInput(inputs, options); !ok) return ok;
    return CheckCheckInputs(inputs, options, status, diagnostics);
  }
  if (options.command == Command::kInfo && inputs.profiles.size() > 1)
    return Fail(ErrorKind::kUsage, fmt::format("info takes one dump, found {}",
                                               inputs.profiles.size()));
  return {};
}

// Checks that `profile` has the data that the options ask for, and that no
// binary output goes to a terminal. `path` names the first dump in messages.
Result<void> CheckRequest(const Profile& profile, const std::string& path,
                          const Options& options) {
  if (auto ok = CheckMetrics(profile, path, options); !ok) return ok;
  for (const Output& output : options.outputs)
    if (output.format->traits.is_binary && output.IsStandardOutput() &&
        isatty(STDOUT_FILENO) == 1)
      return Fail(ErrorKind::kUsage,
                  fmt::format("--{} is binary: name a file with -o, or pipe it",
                              output.format->name));
  return {};
}

// Returns the debuginfod servers; null without --debuginfod.
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

// The state of a run that is still needed after the report: for the messages,
// and to build indexes of the binaries for later runs.
struct Session {
  Diagnostics diagnostics;
  std::optional<IndexCache> cache;
  std::unique_ptr<BuildIdServers> servers;
  std::optional<Symbolizer> symbolizer;
  int status = kExitDone;
};

// Returns the binary among the arguments of --symbols, if there is one. Fails
// if there are several files, or if the file is not a binary.
Result<LoadedInputs> BinaryOf(const Options& options) {
  LoadedInputs inputs;
  for (const std::string& path : options.files) {
    const auto file = InputFile::Open(path);
    if (!file) return std::unexpected(file.error());
    if (DetectFormat(file->bytes()).kind != InputKind::kBinary)
      return Fail(ErrorKind::kUsage,
                  fmt::format("{}: --symbols takes a binary", path));
    inputs.binaries.push_back(path);
  }
  if (inputs.binaries.size() > 1)
    return Fail(ErrorKind::kUsage, "--symbols takes one binary");
  return inputs;
}

// Runs the passes of --symbols.
Result<void> RunSymbols(const Options& options, Session& session) {
  auto inputs = BinaryOf(options);
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
  // The addresses in the input need not be return addresses, so do not check
  // whether they fit the binary.
  locator.force = true;
  Symbolizer& symbolizer = session.symbolizer.emplace(
      SymbolizeOptions{.locator = std::move(locator),
                       .jobs = JobCount(options),
                       .cache = session.cache ? &*session.cache : nullptr});
  if (auto bound = symbolizer.Bind(list.profile, session.diagnostics); !bound)
    return bound;
  symbolizer.Symbolize(list.profile, session.diagnostics);
  if (auto whole = CheckMappedFiles(); !whole) return whole;
  inputs->addresses = std::move(list.locations);
  return WriteReport({.profile = list.profile,
                      .inputs = *inputs,
                      .symbolizer = symbolizer,
                      .output = options.outputs.front(),
                      .options = options,
                      .diagnostics = session.diagnostics});
}

// Adds the files of --add_lib and --load-base to the mappings of `profile`.
// They are used only for addresses outside the dump's memory map.
Result<void> MapUnmapped(const Options& options, const LoadedInputs& inputs,
                         Profile& profile) {
  if (!options.added_library.empty())
    if (auto added = MapAddedLibrary(options.added_library, profile); !added)
      return added;
  size_t count = 0;
  for (const LoadBase& base : options.load_bases) {
    if (base.file.empty() && inputs.binaries.empty())
      return Fail(ErrorKind::kUsage,
                  "--load-base: name the program, too, or use --load-base "
                  "FILE=ADDR");
    const std::string& file =
        base.file.empty() ? inputs.binaries.front() : base.file;
    const auto mapped = MapAtLoadBase(file, base.address, profile);
    if (!mapped) return std::unexpected(mapped.error());
    count += *mapped;
  }
  if (!options.load_bases.empty() && count == 0 && !profile.has_memory_map)
    return Fail(ErrorKind::kNoData,
                "--load-base: no address of the dump is in the code of a file "
                "loaded there");
  return {};
}

// Switches to --alloc_space if the user chose no metric, and an input has no
// live values.
void ChooseMetric(const std::vector<MergeInput>& inputs, Options& options,
                  Diagnostics& diagnostics) {
  const auto has_inuse = [](const MergeInput& input) {
    return input.profile.has_inuse;
  };
  const auto has_accumulated = [](const MergeInput& input) {
    return input.profile.has_accumulated;
  };
  if (options.is_metric_chosen || std::ranges::all_of(inputs, has_inuse) ||
      std::ranges::none_of(inputs, has_accumulated))
    return;
  options.metric = Metric::kAllocSpace;
  diagnostics.Note(
      "the profile says only what was allocated, not what is live: showing "
      "--alloc_space");
}

std::chrono::year_month_day Today() {
  return std::chrono::floor<std::chrono::days>(
      std::chrono::system_clock::now());
}

// Runs the passes of reports, of info and of check.
Result<void> RunPasses(Options& options, Session& session) {
  Diagnostics& diagnostics = session.diagnostics;
  Progress progress(isatty(STDERR_FILENO) == 1 && !options.quiet);
  const bool is_info = options.command == Command::kInfo;
  const bool is_check = options.command == Command::kCheck;
  Budgets budgets;
  if (is_check) {
    auto prepared = PrepareCheck(options, Today());
    if (!prepared) return std::unexpected(prepared.error());
    budgets = *std::move(prepared);
  }
  progress.Enter("reading the profile");
  auto inputs = LoadInputs(options, diagnostics);
  if (!inputs) return std::unexpected(inputs.error());
  if (auto ok = CheckInputs(*inputs, options, session.status, diagnostics); !ok)
    return ok;

  auto servers = ServersOf(options);
  if (!servers) return std::unexpected(servers.error());
  session.servers = std::move(*servers);
  session.cache = CacheOf(options);

  // Bind(), called below, turns runtime addresses into file addresses, so that
  // profiles of several processes can be merged.
  Symbolizer& symbolizer = session.symbolizer.emplace(SymbolizeOptions{
      .locator = LocatorOf(options, *inputs, session.servers.get()),
      .jobs = JobCount(options),
      .cache = session.cache ? &*session.cache : nullptr,
      .resymbolize = options.resymbolize,
      .unknown_addresses = options.pprof_addresses});
  progress.Enter("looking for the binaries");
  for (MergeInput& input : inputs->profiles) {
    if (input.profile.is_symbolized) continue;
    if (auto mapped = MapUnmapped(options, *inputs, input.profile); !mapped)
      return mapped;
    if (auto bound = symbolizer.Bind(input.profile, diagnostics); !bound)
      return bound;
  }
  for (size_t i = 0; i < inputs->profiles.size(); ++i)
    AddFacts(inputs->profiles[i].profile, inputs->facts[i]);

  WarnIfSidesDiffer(inputs->profiles, diagnostics);
  if (!is_check) NoteMeans(inputs->profiles, diagnostics);
  ChooseMetric(inputs->profiles, options, diagnostics);
  if (!is_info && !is_check)
    if (auto ok = CheckEachInput(*inputs, options); !ok) return ok;
  Profile profile = Merge(std::move(inputs->profiles));
  if (auto ok = CheckRequest(profile, inputs->first_dump, options);
      !ok && !is_info)
    return ok;
  progress.Enter("naming the frames");
  symbolizer.Symbolize(profile, diagnostics);
  if (auto whole = CheckMappedFiles(); !whole) return whole;
  progress.Enter("making the report");
  if (is_check)
    return RunCheck(
        std::move(profile),
        {.inputs = *inputs, .symbolizer = symbolizer, .budgets = budgets},
        options, session.status, progress, diagnostics);
  const auto written =
      is_info ? WriteInfo(std::move(profile), *inputs, symbolizer, options,
                          progress, diagnostics)
              : WriteReports(std::move(profile), *inputs, symbolizer, options,
                             progress, diagnostics);
  if (options.verbose) diagnostics.Note(progress.Times());
  return written;
}

void PrintMessages(const Session& session, const Options& options) {
  if (options.quiet) return;
  for (const std::string& warning :
       Warnings(session.diagnostics, options.verbose))
    PrintMessage("warning: " + warning);
  for (const std::string& note : session.diagnostics.notes())
    PrintMessage(note);
}

// Replaces standard output by /dev/null, so that a program that reads the
// report from a pipe need not wait until the indexes are built.
void EndStandardOutput() {
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null < 0) return;
  dup2(null, STDOUT_FILENO);
  close(null);
}

// Builds the missing indexes. If the report already had a warning that the
// cache cannot be used, does not warn again.
void BuildIndexes(Session& session, const Options& options) {
  if (!session.symbolizer->LacksIndexes()) return;
  NoteStage("making an index");
  EndStandardOutput();
  const bool is_said = session.diagnostics.Count(WarningKind::kIndexCache) != 0;
  Diagnostics diagnostics;
  session.symbolizer->BuildIndexes(diagnostics);
  if (options.quiet) return;
  if (!is_said || options.verbose)
    for (const std::string& warning : Warnings(diagnostics, options.verbose))
      PrintMessage("warning: " + warning);
  if (options.verbose)
    for (const std::string& note : diagnostics.notes()) PrintMessage(note);
}

// `heapprof --help WORD` prints the page of the topic WORD. But if WORD is a
// file, it prints the general help, because users of jeprof add --help to any
// command line.
Result<std::string> HelpOf(const Options& options) {
  if (options.command == Command::kCheck) return CheckHelpText();
  if (options.command == Command::kInfo) return HelpPage("info");
  if (options.command == Command::kCache) return HelpPage("cache");
  std::error_code error;
  const bool is_file = options.command != Command::kHelp &&
                       std::filesystem::exists(options.help_topic, error);
  return options.help_topic.empty() || is_file ? HelpText()
                                               : HelpPage(options.help_topic);
}

// Returns the output of a run that reads no dump, such as --help; nothing for
// other runs.
std::optional<Result<std::string>> TextOf(const Options& options) {
  if (options.show_help || options.command == Command::kHelp)
    return HelpOf(options);
  if (options.show_version) return VersionText();
  if (options.command == Command::kCache) return RunCacheAction(options);
  return std::nullopt;
}

}  // namespace

int ReportError(const Error& error, int failed) {
  PrintMessage("error: " + error.message);
  return error.kind == ErrorKind::kUsage ? kExitUsage : failed;
}

int RunCommand(Options options) {
  if (options.is_default_output && isatty(STDOUT_FILENO) == 1)
    options.outputs.front().format = OutputNamed("overview");
  const int failed =
      options.command == Command::kCheck ? kExitCheckFailed : kExitFailed;
  if (const auto text = TextOf(options)) {
    if (!*text) return ReportError(text->error(), failed);
    const auto shown = WriteAll(STDOUT_FILENO, **text, "standard output");
    return shown ? kExitDone : ReportError(shown.error(), failed);
  }
  Session session;
  const bool reads_addresses =
      options.outputs.front().format->traits.reads_addresses;
  const auto done = reads_addresses ? RunSymbols(options, session)
                                    : RunPasses(options, session);
  PrintMessages(session, options);
  if (!done) {
    const bool has_status = session.status != kExitDone;
    return ReportError(done.error(), has_status ? session.status : failed);
  }
  NoteReportDelivered(session.status, options.quiet);
  BuildIndexes(session, options);
  return session.status;
}

}  // namespace heapprof
