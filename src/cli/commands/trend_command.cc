// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/output_names.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/show_trend.h"

namespace heapprof {
namespace {

// The format that an option asks for; none if no option does.
Result<std::optional<TrendFormat>> AskedFormat(const ParsedArgs& args) {
  const auto chosen = ChosenFormat(args);
  if (!chosen) return std::unexpected(chosen.error());
  const bool asks_for_csv = args.options.trend.asks_for_csv;
  if (*chosen != nullptr && asks_for_csv)
    return UsageError(
        "more than one output: choose one of --text, --json, --csv, --html");
  if (asks_for_csv) return TrendFormat::kCsv;
  if (*chosen == nullptr) return std::nullopt;
  if (*chosen == OutputNamed("json")) return TrendFormat::kJson;
  if (*chosen == OutputNamed("html")) return TrendFormat::kHtml;
  return TrendFormat::kText;
}

Result<void> SetTrendOutputs(ParsedArgs& args) {
  const auto asked = AskedFormat(args);
  if (!asked) return std::unexpected(asked.error());
  if (args.output_paths.size() > 1 && *asked)
    return UsageError(
        "more than one -o, and an option for the format: their names choose "
        "the formats");
  std::vector<TrendOutput>& outputs = args.options.trend.outputs;
  if (args.output_paths.empty()) {
    outputs.front().format = asked->value_or(TrendFormat::kText);
    return {};
  }
  if (auto distinct = CheckDistinct(args.output_paths); !distinct)
    return distinct;
  outputs.clear();
  for (const std::string& path : args.output_paths) {
    TrendOutput output = {.path = path};
    if (*asked) {
      output.format = **asked;
    } else {
      const auto by_name = FindExtension(path, kTrendExtensions, "trend");
      if (!by_name) return std::unexpected(by_name.error());
      output.format = static_cast<TrendFormat>(*by_name);
    }
    outputs.push_back(std::move(output));
  }
  return {};
}

}  // namespace

Result<void> ReadTrendArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  options.files = std::move(given.positionals);
  if (auto ok = SetMetric(args); !ok) return ok;
  if (IsObjectCount(options.metric))
    return UsageError(
        "trend: numbers of objects have no error bars; use --inuse_space");
  TrendChoices& trend = options.trend;
  const bool has_groups = !options.group_sources.empty();
  if (trend.by == TrendBy::kGroup && !has_groups)
    return UsageError("trend: --by group needs --groups, as in --groups=@all");
  if (!trend.by && has_groups) trend.by = TrendBy::kGroup;
  if (trend.limit && trend.axis && *trend.axis != trend.limit->axis)
    return UsageError("--per and the unit of --fail-on differ");
  return SetTrendOutputs(args);
}

Result<void> RunTrend(Options& options, Session& session) {
  if (options.trend.by == TrendBy::kRss &&
      (!options.group_sources.empty() || !options.filters.IsEmpty() ||
       !options.thread.empty()))
    return UsageError(
        "trend: --by rss shows the whole process; it takes no groups, filters "
        "and threads");
  return ShowTrend(options, session);
}

}  // namespace heapprof
