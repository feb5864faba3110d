// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/args/choose_outputs.h"
#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/output_names.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/explain_holders.h"
#include "cli/commands/passes.h"
#include "cli/inputs/rss_files.h"
#include "cli/outputs/write_documents.h"
#include "cli/system/terminal.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/explain/slab_holders.h"
#include "heapprof/explain/waterfall.h"
#include "heapprof/record/recorded_dumps.h"
#include "heapprof/record/recorder_protocol.h"
#include "heapprof/report/explain.h"

namespace heapprof {
namespace {

constexpr std::string_view kExplainPage =
    R"(heapprof explain - where the rest of the RSS is

usage: heapprof explain [options] [BINARY] [DUMP]

Divides the resident memory of a process into lines that add up to it: what the
program has allocated, free regions in slabs, thread caches, unused dirty pages,
metadata, files, stacks and other mappings. Says how sure each line is, and what
acts on the large ones. It needs files of one moment: malloc_stats_print() of
jemalloc, /proc/PID/smaps, and a heap dump if there is one. With --base, shows
which lines have grown since an earlier moment.

Examples:
  heapprof record --rss ./server       writes these files next to each dump
  heapprof dump --rss PID              the same, now
  heapprof explain server.4711.0.r0.heap
  heapprof explain --base server.4711.0.i0.heap server.4711.9.i9.heap
  heapprof explain --stats stats.json --smaps smaps

'heapprof help rss' explains the lines, 'heapprof help unrecorded' how a program
writes these files.

Output:
  -o, --output FILE    write to FILE, never a partial file, in the format of
                       .html, .md, .json or .txt; may be repeated
  --html, --markdown, --json
                       a page, a report for a ticket, numbers for scripts
)";

constexpr const OutputFormat* kFormats[] = {
    OutputNamed("text"), OutputNamed("json"), OutputNamed("html"),
    OutputNamed("markdown")};

// As ChooseOutputs() does, but only with the formats above.
Result<std::vector<Output>> ChooseExplainOutputs(
    const OutputFormat* chosen, std::span<const std::string> paths) {
  if (paths.empty() || (paths.size() == 1 && chosen != nullptr))
    return ChooseOutputs(chosen, paths);
  if (auto distinct = CheckDistinct(paths); !distinct)
    return std::unexpected(distinct.error());
  std::vector<std::string_view> extensions;
  for (const OutputFormat* format : kFormats)
    extensions.push_back(format->extensions);
  std::vector<Output> outputs;
  for (const std::string& path : paths) {
    const auto by_name = FindExtension(path, extensions, "explain");
    if (!by_name) return std::unexpected(by_name.error());
    const bool is_text = *by_name == 0;
    outputs.push_back(
        {is_text && chosen != nullptr ? chosen : kFormats[*by_name], path});
  }
  return outputs;
}

// Completes the paths of a side with the files next to its dump.
Result<void> FindFiles(const std::string& dump, std::string_view option,
                       RssPaths& paths) {
  if (!dump.empty()) paths = WithFilesBeside(std::move(paths), dump);
  if (!paths.stats.empty()) return {};
  return UsageError(
      dump.empty()
          ? fmt::format("explain: name {} FILE, too", option)
          : fmt::format("explain: there is no file with jemalloc's stats next "
                        "to {}; name it with {} FILE, or see 'heapprof help "
                        "rss'",
                        dump, option));
}

// The dump of a side; null if there is none.
const MergeInput* DumpOf(const LoadedInputs& dumps, Side side) {
  const auto it = std::ranges::find(dumps.profiles, side, &MergeInput::side);
  return it == dumps.profiles.end() ? nullptr : &*it;
}

const std::string& PathOf(const MergeInput& dump, const LoadedInputs& dumps) {
  return dumps.facts[static_cast<size_t>(&dump - dumps.profiles.data())].path;
}

Result<WaterfallInputs> ReadSide(RssPaths paths, Side side,
                                 const LoadedInputs& dumps) {
  const MergeInput* const dump = DumpOf(dumps, side);
  const std::string path = dump == nullptr ? "" : PathOf(*dump, dumps);
  if (auto found = FindFiles(
          path, side == Side::kNew ? "--stats" : "--base-stats", paths);
      !found)
    return std::unexpected(found.error());
  auto inputs = ReadRssFiles(paths);
  if (inputs && dump != nullptr)
    inputs->dump = DescribeSamples(dump->profile, SmallLimit(inputs->stats));
  return inputs;
}

// Reads the dumps of both sides, if there are any.
Result<LoadedInputs> ReadDumps(const Options& options, Session& session) {
  if (options.files.empty()) return LoadedInputs();
  auto dumps = ReadInputs(options, {}, session);
  if (!dumps) return dumps;
  for (const Side side : kSides)
    if (const auto count =
            std::ranges::count(dumps->profiles, side, &MergeInput::side);
        count > 1)
      return UsageError(fmt::format(
          "explain takes one dump{}, found {}; 'heapprof trend --by rss' shows "
          "how the lines grow over many",
          side == Side::kNew ? "" : " as the base", count));
  return dumps;
}

bool IsComparison(const Options& options) {
  return !options.bases.empty() || !options.explain.base.stats.empty();
}

// Says which stacks have objects in slabs with free regions, if that matters.
Result<void> AddStacks(Options& options, const WaterfallInputs& now,
                       LoadedInputs dumps, Session& session,
                       Waterfall& waterfall) {
  std::string& recent = options.explain.recent;
  if (dumps.profiles.empty()) {
    if (recent.empty()) return {};
    return UsageError("explain: --recent needs a dump, which names its stacks");
  }
  if (recent.empty())
    recent = RssFileBeside(dumps.first_dump, kRecentExtension);
  if (!HasMuchFree(waterfall)) return {};
  return AddNamedHolders(options, *now.stats.total->small, std::move(dumps),
                         session, waterfall);
}

// Returns "server.4711.0.r0.heap, 2026-11-29 16:13:12 UTC"; without a dump, the
// name of the file with jemalloc's stats.
std::string SubjectOf(const LoadedInputs& dumps, Side side,
                      const RssPaths& paths) {
  const MergeInput* const dump = DumpOf(dumps, side);
  if (dump == nullptr) return std::string(BaseName(paths.stats));
  std::string text(BaseName(PathOf(*dump, dumps)));
  if (const int64_t time = dump->profile.time_seconds; time != 0)
    text += ", " + UtcTime(time);
  return text;
}

Result<Waterfall> Explain(Options& options, Session& session) {
  auto dumps = ReadDumps(options, session);
  if (!dumps) return std::unexpected(dumps.error());
  const auto now = ReadSide(options.explain.now, Side::kNew, *dumps);
  if (!now) return std::unexpected(now.error());
  Result<Waterfall> waterfall;
  if (IsComparison(options)) {
    const auto base = ReadSide(options.explain.base, Side::kBase, *dumps);
    if (!base) return std::unexpected(base.error());
    waterfall = CompareWaterfalls(*base, *now);
  } else {
    waterfall = MakeWaterfall(*now);
  }
  if (!waterfall) return waterfall;
  waterfall->subject = SubjectOf(*dumps, Side::kNew, options.explain.now);
  if (IsComparison(options))
    waterfall->subject += " compared with " +
                          SubjectOf(*dumps, Side::kBase, options.explain.base);
  if (auto added =
          AddStacks(options, *now, *std::move(dumps), session, *waterfall);
      !added)
    return std::unexpected(added.error());
  return waterfall;
}

std::string WriteIn(const Output& output, const Waterfall& waterfall,
                    const Options& options) {
  if (output.format == OutputNamed("json")) return WriteExplainJson(waterfall);
  if (output.format == OutputNamed("html"))
    return WriteExplainHtml(waterfall, HEAPPROF_VERSION);
  if (output.format == OutputNamed("markdown"))
    return WriteExplainMarkdown(waterfall);
  const TerminalStyle style = output.IsStandardOutput()
                                  ? StyleOfStandardOutput(options.color)
                                  : TerminalStyle();
  return WriteExplainText(waterfall, {.width = style.columns,
                                      .rows = options.verbose ? 0 : style.rows,
                                      .color = style.color});
}

}  // namespace

std::string_view ExplainPage() { return kExplainPage; }

Result<void> ReadExplainArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  options.files = std::move(given.positionals);
  if (options.show_help || options.show_version) return {};
  if (options.files.empty() && options.explain.now.stats.empty())
    return UsageError(
        "explain: name a dump, or jemalloc's stats with --stats FILE");
  if (options.files.empty() && !options.bases.empty())
    return UsageError(
        "explain: --base needs a dump to compare with; --base-stats FILE does "
        "not");
  const auto format = ChosenFormat(args);
  if (!format) return std::unexpected(format.error());
  auto outputs = ChooseExplainOutputs(*format, args.output_paths);
  if (!outputs) return std::unexpected(outputs.error());
  options.outputs = *std::move(outputs);
  return {};
}

Result<void> RunExplain(Options& options, Session& session) {
  const auto waterfall = Explain(options, session);
  if (!waterfall) return std::unexpected(waterfall.error());
  session.progress.Stop();
  std::vector<Document> documents;
  for (const Output& output : options.outputs) {
    documents.push_back({WriteIn(output, *waterfall, options), output.path});
    session.diagnostics.Note(MisnamedNote(output));
  }
  return WriteDocuments(documents);
}

}  // namespace heapprof
