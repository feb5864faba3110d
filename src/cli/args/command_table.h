// SPDX-License-Identifier: Apache-2.0
//
// Every command, one row each. The parser, the general help and the suggestion
// for a mistyped command are made from these rows.
//
// To add a command, add an enumerator and a row here, and a file
// src/cli/commands/NAME_command.cc that defines its functions, as
// cache_command.cc does. CMake finds that file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/args/option_spec.h"
#include "cli/args/trend_choices.h"
#include "cli/system/exit_status.h"
#include "heapprof/base/error.h"
#include "heapprof/check/finding.h"

namespace heapprof {

struct NormalizedArgs;
struct Options;
struct ParsedArgs;
struct Session;

// kReport is what heapprof does without the name of a command.
enum class Command : uint8_t {
  kReport,
  kRecord,
  kDump,
  kDoctor,
  kCheck,
  kTrend,
  kExplain,
  kInfo,
  kCache,
  kIndex,
  kGroups,
  kCompletion,
  kHelp
};

// Interprets the files among the arguments, and those options whose meaning
// depends on the command, when all options have been read.
using CommandReader = Result<void>(NormalizedArgs& given, ParsedArgs& args);

// Runs the command. Whatever its messages, its index and its exit status need
// stays in `session`.
using CommandFunction = Result<void>(Options& options, Session& session);

// Returns the text of `heapprof NAME --help` up to the list of options, which
// also explains -o.
using CommandPage = std::string_view();

// What an option means for one command, if that is not what the option table
// says.
struct OptionMeaning {
  std::string_view name = {};
  OptionGroup group = OptionGroup::kOutput;  // where the help text lists it
  std::string_view value = {};
  std::string_view help = {};
};

// One row of the table of commands. All views point to constants.
struct CommandSpec {
  Command command = Command::kReport;
  std::string_view name = {};   // of the first argument; empty: the report
  std::string_view usage = {};  // the arguments after the name
  std::string_view help = {};   // one line
  // The options that it takes: those of whole groups, single ones, and those
  // with a meaning of their own.
  std::span<const OptionGroup> groups = {};
  std::span<const std::string_view> options = {};
  std::span<const OptionMeaning> meanings = {};
  CommandReader* read = nullptr;
  CommandFunction* run = nullptr;
  // Null: `heapprof NAME --help` prints the usage and the page of the manual
  // with this name, or the general help if there is none.
  CommandPage* page = nullptr;
  // The first argument that is no option, and all after it, belong to another
  // program.
  bool runs_program = false;
  int failed = kExitFailed;  // the exit status of a failure

  bool Takes(OptionGroup group) const;  // as a whole
  bool Takes(const OptionSpec& option) const;

  // Returns the row of an option with the meaning that it has for the command.
  OptionSpec OptionOf(const OptionSpec& option) const;
};

// Each function is defined in src/cli/commands/, in the file of its command.
CommandReader ReadReportArgs, ReadRecordArgs, ReadDumpArgs, ReadDoctorArgs,
    ReadCheckArgs, ReadTrendArgs, ReadExplainArgs, ReadInfoArgs, ReadCacheArgs,
    ReadIndexArgs, ReadGroupsArgs, ReadCompletionArgs, ReadHelpArgs;
CommandFunction RunReport, RunRecord, RunDump, RunDoctor, RunCheck, RunTrend,
    RunExplain, RunInfo, RunCache, RunIndex, RunGroups, RunCompletion, RunHelp;
CommandPage RecordPage, DumpPage, DoctorPage, CheckPage, ExplainPage, IndexPage,
    CompletionPage;

// All groups of options but those of check, record, index, trend and explain.
inline constexpr OptionGroup kReportGroups[] = {
    OptionGroup::kOutput,     OptionGroup::kTable,   OptionGroup::kRows,
    OptionGroup::kGraph,      OptionGroup::kFlame,   OptionGroup::kMetric,
    OptionGroup::kComparison, OptionGroup::kNames,   OptionGroup::kThreads,
    OptionGroup::kFilters,    OptionGroup::kSymbols, OptionGroup::kCache,
    OptionGroup::kPprof,      OptionGroup::kProto,   OptionGroup::kResources,
    OptionGroup::kTerminal,   OptionGroup::kMessages};
inline constexpr OptionGroup kCheckGroups[] = {
    OptionGroup::kMetric,  OptionGroup::kCheck,     OptionGroup::kThreads,
    OptionGroup::kFilters, OptionGroup::kSymbols,   OptionGroup::kCache,
    OptionGroup::kPprof,   OptionGroup::kResources, OptionGroup::kTerminal,
    OptionGroup::kMessages};
inline constexpr std::string_view kCheckOptions[] = {"output", "base", "new",
                                                     "groups"};
inline constexpr OptionGroup kTrendGroups[] = {
    OptionGroup::kTrend,   OptionGroup::kMetric,    OptionGroup::kNames,
    OptionGroup::kFilters, OptionGroup::kSymbols,   OptionGroup::kCache,
    OptionGroup::kPprof,   OptionGroup::kResources, OptionGroup::kTerminal,
    OptionGroup::kMessages};
inline constexpr std::string_view kTrendOptions[] = {"groups"};
inline constexpr OptionMeaning kTrendMeanings[] = {
    {"by", OptionGroup::kTrend, kTrendByChoices,
     "what a row is: the innermost function of your own code (default), the "
     "function that allocates, a whole stack, a binary, a source file of your "
     "code, a thread, a group (default with --groups, see 'heapprof help "
     "groups'), or a line of the RSS, for dumps of 'heapprof record --rss' "
     "(see 'heapprof help rss')"},
    {"fail-on", OptionGroup::kTrend, "'growth>RATE'",
     "exit with status 1 if anything grows faster. Examples: 'growth>1MiB/h', "
     "'growth>64KiB/dump', 'growth>1MiB/GiB'"},
    {"text", OptionGroup::kTrend, "", "the chains of calls and the table"},
    {"html", OptionGroup::kTrend, "",
     "a page with pictures of the courses and their error bars"},
    {"json", OptionGroup::kTrend, "",
     "all rows, with the values and error bars of each dump"},
    {"top", OptionGroup::kTrend, "N", "show N rows, 0 for all"},
    {"output", OptionGroup::kTrend, "FILE",
     "write to FILE, in the format of .html, .json, .csv or .txt; may be "
     "repeated. In .csv, an apostrophe precedes names that a spreadsheet would "
     "take for formulas"}};
inline constexpr OptionGroup kExplainGroups[] = {
    OptionGroup::kExplain, OptionGroup::kNames,     OptionGroup::kSymbols,
    OptionGroup::kCache,   OptionGroup::kResources, OptionGroup::kTerminal,
    OptionGroup::kMessages};
inline constexpr std::string_view kExplainOptions[] = {"output", "text", "json",
                                                       "html", "markdown"};
inline constexpr OptionMeaning kExplainMeanings[] = {
    {"base", OptionGroup::kExplain, "DUMP",
     "a dump of an earlier moment: show which lines have grown since"}};
inline constexpr OptionGroup kRecordGroups[] = {
    OptionGroup::kRecord, OptionGroup::kTerminal, OptionGroup::kMessages};
inline constexpr std::string_view kRecordOptions[] = {"output"};
inline constexpr OptionGroup kIndexGroups[] = {
    OptionGroup::kIndex, OptionGroup::kSymbols, OptionGroup::kPprof,
    OptionGroup::kResources, OptionGroup::kMessages};
inline constexpr std::string_view kIndexOptions[] = {"output"};
inline constexpr OptionGroup kGroupsGroups[] = {
    OptionGroup::kSuggest, OptionGroup::kMetric, OptionGroup::kSymbols,
    OptionGroup::kCache,   OptionGroup::kPprof,  OptionGroup::kResources,
    OptionGroup::kMessages};
inline constexpr OptionMeaning kGroupsMeanings[] = {
    {"output", OptionGroup::kSuggest, "FILE", "write to FILE"}};
inline constexpr OptionGroup kDumpGroups[] = {OptionGroup::kMessages};
inline constexpr std::string_view kDumpOptions[] = {"rss"};
inline constexpr OptionGroup kCacheGroups[] = {OptionGroup::kCache,
                                               OptionGroup::kMessages};
inline constexpr OptionGroup kCompletionGroups[] = {OptionGroup::kMessages};
inline constexpr OptionGroup kHelpGroups[] = {OptionGroup::kMessages};
inline constexpr OptionGroup kDoctorGroups[] = {
    OptionGroup::kSymbols, OptionGroup::kCache, OptionGroup::kResources,
    OptionGroup::kMessages};
inline constexpr std::string_view kDoctorOptions[] = {"json"};

// All commands, in the order of the help text and of the enumerators.
inline constexpr CommandSpec kCommands[] = {
    {.command = Command::kReport,
     .usage = "[options] [BINARY] DUMP...",
     .groups = kReportGroups,
     .read = ReadReportArgs,
     .run = RunReport},
    {.command = Command::kRecord,
     .name = "record",
     .usage = "[options] [--] PROGRAM [ARGUMENT]...",
     .help = "run a program under jemalloc's profiler, and dump its memory "
             "before it is freed",
     .groups = kRecordGroups,
     .options = kRecordOptions,
     .read = ReadRecordArgs,
     .run = RunRecord,
     .page = RecordPage,
     .runs_program = true},
    {.command = Command::kDump,
     .name = "dump",
     .usage = "[--rss] PID...",
     .help = "ask a recorded process for a dump now",
     .groups = kDumpGroups,
     .options = kDumpOptions,
     .read = ReadDumpArgs,
     .run = RunDump,
     .page = DumpPage},
    {.command = Command::kDoctor,
     .name = "doctor",
     .usage = "[options] [PID | PROGRAM | [BINARY] DUMP]",
     .help = "what is missing for useful dumps, and the command that fixes it",
     .groups = kDoctorGroups,
     .options = kDoctorOptions,
     .read = ReadDoctorArgs,
     .run = RunDoctor,
     .page = DoctorPage},
    {.command = Command::kCheck,
     .name = "check",
     .usage = "[options] [BINARY] --base OLD... --new NEW...",
     .help = "exit with status 1 if memory use grew beyond a limit",
     .groups = kCheckGroups,
     .options = kCheckOptions,
     .read = ReadCheckArgs,
     .run = RunCheck,
     .page = CheckPage,
     .failed = kExitCheckFailed},
    {.command = Command::kTrend,
     .name = "trend",
     .usage = "[options] [BINARY] DUMP...|FOLDER",
     .help =
         "what grows from dump to dump of a process, how fast, and how sure "
         "that is",
     .groups = kTrendGroups,
     .options = kTrendOptions,
     .meanings = kTrendMeanings,
     .read = ReadTrendArgs,
     .run = RunTrend,
     .failed = kExitCheckFailed},
    {.command = Command::kExplain,
     .name = "explain",
     .usage = "[options] [BINARY] [DUMP]",
     .help = "where the rest of the RSS is: free regions, caches, dirty pages, "
             "metadata, other mappings",
     .groups = kExplainGroups,
     .options = kExplainOptions,
     .meanings = kExplainMeanings,
     .read = ReadExplainArgs,
     .run = RunExplain,
     .page = ExplainPage},
    {.command = Command::kInfo,
     .name = "info",
     .usage = "[options] [BINARY] DUMP",
     .help = "what is in the dump, which modules have names, and what to do "
             "about the others",
     .groups = kReportGroups,
     .read = ReadInfoArgs,
     .run = RunInfo},
    {.command = Command::kCache,
     .name = "cache",
     .usage = "[list|prune|clear]",
     .help = "list the indexes of binaries, remove unusable ones, or all",
     .groups = kCacheGroups,
     .read = ReadCacheArgs,
     .run = RunCache},
    {.command = Command::kIndex,
     .name = "index",
     .usage = "[options] BINARY|DUMP... -o DIR",
     .help = "write indexes that name the frames of binaries on machines "
             "without their debug files",
     .groups = kIndexGroups,
     .options = kIndexOptions,
     .read = ReadIndexArgs,
     .run = RunIndex,
     .page = IndexPage},
    {.command = Command::kGroups,
     .name = "groups",
     .usage = "[--suggest [BINARY] DUMP]",
     .help = "print the built-in groups of --groups, or suggest groups for a "
             "program",
     .groups = kGroupsGroups,
     .meanings = kGroupsMeanings,
     .read = ReadGroupsArgs,
     .run = RunGroups},
    {.command = Command::kCompletion,
     .name = "completion",
     .usage = "bash|zsh|fish",
     .help = "print a script that completes heapprof's arguments in a shell",
     .groups = kCompletionGroups,
     .read = ReadCompletionArgs,
     .run = RunCompletion,
     .page = CompletionPage},
    {.command = Command::kHelp,
     .name = "help",
     .usage = "[TOPIC]",
     .help = "this text, or the page of a topic",
     .groups = kHelpGroups,
     .read = ReadHelpArgs,
     .run = RunHelp},
};

constexpr const CommandSpec& SpecOf(Command command) {
  return kCommands[static_cast<size_t>(command)];
}

// Returns the command that a group of options is for: the first one that takes
// all of them.
const CommandSpec& CommandOf(OptionGroup group);

// Returns the command with this name; null if there is none.
const CommandSpec* FindCommand(std::string_view name);

// Returns the error for options that precede the name of a command.
std::string CommandComesFirst(std::string_view name);

// Returns the command whose name differs from `word` by a typing error; null if
// there is none.
const CommandSpec* FindSimilarCommand(std::string_view word);

}  // namespace heapprof
