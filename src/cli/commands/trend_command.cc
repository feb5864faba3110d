// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <utility>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/show_trend.h"

namespace heapprof {
namespace {

Result<void> SetTrendOutput(ParsedArgs& args) {
  TrendChoices& trend = args.options.trend;
  const auto format = ChosenFormat(args);
  if (!format) return std::unexpected(format.error());
  if (args.output_paths.size() > 1)
    return UsageError("more than one -o: trend writes one report");
  if (*format != nullptr && trend.asks_for_csv)
    return UsageError(
        "more than one output: choose one of --text, --json, --csv");
  if (!args.output_paths.empty()) trend.path = args.output_paths.front();
  const bool is_chosen = *format != nullptr || trend.asks_for_csv;
  const std::string_view path = trend.path;
  if (trend.asks_for_csv || (!is_chosen && path.ends_with(".csv")))
    trend.format = TrendFormat::kCsv;
  else if (*format == OutputNamed("json") ||
           (!is_chosen && path.ends_with(".json")))
    trend.format = TrendFormat::kJson;
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
  const TrendChoices& trend = options.trend;
  if (trend.limit && trend.axis && *trend.axis != trend.limit->axis)
    return UsageError("--per and the unit of --fail-on differ");
  return SetTrendOutput(args);
}

Result<void> RunTrend(Options& options, Session& session) {
  return ShowTrend(options, session);
}

}  // namespace heapprof
