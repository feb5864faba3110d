// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "cli/args/choose_outputs.h"
#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/output_names.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "cli/inputs/freed_memory.h"
#include "cli/inputs/metrics.h"
#include "cli/outputs/write_outputs.h"
#include "heapprof/transform/merge.h"

namespace heapprof {
namespace {

constexpr const OutputFormat* kInfoText = OutputNamed("text");
constexpr const OutputFormat* kInfoJson = OutputNamed("json");

Result<void> SetInfoOutput(ParsedArgs& args) {
  Options& options = args.options;
  const auto format = ChosenFormat(args);
  if (!format) return std::unexpected(format.error());
  if (*format != nullptr && *format != kInfoText && *format != kInfoJson)
    return UsageError("info writes text, or JSON with --json");
  if (!options.bases.empty() || !options.news.empty())
    return UsageError("info takes one dump, and no --base");
  if (args.output_paths.size() > 1)
    return UsageError("more than one -o: info writes one report");
  Output& output = options.outputs.front();
  if (!args.output_paths.empty()) output.path = args.output_paths.front();
  if (*format != nullptr) {
    output.format = *format;
    return {};
  }
  constexpr std::string_view kExtensions[] = {kInfoText->extensions,
                                              kInfoJson->extensions};
  const auto by_name = FindExtension(output.path, kExtensions, "info");
  if (!by_name) return std::unexpected(by_name.error());
  output.format = *by_name == 0 ? kInfoText : kInfoJson;
  return {};
}

}  // namespace

Result<void> ReadInfoArgs(NormalizedArgs& given, ParsedArgs& args) {
  args.options.files = std::move(given.positionals);
  if (auto ok = SetMetric(args); !ok) return ok;
  if (auto ok = SetGranularity(args); !ok) return ok;
  return SetInfoOutput(args);
}

Result<void> RunInfo(Options& options, Session& session) {
  auto inputs = ReadInputs(options, {}, session);
  if (!inputs) return std::unexpected(inputs.error());
  if (inputs->profiles.size() > 1)
    return UsageError(
        fmt::format("info takes one dump, found {}", inputs->profiles.size()));
  if (auto found = FindBinaries(options, *inputs, session); !found)
    return found;
  ChooseMetric(inputs->profiles, options, session.diagnostics);
  Profile profile = Merge(std::move(inputs->profiles));
  NoteFreedMemory(profile, inputs->first_dump, options, session.diagnostics);
  if (auto named = NameFrames(profile, session); !named) return named;
  session.progress.Enter("making the report");
  auto written =
      WriteInfo(std::move(profile), {.inputs = *inputs,
                                     .symbolizer = *session.symbolizer,
                                     .options = options,
                                     .progress = session.progress,
                                     .diagnostics = session.diagnostics});
  session.diagnostics.Note(MisnamedNote(options.outputs.front()));
  if (options.verbose) session.diagnostics.Note(session.progress.Times());
  return written;
}

}  // namespace heapprof
