// SPDX-License-Identifier: Apache-2.0
//
// The command line of `heapprof check`.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/args/check_outputs.h"
#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "heapprof/base/same_file.h"

namespace heapprof {
namespace {

constexpr std::string_view kPage =
    R"(heapprof check - did memory use grow beyond a limit?

usage: heapprof check [options] [BINARY] --base OLD NEW
       heapprof check [options] [BINARY] --base OLD... --new NEW...

Compares the total and each function with the limits. Growth counts only if
sampling noise cannot explain it. Several files on a side are runs of the same
program; they are averaged. Without BINARY, the programs are found through the
memory maps in the dumps.

Examples:
  heapprof check --max-growth '10% + 4MiB' --base OLD.heap NEW.heap
  heapprof check --max-total 2GiB NEW.heap
  heapprof check --budgets heap-budgets.toml --format markdown -o comment.md \
    --base main/*.heap --new branch/*.heap

Exit status: 0 within the limits, 1 a regression and nothing else, 2 wrong
usage, 3 any other failure, 4 too few symbols.

'heapprof help check' explains verdicts, 'heapprof help budgets' the file of
limits, 'heapprof help ci' how to run this in a pipeline.

Output:
  -o, --output FILE    write the report to FILE atomically
)";

Result<void> SetCheckMetric(ParsedArgs& args) {
  Options& options = args.options;
  if (auto ok = SetMetric(args); !ok) return ok;
  if (options.is_metric_chosen) options.check.settings.metric = options.metric;
  return {};
}

// The baseline must not take the place of a report. In a pipe, which may be
// named as /dev/stdout, it is alone if there are no limits.
Result<void> CheckBaselinePath(const CheckChoices& check) {
  const std::string& path = check.save_baseline;
  if (path == "-")
    return UsageError(
        "--save-baseline -: standard output is for the report; name a file");
  const auto is_baseline = [&path](const CheckOutput& output) {
    return output.path != "-" && RealPath(output.path) == RealPath(path);
  };
  if (!path.empty() && std::ranges::any_of(check.outputs, is_baseline))
    return UsageError(
        fmt::format("--save-baseline {}: -o names the same file", path));
  return {};
}

}  // namespace

std::string_view CheckPage() { return kPage; }

Result<void> ReadCheckArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  SortSides(given, options);
  auto outputs = ChooseCheckOutputs(given.options);
  if (!outputs) return std::unexpected(outputs.error());
  options.check.outputs = *std::move(outputs);
  if (auto ok = CheckBaselinePath(options.check); !ok) return ok;
  // A gate names the user's functions, unless told otherwise.
  if (args.filters.own.empty()) args.filters.own = "auto";
  return SetCheckMetric(args);
}

}  // namespace heapprof
