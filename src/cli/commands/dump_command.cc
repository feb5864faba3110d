// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/usage_error.h"
#include "cli/commands/session.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/io/output_file.h"
#include "heapprof/record/dump_request.h"
#include "heapprof/record/recorded_dumps.h"
#include "heapprof/record/recorder_protocol.h"

namespace heapprof {
namespace {

constexpr std::string_view kDumpPage =
    R"(heapprof dump - ask a recorded process for a dump now

usage: heapprof dump [--rss] PID...

PID is a process that 'heapprof record' has started, or with --children one of
its children: $(pidof server) stands for all workers. Waits until the dump is
written, and prints its path. --rss also writes, next to it, what 'heapprof
explain' needs: jemalloc's stats, smaps and status, and the log of --recent-log
if jemalloc keeps it. Any other process that was started with prof:true can be
asked by a debugger; heapprof prints the command.

Exit status: 0 all dumps are there, 1 one is not, 2 wrong usage.

)";

// The dump has a path of the process, which may see other files.
bool HasRssFiles(const std::string& dump) {
  std::error_code error;
  return !std::filesystem::exists(dump, error) ||
         !RssFileBeside(dump, kStatsExtension).empty();
}

// Prints the path of a new dump of the process.
Result<void> DumpProcess(int process, bool wants_rss) {
  const auto dump = RequestDump(
      process, wants_rss ? DumpFiles::kDumpAndRss : DumpFiles::kDump);
  if (dump && wants_rss && !HasRssFiles(*dump))
    return Fail(ErrorKind::kIo,
                fmt::format("the dump is {}, but the files of --rss could not "
                            "be written: is the disk full, or is jemalloc in "
                            "a stripped program?",
                            *dump));
  if (dump) return WriteAll(STDOUT_FILENO, *dump + '\n', "standard output");
  if (dump.error().kind != ErrorKind::kNoData)
    return std::unexpected(dump.error());
  const std::string command = DebuggerCommand(process);
  return Fail(dump.error().kind,
              command.empty()
                  ? fmt::format("{}, so it cannot be asked; 'heapprof doctor "
                                "{}' says more",
                                dump.error().message, process)
                  : fmt::format("{}; it was started with prof:true, so a "
                                "debugger may ask it, which stops it for a "
                                "moment: {}",
                                dump.error().message, command));
}

}  // namespace

std::string_view DumpPage() { return kDumpPage; }

Result<void> ReadDumpArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  if (options.show_help || options.show_version) return {};
  for (const std::string& text : given.positionals) {
    options.processes.push_back(ParseNumber<int>(text).value_or(0));
    if (options.processes.back() <= 0)
      return UsageError(
          fmt::format("dump: expected the number of a process, found '{}'; "
                      "pidof {} prints that of a program",
                      text, QuotedWord(text)));
  }
  if (options.processes.empty())
    return UsageError(
        "dump: expected the number of a process, which pidof PROGRAM prints");
  return {};
}

Result<void> RunDump(Options& options, Session& session) {
  Result<void> result;
  for (const int process : options.processes) {
    auto done = DumpProcess(process, options.record.recording.rss);
    if (done) continue;
    if (!result) session.diagnostics.Note(result.error().message);
    result = std::move(done);
  }
  return result;
}

}  // namespace heapprof
