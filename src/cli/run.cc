// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

#include "cli/args/command_table.h"
#include "cli/args/help.h"
#include "cli/commands/session.h"
#include "cli/inputs/kept_files.h"
#include "cli/outputs/messages.h"
#include "cli/system/default_jobs.h"
#include "cli/system/emergency_exit.h"
#include "cli/system/memory_limit.h"
#include "cli/system/progress.h"
#include "heapprof/io/output_file.h"

namespace heapprof {
namespace {

// A message that cannot be written, unlike a report, is not worth failing:
// fmt::print() would throw.
void PrintMessage(std::string_view message) {
  std::fputs(MessageText(message).c_str(), stderr);
}

void PrintMessages(const Session& session, const Options& options) {
  if (options.quiet) return;
  for (const std::string& warning :
       Warnings(session.diagnostics, options.verbose))
    PrintMessage("warning: " + warning);
  for (const std::string& note : session.diagnostics.notes())
    PrintMessage(note);
}

// Replaces standard output by /dev/null, so that a program that reads the
// report from a pipe need not wait until the indexes are built.
void EndStandardOutput() {
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null < 0) return;
  dup2(null, STDOUT_FILENO);
  close(null);
}

// Builds the missing indexes. If the report already had a warning that the
// cache cannot be used, does not warn again. Says why the prompt of the shell
// does not come back if that takes long.
void BuildIndexes(Session& session, const Options& options, bool is_watched) {
  if (!session.symbolizer || !session.symbolizer->LacksIndexes()) return;
  EndStandardOutput();
  const bool is_said = session.diagnostics.Count(WarningKind::kIndexCache) != 0;
  Diagnostics diagnostics;
  Progress progress(is_watched);
  progress.Enter("making an index for later runs; Ctrl-C skips it");
  NoteStage("making an index");  // shorter, for the message about memory
  session.symbolizer->BuildIndexes(diagnostics);
  progress.Stop();
  if (options.quiet) return;
  if (!is_said || options.verbose)
    for (const std::string& warning : Warnings(diagnostics, options.verbose))
      PrintMessage("warning: " + warning);
  if (options.verbose)
    for (const std::string& note : diagnostics.notes()) PrintMessage(note);
}

// `heapprof --help WORD` prints the page of the topic WORD. But if WORD is a
// file, it prints the general help, because users of jeprof add --help to any
// command line.
Result<std::string> RequestedHelp(const Options& options) {
  std::error_code error;
  if (!options.help_topic.empty() &&
      !std::filesystem::exists(options.help_topic, error))
    return HelpPage(options.help_topic);
  return options.is_help_short ? ShortHelp() : HelpOf(SpecOf(options.command));
}

Result<void> RunAsked(Options& options, Session& session) {
  const CommandSpec& command = SpecOf(options.command);
  const bool shows_text = options.show_help || options.show_version;
  if (!shows_text || options.command == Command::kHelp) {
    if (auto kept = CheckInputsAreKept(options); !kept) return kept;
    return command.run(options, session);
  }
  const auto text = options.show_help ? RequestedHelp(options) : VersionText();
  if (!text) return std::unexpected(text.error());
  return WriteAll(STDOUT_FILENO, *text, "standard output");
}

}  // namespace

int ReportError(const Error& error, int failed) {
  PrintMessage("error: " + error.message);
  return error.kind == ErrorKind::kUsage ? kExitUsage : failed;
}

int RunCommand(Options options) {
  const uint64_t memory = LimitMemory(options.memory_limit);
  if (options.jobs == 0)
    options.jobs = DefaultJobs(std::thread::hardware_concurrency(), memory);
  if (options.is_default_output && isatty(STDOUT_FILENO) == 1)
    options.outputs.front().format = OutputNamed("overview");
  const bool is_watched = isatty(STDERR_FILENO) == 1 && !options.quiet;
  Session session(is_watched);
  const auto done = RunAsked(options, session);
  session.progress.Stop();
  PrintMessages(session, options);
  for (const std::string& failure : session.failures)
    PrintMessage("error: " + failure);
  if (!session.summary.empty() && !options.quiet) PrintMessage(session.summary);
  if (!done) {
    const bool has_status = session.status != kExitDone;
    return ReportError(done.error(), has_status
                                         ? session.status
                                         : SpecOf(options.command).failed);
  }
  NoteReportDelivered(session.status, options.quiet);
  BuildIndexes(session, options, is_watched);
  return session.status;
}

}  // namespace heapprof
