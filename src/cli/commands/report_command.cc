// SPDX-License-Identifier: Apache-2.0
//
// What heapprof does without the name of a command.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_table.h"
#include "cli/args/report_args.h"
#include "cli/args/suggested_option.h"
#include "cli/commands/name_addresses.h"
#include "cli/commands/passes.h"
#include "cli/commands/report_inputs.h"
#include "cli/commands/show_trend.h"
#include "cli/commands/write_each.h"
#include "cli/outputs/folder_listing.h"
#include "heapprof/base/char_class.h"
#include "heapprof/io/output_file.h"

namespace heapprof {
namespace {

// True if `word` is the number of a running process.
bool IsProcess(const std::string& word) {
  std::error_code error;
  return IsAllDigits(word) && std::filesystem::exists("/proc/" + word, error);
}

// Fails if the first file does not exist, and the user has probably mistyped a
// command, or means a command of another tool, a process, or a command that
// options precede.
Result<void> CheckFirstFile(const Options& options) {
  if (options.args.empty() || options.files.empty()) return {};
  const std::string& word = options.files.front();
  std::error_code error;
  if (std::filesystem::exists(word, error)) return {};
  if (options.args.front() != word) {
    if (FindCommand(word) == nullptr) return {};
    return Fail(ErrorKind::kUsage, CommandComesFirst(word));
  }
  if (IsProcess(word))
    return Fail(ErrorKind::kUsage,
                fmt::format("{0}: a process, not a file; 'heapprof dump {0}' "
                            "asks it for a dump, 'heapprof doctor {0}' says "
                            "whether it can write one",
                            word));
  std::string meant;
  if (const auto option = OptionForCommand(word, OptionTable()))
    meant = "--" + *option;
  else if (const CommandSpec* similar = FindSimilarCommand(word))
    meant = fmt::format("heapprof {}", similar->name);
  else
    return {};
  return Fail(
      ErrorKind::kUsage,
      fmt::format("{}: neither a file nor a command; did you mean '{}'?", word,
                  meant));
}

// True if a terminal shows the trend of several dumps of one process, rather
// than an overview of their sum. Trends are those of bytes and of all threads.
Result<bool> ShowsTrend(const Options& options) {
  if (options.outputs.front().format != OutputNamed("overview") ||
      !options.bases.empty() || IsObjectCount(options.metric) ||
      !options.thread.empty())
    return false;
  return NamesASeries(options);
}

}  // namespace

Result<void> ReadReportArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  SortSides(given, options);
  if (options.each.is_chosen)
    options.each.options = OptionsOfOneDump(given.options);
  const bool is_lone_switch =
      options.show_help && options.args.size() - options.files.size() == 1;
  if (is_lone_switch && options.files.size() == 1)
    options.help_topic = options.files.front();
  options.is_help_short =
      options.show_help &&
      std::ranges::find(options.args, "-h") != options.args.end();
  return SetReport(args);
}

Result<void> RunReport(Options& options, Session& session) {
  if (options.each.is_chosen) return WriteEach(options, session);
  if (options.outputs.front().format->traits.reads_addresses)
    return NameAddresses(options, session);
  if (auto ok = CheckFirstFile(options); !ok) return ok;
  const auto shows_trend = ShowsTrend(options);
  if (!shows_trend) return std::unexpected(shows_trend.error());
  if (*shows_trend) return ShowTrend(options, session);
  if (options.is_default_output) {
    const auto listing = FolderListing(options);
    if (!listing) return std::unexpected(listing.error());
    if (!listing->empty())
      return WriteAll(STDOUT_FILENO, *listing, "standard output");
  }
  auto inputs = ReadInputs(
      options, {.find_binaries = MakeBinaryFinder(options, session)}, session);
  if (!inputs) return std::unexpected(inputs.error());
  return ReportInputs(*std::move(inputs), options, session);
}

}  // namespace heapprof
