// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/parse_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "cli/inputs/profile_loader.h"
#include "cli/inputs/series.h"
#include "cli/outputs/messages.h"
#include "cli/system/environment.h"
#include "cli/system/exit_status.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/doctor/private_jemallocs.h"
#include "heapprof/io/output_file.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/record/jemalloc_facts.h"
#include "heapprof/record/program_facts.h"
#include "heapprof/record/recorded_dumps.h"
#include "heapprof/record/recorder_protocol.h"
#include "heapprof/record/recording_plan.h"
#include "heapprof/record/run_program.h"
#include "heapprof/stats/trend.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

constexpr std::string_view kRecordPage =
    R"(heapprof record - run a program, and dump its memory before it is freed

usage: heapprof record [options] [--] PROGRAM [ARGUMENT]...

Runs the program under jemalloc's profiler. Writes a dump when main() returns,
at exit(), and before SIGTERM or SIGINT ends it; more with --every, --on-growth
and 'heapprof dump PID'. Then shows the overview of the last dump.

Examples:
  heapprof record ./server
  heapprof record --rate 64KiB -o dumps/ ./batch-job
  heapprof record --every 30s -- ./server
  heapprof record --rss ./server    also writes what 'heapprof explain' reads
  heapprof record --recent-log --rate 128KiB ./server
                                    and a log that tells who keeps slabs

Exit status: that of the program, 128 + N if signal N ended it. 126 if it
cannot be run, 127 if it is not found, 1 if it cannot be recorded, 2 for wrong
usage; then it has not run.

'heapprof help recording' explains what can be recorded, and how.

Output:
  -o, --output PREFIX  how the names of dumps begin, or a folder for them
                       (default: the program's name, in the current folder)
)";

// Prints to standard error at once: standard output belongs to the program.
// Messages stay on one line, because commands in them are copied.
void Say(const Options& options, const std::string& message) {
  if (options.quiet) return;
  // A closed standard error must not keep the program from running.
  (void)WriteAll(STDERR_FILENO,
                 fmt::format("heapprof: {}\n", Printable(message)),
                 "standard error");
}

Result<RecordingPlan> MakePlan(ProgramFacts program, const Options& options) {
  // The library that the user names comes before one that the program links.
  if (!options.record.jemalloc.empty()) program.linked_jemalloc.clear();
  if (!NeedsJemalloc(program)) {
    const auto linked =
        ReadJemallocLibrary(FindLinkedJemalloc(program, LibrarySearchPath()));
    return PlanRecording(program,
                         linked ? std::optional(*linked) : std::nullopt);
  }
  auto library = options.record.jemalloc.empty()
                     ? FindJemallocLibrary(LibraryFolders(LibrarySearchPath()))
                     : ReadJemallocLibrary(options.record.jemalloc);
  if (!library) return std::unexpected(library.error());
  return PlanRecording(program, *std::move(library));
}

void SayPlan(const RecordingPlan& plan, const Options& options) {
  const RecordChoices& record = options.record;
  if (record.asked_rate != 0 && record.asked_rate != record.recording.rate)
    Say(options, fmt::format("--rate: rounded to {}",
                             FormatSize(record.recording.rate)));
  Say(options, fmt::format("recording with {}, {}", plan.jemalloc,
                           FormatSampling(record.recording.rate)));
  if (!plan.limits.empty()) Say(options, plan.limits);
  if (record.recording.recent && !plan.keeps_recent)
    Say(options,
        "--recent-log: this jemalloc keeps no log of its samples; 5.3.0 and "
        "later do");
}

// Says why a program left no dump.
std::string WhyNoDump(const RecordedRun& run, const RecordingPlan& plan,
                      const RecordOptions& recording) {
  if (const auto failed = Failures(run.reports); !failed.empty())
    return failed.front();
  const std::string_view state =
      run.reports.empty() ? std::string_view() : run.reports.back();
  if (plan.preloads_recorder && state.empty())
    return "the program did not load our library; is it set-user-ID, or built "
           "with a sanitizer?";
  if (state == kNoProfiler)
    return fmt::format(
        "the jemalloc that it uses was built without --enable-prof{}",
        plan.preloads_recorder && plan.preloaded_jemalloc.empty()
            ? "; --jemalloc FILE records with another"
            : "");
  if (state == kNoJemalloc) return "it does not use a jemalloc";
  if (state == kProfilerIsOff)
    return "its jemalloc ignores the setting prof:true";
  if (run.signal != 0)
    return fmt::format(
        "signal {} ended it{}", run.signal,
        recording.every_ms == 0
            ? "; --every 30s keeps what was there before"
            : " before the first dump of --every; a shorter time keeps more");
  return "it ended without exit(); --every 30s dumps while it runs";
}

// Returns the live bytes in a dump; 0 if it cannot be read.
double LiveBytes(const std::string& dump) {
  const auto report = ParseArgs(std::vector<std::string>{dump});
  if (!report) return 0;
  Session session(false);
  const auto inputs = ReadInputs(*report, {}, session);
  if (!inputs || inputs->profiles.empty()) return 0;
  const Profile& profile = inputs->profiles.front().profile;
  return TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value;
}

// Returns the last dump that shows what the program held: of several processes,
// that of the one that held most.
std::string DumpToShow(const std::vector<std::string>& dumps) {
  std::string shown;
  double most = -1;
  for (const FileSeries& series : FindSeries(dumps)) {
    std::vector<std::string> last;
    std::vector<double> live;
    for (const size_t file :
         std::span(series.files)
             .last(std::min(kMostDumpsAtTheEnd, series.files.size()))) {
      last.push_back(dumps[file]);
      live.push_back(LiveBytes(dumps[file]));
    }
    const size_t index = CountBeforeTheEnd(last, live) - 1;
    if (live[index] <= most) continue;
    most = live[index];
    shown = last[index];
  }
  return shown;
}

// Shows the overview of a dump on standard error, as the program may have
// written something for another program to standard output.
void ShowOverview(const std::string& dump, const Options& options,
                  Session& session) {
  auto report = ParseArgs(std::vector<std::string>{"--overview", dump});
  if (!report || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) return;
  report->color = options.color;
  report->record = options.record;
  if (const auto shown = SpecOf(Command::kReport).run(*report, session); !shown)
    Say(options, "warning: " + shown.error().message);
}

// Returns the path as the user would write it.
std::string Shown(const std::string& path) {
  std::error_code error;
  const std::string folder =
      std::filesystem::current_path(error).native() + '/';
  if (!path.starts_with(folder)) return path;
  const std::string relative = path.substr(folder.size());
  const bool looks_like_option = relative.find_first_of("-+") == 0;
  return looks_like_option ? "./" + relative : relative;
}

// Returns the files with code in the memory map of a dump, the program first,
// but not jemalloc itself.
std::vector<std::string> MappedFiles(const std::string& dump) {
  Diagnostics ignored;
  const auto map = LoadMaps(dump, ignored);
  std::vector<std::string> files;
  if (!map) return files;
  for (const MapEntry& entry : map->entries())
    if (entry.executable && entry.IsFile() &&
        !BaseName(entry.path).starts_with("libjemalloc") &&
        std::ranges::find(files, entry.path) == files.end())
      files.push_back(entry.path);
  return files;
}

// Says which libraries have memory that is not in the dump.
void NotePrivateJemallocs(const std::string& dump, Diagnostics& diagnostics) {
  std::vector<std::string> files = MappedFiles(dump);
  if (files.empty()) return;
  const auto found = FindPrivateJemallocs(std::span(files).subspan(1));
  if (!found.empty()) diagnostics.Note(PrivateJemallocText(found));
}

std::string CountOfDumps(const std::vector<std::string>& dumps,
                         const std::string& prefix) {
  if (dumps.size() == 1)
    return "the dump is " + QuotedWord(Shown(dumps.front()));
  const std::vector<FileSeries> processes = FindSeries(dumps);
  const bool is_one = processes.size() == 1;
  const std::string all =
      QuotedWord(Shown(is_one ? processes.front().process : prefix)) +
      ".*.heap";
  if (is_one) return fmt::format("the {} dumps are {}", dumps.size(), all);
  const size_t most =
      std::ranges::max(processes, {}, [](const FileSeries& process) {
        return process.files.size();
      }).files.size();
  std::string text = fmt::format("the {} dumps of {} processes are {}",
                                 dumps.size(), processes.size(), all);
  // Dumps of one process must not be added up, and few of them tell no trend.
  if (most == 1)
    text += "; their sum: heapprof " + all;
  else if (most >= kFewestPoints)
    text += "; all processes: heapprof trend " + all;
  return text;
}

// Returns the dumps of a run. Those of earlier processes may have the same
// prefix; `before` are the dumps that there were before the run.
std::vector<std::string> DumpsOfRun(const RecordedRun& run,
                                    const RecordOptions& recording,
                                    const std::vector<std::string>& before) {
  if (!recording.children) return FindDumps(recording.prefix, run.pid);
  std::vector<std::string> dumps = FindDumps(recording.prefix, 0);
  const std::set<std::string> old(before.begin(), before.end());
  std::erase_if(dumps,
                [&old](const std::string& dump) { return old.contains(dump); });
  return dumps;
}

void ShowResult(const RecordedRun& run, const RecordingPlan& plan,
                const std::vector<std::string>& before, const Options& options,
                Session& session) {
  const RecordOptions& recording = options.record.recording;
  const std::vector<std::string> dumps = DumpsOfRun(run, recording, before);
  if (dumps.empty()) {
    Say(options,
        "warning: there is no dump: " + WhyNoDump(run, plan, recording));
    return;
  }
  // A dump that fails every minute is no reason for a line each.
  const std::vector<std::string> failed = Failures(run.reports);
  for (const std::string& line :
       FirstOfKind(failed, failed.size(), Diagnostics::kKeptPerKind))
    Say(options, "warning: " + line);
  // Children may report the same.
  for (const std::string& line :
       std::set<std::string>(run.reports.begin(), run.reports.end()))
    if (line[0] == kWarningMark) Say(options, "warning: " + line.substr(1));
  if (options.quiet) return;
  const std::string shown = DumpToShow(dumps);
  ShowOverview(Shown(shown), options, session);
  NotePrivateJemallocs(shown, session.diagnostics);
  session.diagnostics.Note(CountOfDumps(dumps, recording.prefix));
  if (recording.rss && !RssFileBeside(shown, kStatsExtension).empty())
    session.diagnostics.Note(
        fmt::format("where the rest of the RSS is: heapprof explain {}",
                    QuotedWord(Shown(shown))));
}

}  // namespace

std::string_view RecordPage() { return kRecordPage; }

Result<void> ReadRecordArgs(NormalizedArgs& given, ParsedArgs& args) {
  RecordChoices& record = args.options.record;
  record.program = std::move(given.positionals);
  if (record.program.empty() && !args.options.show_help &&
      !args.options.show_version)
    return UsageError("record: name the program to run");
  if (record.recording.recent) record.recording.rss = true;
  if (args.output_paths.size() > 1)
    return UsageError("more than one -o: record writes dumps to one place");
  if (!args.output_paths.empty()) record.output = args.output_paths.front();
  return {};
}

Result<void> RunRecord(Options& options, Session& session) {
  session.progress.Stop();  // the terminal belongs to the program
  RecordChoices& record = options.record;
  const auto program =
      ExamineProgram(record.program.front(), ProgramSearchPath());
  if (!program) {
    session.status = program.error().kind == ErrorKind::kNoData
                         ? kExitNoProgram
                         : kExitCannotRun;
    return std::unexpected(program.error());
  }
  auto prefix = DumpPrefix(record.output, record.program.front());
  if (!prefix) return std::unexpected(prefix.error());
  record.recording.prefix = *std::move(prefix);
  const auto plan = MakePlan(*program, options);
  if (!plan) return std::unexpected(plan.error());
  if (record.asked_rate == 0)
    record.recording.rate =
        RateInEnvironment(Environment(), *plan).value_or(record.recording.rate);
  SayPlan(*plan, options);
  const std::vector<std::string> before =
      record.recording.children ? FindDumps(record.recording.prefix, 0)
                                : std::vector<std::string>();
  const auto run = RunProgram(
      {.path = program->path, .arguments = record.program},
      [&](const RecorderFiles& files) {
        return RecordingEnvironment(Environment(), *plan, record.recording,
                                    files);
      },
      [&options](const std::string& failure) {
        Say(options, "warning: " + failure);
      });
  if (!run) {
    session.status = kExitCannotRun;
    return std::unexpected(run.error());
  }
  session.status = run->exit_status;
  RemoveUnfinishedDumps(record.recording.prefix, run->pid);
  ShowResult(*run, *plan, before, options, session);
  return {};
}

}  // namespace heapprof
