// SPDX-License-Identifier: Apache-2.0
#include "cli/args/report_args.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/choose_outputs.h"
#include "cli/args/path_pattern.h"
#include "cli/args/usage_error.h"

namespace heapprof {
namespace {

// Returns true if an option was given that makes sense only for a table.
bool AsksForTable(const ParsedArgs& args) {
  const Options& options = args.options;
  return options.top || !args.granularities.empty() || options.show_errors;
}

// Moves the option of a table from the chosen outputs to `json_table`, if
// --json is to write that table.
void SetJsonTable(ParsedArgs& args) {
  const auto table = std::ranges::find_if(
      args.formats,
      [](const OutputFormat* format) { return format->traits.has_json; });
  if (table == args.formats.end()) return;
  args.options.json_table = *table;
  // With more than two formats, the error names all.
  if (args.formats.size() == 2 &&
      std::ranges::find(args.formats, OutputNamed("json")) !=
          args.formats.end())
    args.formats.erase(table);
}

// Returns a pattern for the outputs that `args` ask for.
std::string PatternFor(const ParsedArgs& args) {
  const OutputFormat* const format = args.options.outputs.front().format;
  const std::string_view extensions = format->extensions;
  return fmt::format(
      "-o 'named/{{name}}{}'",
      extensions.empty() ? ".txt" : extensions.substr(0, extensions.find(' ')));
}

// Checks the paths of the outputs with --each.
Result<void> CheckPatterns(const ParsedArgs& args) {
  if (args.output_paths.empty())
    return UsageError("--each needs to know where the outputs go, as in " +
                      PatternFor(args));
  for (const Output& output : args.options.outputs) {
    if (output.format->traits.reads_addresses)
      return UsageError("--each is for dumps, and --symbols names addresses");
    if (output.IsStandardOutput())
      return UsageError("--each writes to files, as in " + PatternFor(args));
    const auto pattern = ParsePathPattern(output.path);
    if (!pattern) return std::unexpected(pattern.error());
    if (pattern->size() > 1 || pattern->front().part != PathPart::kText)
      continue;
    return UsageError(fmt::format(
        "-o {}: each dump would replace the outputs of the one before; use "
        "{{name}}, as in {}",
        output.path, PatternFor(args)));
  }
  return {};
}

}  // namespace

std::vector<std::string> OptionsOfOneDump(
    const std::vector<std::string>& canonical) {
  std::vector<std::string> options;
  for (const std::string& option : canonical)
    if (option != "--each" && option != "--no-each" &&
        !option.starts_with("--output="))
      options.push_back(option);
  return options;
}

void SortSides(const NormalizedArgs& args, Options& options) {
  std::vector<std::string>& news = options.news;
  const bool has_new = !news.empty();
  for (size_t i = 0; i < args.positionals.size(); ++i) {
    const std::string& file = args.positionals[i];
    if (has_new && args.follows[i] == "base")
      options.bases.push_back(file);
    else if (has_new && args.follows[i] == "new")
      news.push_back(file);
    else
      options.files.push_back(file);
  }
  options.files.insert(options.files.end(), news.begin(), news.end());
}

Result<void> SetMetric(ParsedArgs& args) {
  if (args.metrics.empty()) return {};
  if (args.metrics.size() > 1)
    return UsageError(
        "more than one metric: choose one of --inuse_space, --inuse_objects, "
        "--alloc_space, --alloc_objects");
  args.options.metric = args.metrics.front();
  args.options.is_metric_chosen = true;
  return {};
}

Result<void> SetGranularity(ParsedArgs& args) {
  if (args.granularities.empty()) {
    if (!args.options.group_sources.empty())
      args.options.rows = Granularity::kGroups;
    return {};
  }
  if (args.granularities.size() > 1)
    return UsageError(
        "more than one granularity: choose one of --functions, --lines, "
        "--files, --addresses, --modules");
  args.options.granularity = args.granularities.front();
  args.options.rows = args.granularities.front();
  return {};
}

Result<const OutputFormat*> ChosenFormat(const ParsedArgs& args) {
  if (args.formats.empty()) return nullptr;
  if (args.formats.size() == 1) return args.formats.front();
  std::vector<std::string> names;
  for (const OutputFormat* format : args.formats)
    names.push_back(fmt::format("--{}", format->name));
  return UsageError(fmt::format(
      "more than one output: {}; choose one, or write each to a file whose "
      "name chooses it, as in -o mem.txt -o mem.html",
      fmt::join(names, ", ")));
}

Result<void> SetOutputs(ParsedArgs& args) {
  Options& options = args.options;
  SetJsonTable(args);
  const auto format = ChosenFormat(args);
  if (!format) return std::unexpected(format.error());
  auto outputs = ChooseOutputs(*format, args.output_paths);
  if (!outputs) return std::unexpected(outputs.error());
  options.outputs = std::move(*outputs);
  options.is_default_output = *format == nullptr && args.output_paths.empty() &&
                              options.bases.empty() && !AsksForTable(args) &&
                              !options.sort_by_cumulative &&
                              !options.show_bytes && options.thread != "*";
  if (options.each.is_chosen)
    if (auto named = CheckPatterns(args); !named) return named;
  if (options.outputs.size() > 1 &&
      std::ranges::find(options.outputs, OutputNamed("symbols"),
                        &Output::format) != options.outputs.end())
    return UsageError("--symbols names addresses, not dumps: it has one -o");
  return {};
}

Result<void> SetReport(ParsedArgs& args) {
  if (auto ok = SetMetric(args); !ok) return ok;
  if (auto ok = SetGranularity(args); !ok) return ok;
  return SetOutputs(args);
}

}  // namespace heapprof
