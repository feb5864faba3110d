// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/next_commands.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/core.h>

#include "cli/args/normalize_args.h"
#include "cli/args/option_table.h"
#include "cli/outputs/unique_part.h"
#include "heapprof/base/escaped_pattern.h"
#include "heapprof/base/main_function.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/profile/inline_mark.h"
#include "heapprof/report/can_write_json.h"
#include "heapprof/report/next_commands.h"

namespace heapprof {
namespace {

// Returns the function name in a label.
std::string_view NameIn(std::string_view label) {
  if (label.ends_with(kInlineMark)) label.remove_suffix(kInlineMark.size());
  return label;
}

// Returns true if what one function holds is little beside another one.
bool IsSmallBeside(double size, double other) {
  return std::abs(size) < 0.1 * std::abs(other);
}

// Returns the first function that has callers and a name, not just an address,
// unless it is small beside the first one of all; then that one.
const std::string& FunctionToFollow(std::span<const SizedName> functions) {
  const SizedName& first = functions.front();
  const auto named =
      std::ranges::find_if(functions, [](const SizedName& function) {
        return !function.name.contains("+0x") &&
               !function.name.starts_with("0x") &&
               !IsStartOfProgram(NameIn(function.name));
      });
  return named == functions.end() || IsSmallBeside(named->size, first.size)
             ? first.name
             : named->name;
}

// True for an option that chooses a report which suggests commands, or that
// only such a report takes, however it is spelled. A terminal shows a
// comparison instead of jeprof's table.
bool ChoosesReport(const std::string& arg) {
  constexpr std::string_view kReports[] = {"--overview", "--markdown", "--text",
                                           "--ci"};
  const std::vector<std::string> canonical =
      NormalizeArgs({&arg, 1}, OptionTable()).options;
  return canonical.size() == 1 &&
         std::ranges::find(kReports, canonical[0]) != std::end(kReports);
}

// Returns the arguments without those that choose a report's output, and
// without the number of threads, on which no report depends. jeprof's options
// may have one dash.
std::vector<std::string> WithoutOutput(const std::vector<std::string>& args) {
  constexpr std::string_view kWithValue[] = {"-o", "-output", "-budget",
                                             "-jobs"};
  std::vector<std::string> kept;
  for (size_t i = 0; i < args.size(); ++i) {
    std::string_view name = args[i];
    if (name.starts_with("--")) name.remove_prefix(1);
    const size_t name_end = std::min(name.find('='), name.size());
    if (std::ranges::find(kWithValue, name.substr(0, name_end)) !=
        std::end(kWithValue)) {
      if (name_end == name.size()) ++i;  // the value, too
    } else if (!ChoosesReport(args[i])) {
      kept.push_back(args[i]);
    }
  }
  return kept;
}

}  // namespace

std::vector<SizedName> FunctionsToFollow(const Overview& overview,
                                         bool is_comparison) {
  const std::vector<OverviewRow>& own = overview.own.rows;
  const std::vector<OverviewRow>& allocating = overview.allocating.rows;
  const bool holds_little =
      own.empty() ||
      (!allocating.empty() &&
       IsSmallBeside(own.front().value(), allocating.front().value()));
  std::vector<SizedName> functions;
  for (const OverviewRow& row : holds_little ? allocating : own)
    if (!is_comparison || row.has_changed)
      functions.push_back({row.name, row.value()});
  return functions;
}

std::vector<std::string> NextCommands(std::span<const SizedName> functions,
                                      const std::string& output,
                                      const ReportRequest& request) {
  if (functions.empty()) return {};
  const auto tree_of = [&](std::string_view name) {
    const std::string pattern = EscapedPattern(name);
    // Many names contain "main".
    if (IsMain(name))
      return CommandWith(QuotedWord("--callees=^" + pattern + '$'),
                         request.options);
    return CommandWith(
        QuotedWord((IsStartOfProgram(name) ? "--callees=" : "--callers=") +
                   pattern),
        request.options);
  };
  const size_t columns = request.Style().columns;
  const std::string_view part =
      UniquePart(NameIn(FunctionToFollow(functions)), request.profile,
                 [&](std::string_view name) {
                   return NextLines({{tree_of(name)}}, columns).size() == 1;
                 });
  return {tree_of(part), CommandWith(output, request.options)};
}

std::string PageOutput(std::string_view stem) {
  return fmt::format("-o {}.{}", stem, CanWriteJson() ? "html" : "flame.svg");
}

std::string CommandWith(const std::string& output, const Options& options) {
  std::string command = "heapprof " + output;
  for (const std::string& arg : WithoutOutput(options.args))
    command += ' ' + QuotedWord(arg);
  return command;
}

}  // namespace heapprof
