// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "cli/outputs/own_calls.h"
#include "cli/outputs/report_request.h"
#include "heapprof/report/overview.h"
#include "heapprof/view/overview.h"

namespace heapprof {
namespace {

// Quotes `text`, if necessary, to make it one word of a shell command.
std::string Quoted(std::string_view text) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kHarmless) == text.npos)
    return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  return word + "'";
}

// Returns a regular expression that matches `text`. Braces in function names,
// such as "{{closure}}" and "{lambda#1}", are not escaped, because they do not
// have the form of a quantifier.
std::string Escaped(std::string_view text) {
  std::string pattern;
  for (const char c : text) {
    if (std::string_view("\\^$.|?*+()[]").contains(c)) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

// Returns the function name in a label.
std::string_view NameIn(std::string_view label) {
  constexpr std::string_view kInline = " (inline)";
  if (label.ends_with(kInline)) label.remove_suffix(kInline.size());
  return label;
}

// Returns the row whose function the suggested next command examines: the first
// row that has a function name and not just an address, or else the first row.
const OverviewRow& RowToFollow(const std::vector<OverviewRow>& rows) {
  const auto named = std::ranges::find_if(rows, [](const OverviewRow& row) {
    return !row.name.contains("+0x") && !row.name.starts_with("0x");
  });
  return named == rows.end() ? rows.front() : *named;
}

// Returns the user's command line with another output.
std::string Command(const std::string& output, const Options& options) {
  std::string command = "heapprof " + output;
  for (const std::string& arg : options.args)
    if (!arg.ends_with("-overview")) command += ' ' + Quoted(arg);
  return command;
}

std::vector<std::string> Commands(const Overview& overview,
                                  const Options& options) {
  std::vector<std::string> commands;
  const auto& rows =
      overview.own.rows.empty() ? overview.allocating.rows : overview.own.rows;
  if (!rows.empty()) {
    commands.push_back(
        Command(Quoted("--callers=" + Escaped(NameIn(RowToFollow(rows).name))),
                options));
    commands.push_back(Command("-o mem.flame.svg", options));
  }
  commands.push_back(Command("info", options));
  return commands;
}

}  // namespace

Result<void> MakeOverviewReport(const ReportRequest& request, ByteSink& out) {
  const Options& options = request.options;
  const TerminalStyle style = request.Style();
  const Overview overview = MakeOverview(
      request.profile, {.metric = options.metric,
                        .labels = LabelsOf(options),
                        .own_calls = OwnCalls(request.profile, options)});
  out.Append(WriteOverview(overview, {.dump = request.inputs.first_dump,
                                      .commands = Commands(overview, options),
                                      .columns = style.columns,
                                      .rows = style.rows,
                                      .color = style.color}));
  return {};
}

}  // namespace heapprof
