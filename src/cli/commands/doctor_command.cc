// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/report_args.h"
#include "cli/args/usage_error.h"
#include "cli/commands/passes.h"
#include "cli/outputs/write_documents.h"
#include "cli/outputs/write_outputs.h"
#include "cli/system/environment.h"
#include "cli/system/exit_status.h"
#include "cli/system/terminal.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/doctor/diagnose.h"
#include "heapprof/io/input_file.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/record/dump_name.h"
#include "heapprof/report/doctor.h"
#include "heapprof/transform/merge.h"

namespace heapprof {
namespace {

constexpr std::string_view kDoctorPage =
    R"(heapprof doctor - what is missing for useful dumps, and what fixes it

usage: heapprof doctor [options] [PID | PROGRAM | [BINARY] DUMP]

PID      a running process: does it use a jemalloc with a profiler, is profiling
         on and active, which variable configures it, what is the sampling rate,
         where do dumps go, are threads named, which files name its functions
PROGRAM  a program or script, as 'heapprof record' would start it
DUMP     a dump: does it hold anything, and where do its names come from
         Without an argument: can 'heapprof record' work on this machine?

Each line is a fact: ok, missing, or unknown. The command below it fixes what is
missing, or finds out what is unknown. doctor reads /proc and files, and changes
nothing.

Exit status: 0 ready, 1 something is missing without which dumps are unusable,
2 wrong usage.

Output:
  --json               the same for scripts
)";

// Returns the number if `text` is one and no file has that name; else 0.
int ProcessIn(const std::string& text) {
  const int process = ParseNumber<int>(text).value_or(0);
  std::error_code ignored;
  return process > 0 && !std::filesystem::exists(text, ignored) ? process : 0;
}

// True for a dump, for what is named like one, and for a file that is not a
// program either: reading them tells what is wrong with them.
bool IsReadAsProfile(const std::string& path) {
  if (path == "-" ||
      ProfileExtensionOf(WithoutCompressionSuffix(path)) == "heap")
    return true;
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return true;
  const auto file = InputFile::Open(path);
  return file && (DetectFormat(file->bytes()).IsProfile() ||
                  access(path.c_str(), X_OK) != 0);
}

Result<Diagnosis> DiagnoseNamed(const std::string& name,
                                const Surroundings& here) {
  std::error_code ignored;
  auto diagnosis = DiagnoseProgram(name, here);
  if (diagnosis || diagnosis.error().kind != ErrorKind::kNoData ||
      name.contains('/') || std::filesystem::exists(name, ignored))
    return diagnosis;
  return Fail(ErrorKind::kNoData,
              fmt::format("'{}' is neither a file nor a program in PATH; a "
                          "process is named by its number: pidof {}",
                          name, QuotedWord(name)));
}

Result<Surroundings> FindSurroundings(const Options& options,
                                      Session& session) {
  auto search = MakeDebugSearch(options, session);
  if (!search) return std::unexpected(search.error());
  return Surroundings{.search_path = ProgramSearchPath(),
                      .library_path = LibrarySearchPath(),
                      .debuginfod_urls = DebuginfodUrls(),
                      .debug = std::move(*search)};
}

Result<Diagnosis> ReadDump(Options& options, Session& session) {
  auto inputs = ReadInputs(options, {}, session);
  if (!inputs) return std::unexpected(inputs.error());
  if (inputs->profiles.size() > 1) return UsageError("doctor takes one dump");
  if (auto found = FindBinaries(options, *inputs, session); !found)
    return std::unexpected(found.error());
  Profile profile = Merge(std::move(inputs->profiles));
  if (auto named = NameFrames(profile, session); !named)
    return std::unexpected(named.error());
  const auto info = DescribeDump(profile, /*with_dwarf=*/false,
                                 {.inputs = *inputs,
                                  .symbolizer = *session.symbolizer,
                                  .options = options,
                                  .progress = session.progress,
                                  .diagnostics = session.diagnostics});
  if (!info) return std::unexpected(info.error());
  return DiagnoseDump(profile, *info);
}

Result<Diagnosis> Diagnose(Options& options, Session& session) {
  if (std::ranges::any_of(options.files, IsReadAsProfile))
    return ReadDump(options, session);
  if (options.files.size() > 1)
    return UsageError("doctor takes one process, program or dump");
  const auto here = FindSurroundings(options, session);
  if (!here) return std::unexpected(here.error());
  if (!options.processes.empty())
    return DiagnoseProcess(options.processes.front(), *here);
  if (options.files.empty()) return DiagnoseMachine(*here);
  return DiagnoseNamed(options.files.front(), *here);
}

}  // namespace

std::string_view DoctorPage() { return kDoctorPage; }

Result<void> ReadDoctorArgs(NormalizedArgs& given, ParsedArgs& args) {
  Options& options = args.options;
  options.files = std::move(given.positionals);
  if (options.files.size() == 1)
    if (const int process = ProcessIn(options.files.front()); process != 0)
      options.processes = {process};
  if (const auto format = ChosenFormat(args); format && *format != nullptr)
    options.outputs.front().format = *format;
  return {};
}

Result<void> RunDoctor(Options& options, Session& session) {
  const auto diagnosis = Diagnose(options, session);
  if (!diagnosis) return std::unexpected(diagnosis.error());
  session.progress.Stop();
  if (!diagnosis->IsReady()) session.status = kExitFailed;
  const bool is_json = options.outputs.front().format == OutputNamed("json");
  return WriteDocuments(
      {{is_json
            ? WriteDoctorJson(*diagnosis)
            : WriteDoctorText(*diagnosis,
                              StyleOfStandardOutput(options.color).columns)}});
}

}  // namespace heapprof
