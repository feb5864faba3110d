// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/args/choose_outputs.h"
#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "cli/outputs/write_outputs.h"
#include "cli/system/terminal.h"
#include "heapprof/explain/waterfall.h"
#include "heapprof/io/input_file.h"
#include "heapprof/io/output_file.h"
#include "heapprof/record/recorded_dumps.h"
#include "heapprof/report/explain.h"

namespace heapprof {
namespace {

constexpr std::string_view kExplainPage =
    R"(heapprof explain - where the rest of the RSS is

usage: heapprof explain [options] [DUMP]

Divides the resident memory of a process into lines that add up to it: what the
program has allocated, free regions in slabs, thread caches, unused dirty pages,
metadata, files, stacks and other mappings. Says how sure each line is, and what
acts on the large ones. It needs files of one moment: malloc_stats_print() of
jemalloc, /proc/PID/smaps, and a heap dump if there is one.

Examples:
  heapprof record --rss ./server       writes these files next to each dump
  heapprof dump --rss PID              the same, now
  heapprof explain server.4711.0.r0.heap
  heapprof explain --stats stats.json --smaps smaps

'heapprof help rss' explains the lines, and how a program writes these files.

Output:
  -o, --output FILE    write to FILE, never a partial file; *.json gets JSON
  --json               the same for scripts
)";

constexpr const OutputFormat* kExplainJson = OutputNamed("json");

Result<AllocatorStats> ReadStats(const std::string& path) {
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  if (!file->inflate_problem().empty())
    return Fail(ErrorKind::kBadFormat, file->inflate_problem());
  return ParseAllocatorStats(file->bytes(), path);
}

Result<std::optional<ResidentMemory>> ReadMemory(const std::string& path) {
  if (path.empty()) return std::nullopt;
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  if (!file->inflate_problem().empty())
    return Fail(ErrorKind::kBadFormat, file->inflate_problem());
  return ParseResidentMemory(file->bytes(), path);
}

// Reads what the kernel says. The file that says more is used; the other one
// has to fit it.
Result<void> AddMemory(const ExplainChoices& paths, WaterfallInputs& inputs) {
  auto smaps = ReadMemory(paths.smaps);
  if (!smaps) return std::unexpected(smaps.error());
  auto status = ReadMemory(paths.status);
  if (!status) return std::unexpected(status.error());
  if (!*smaps || (*status && (*status)->regions && !(*smaps)->regions))
    std::swap(*smaps, *status);
  inputs.memory = std::move(*smaps);
  inputs.other_memory = std::move(*status);
  return {};
}

Result<WaterfallInputs> ReadFiles(const Options& options, Session& session) {
  ExplainChoices paths = options.explain;
  std::optional<LoadedInputs> dumps;
  if (!options.files.empty()) {
    auto read = ReadInputs(options, {}, session);
    if (!read) return std::unexpected(read.error());
    if (read->profiles.size() != 1)
      return UsageError(fmt::format("explain takes one dump, found {}",
                                    read->profiles.size()));
    dumps = std::move(*read);
    const std::string& dump = dumps->first_dump;
    if (paths.stats.empty()) paths.stats = RssFileBeside(dump, kStatsExtension);
    if (paths.smaps.empty()) paths.smaps = RssFileBeside(dump, kSmapsExtension);
    if (paths.status.empty())
      paths.status = RssFileBeside(dump, kStatusExtension);
    if (paths.stats.empty())
      return UsageError(fmt::format(
          "explain: there is no file with jemalloc's stats next to {}; name "
          "it with --stats FILE, or see 'heapprof help rss'",
          dump));
  }
  auto stats = ReadStats(paths.stats);
  if (!stats) return std::unexpected(stats.error());
  WaterfallInputs inputs{.stats = std::move(*stats)};
  if (auto added = AddMemory(paths, inputs); !added)
    return std::unexpected(added.error());
  if (dumps)
    inputs.dump = DescribeSamples(dumps->profiles.front().profile,
                                  SmallLimit(inputs.stats));
  return inputs;
}

}  // namespace

std::string_view ExplainPage() { return kExplainPage; }

Result<void> ReadExplainArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  options.files = std::move(given.positionals);
  if (options.show_help || options.show_version) return {};
  if (options.files.empty() && options.explain.stats.empty())
    return UsageError(
        "explain: name a dump, or jemalloc's stats with --stats FILE");
  if (args.output_paths.size() > 1)
    return UsageError("more than one -o: explain writes one report");
  const auto format = ChosenFormat(args);
  if (!format) return std::unexpected(format.error());
  Output& output = options.outputs.front();
  if (!args.output_paths.empty()) output.path = args.output_paths.front();
  if (*format != nullptr)
    output.format = *format;
  else if (output.path.ends_with(kExplainJson->extensions))
    output.format = kExplainJson;
  return {};
}

Result<void> RunExplain(Options& options, Session& session) {
  const auto inputs = ReadFiles(options, session);
  if (!inputs) return std::unexpected(inputs.error());
  const auto waterfall = MakeWaterfall(*inputs);
  if (!waterfall) return std::unexpected(waterfall.error());
  session.progress.Stop();
  const Output& output = options.outputs.front();
  const TerminalStyle style = output.IsStandardOutput()
                                  ? StyleOfStandardOutput(options.color)
                                  : TerminalStyle();
  const std::string text =
      output.format == kExplainJson
          ? WriteExplainJson(*waterfall)
          : WriteExplainText(*waterfall,
                             {.width = style.columns, .color = style.color});
  return output.IsStandardOutput()
             ? WriteAll(STDOUT_FILENO, text, "standard output")
             : WriteFileAtomically(output.path, text);
}

}  // namespace heapprof
