// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "doctor/generated_code.h"
#include "doctor/make_fact.h"
#include "doctor/process_jemalloc.h"
#include "doctor/process_view.h"
#include "doctor/program_parts.h"
#include "heapprof/base/as_text.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/doctor/diagnose.h"
#include "heapprof/doctor/private_jemallocs.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/record/dump_request.h"
#include "heapprof/record/program_facts.h"
#include "heapprof/record/recorded_dumps.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

constexpr std::string_view kProfiling = "profiling", kDumps = "dumps";

// Returns the command that starts the program again, under a profiler.
std::string RecordCommand(const ProcessView& process) {
  constexpr size_t kLongest = 300;
  std::string command = "heapprof record " + QuotedWord(process.Command());
  std::string all = command;
  for (size_t i = 1; i < process.arguments.size(); ++i)
    all += ' ' + QuotedWord(process.arguments[i]);
  return all.size() <= kLongest ? all : command + " ...";
}

Fact ProgramFact(const ProcessView& process) {
  std::string text = process.program;
  if (!process.root.empty())
    text += fmt::format(", with {} as its root", process.root);
  else if (process.has_own_files)
    text += fmt::format(", in a container, where it is process {}",
                        process.inner_process);
  if (!process.is_program_deleted) return Ok("program", std::move(text));
  return Lacking("program",
                 text +
                     ", which is no longer on the disk: keep a copy for "
                     "its names",
                 fmt::format("cp /proc/{}/exe {}", process.process,
                             QuotedWord(BaseName(process.program))));
}

Fact JemallocFact(const ProcessJemalloc& jemalloc) {
  return Ok("jemalloc", fmt::format("{}: {}",
                                    jemalloc.is_in_program ? "in the program"
                                                           : jemalloc.path,
                                    Description(jemalloc.facts)));
}

// What no file and no variable tells: whether the program has switched sampling
// since its start.
Fact ActiveFact(const ProcessView& process, const JemallocFacts& jemalloc,
                const ProcessSettings& known) {
  constexpr std::string_view kActive = "active";
  const ProfilerSettings& settings = known.settings;
  if (known.was_inactive)
    return Lacking(kActive,
                   "yes, but it was switched on after the start: dumps hold "
                   "only what was allocated since",
                   RecordCommand(process));
  if (!settings.samples_threads.value_or(true))
    return Missing(kActive,
                   "not in new threads (prof_thread_active_init:false): dumps "
                   "hold only what a thread allocates after it has set "
                   "thread.prof.active",
                   RecordCommand(process));
  if (known.is_live && settings.IsActive())
    return Ok(kActive, "yes: it samples what is allocated now");
  if (known.is_live)
    return Missing(kActive, "no: prof.active is false now",
                   RecordCommand(process));
  if (!settings.IsActive())
    return Missing(kActive,
                   "no at its start (prof_active:false): if it has switched "
                   "sampling on since, dumps lack all that is older",
                   RecordCommand(process));
  return Unknown(
      kActive,
      "yes at its start; whether it has changed prof.active, only a "
      "debugger can say, which stops it for a moment:",
      ActiveCommand(process.process, NamePrefix(jemalloc), DebuggerHere()));
}

Fact ProfilingFact(const ProcessView& process, const JemallocFacts& jemalloc,
                   const ProcessSettings& known) {
  if (known.settings.IsOn())
    return Ok(kProfiling,
              known.source.empty()
                  ? "on"
                  : fmt::format("on since its start, by {}", known.source));
  const std::string restart = RecordCommand(process);
  if (!known.unread_variable.empty())
    return Missing(
        kProfiling,
        fmt::format("off: {} says prof:true, but this jemalloc "
                    "reads {}; start it again",
                    known.unread_variable, jemalloc.variables.front()),
        restart);
  if (!known.settings.malformed.empty())
    return Missing(kProfiling,
                   fmt::format("off: jemalloc does not understand '{:.60}'; "
                               "start it again",
                               known.settings.malformed),
                   restart);
  return Missing(kProfiling,
                 "off, and it cannot be switched on: start it again", restart);
}

Fact RateFact(const ProfilerSettings& settings) {
  const uint64_t period = settings.SamplingPeriod();
  if (period == 0) return Unknown("rate", "lg_prof_sample makes no sense");
  return Ok("rate", FormatSampling(period) +
                        (settings.lg_sample ? "" : ", the default"));
}

// Returns the absolute path, in the process, of the start of dumps' names.
std::string PrefixThere(const ProcessView& process,
                        const ProfilerSettings& settings) {
  return (std::filesystem::path(process.folder) /
          settings.prefix.value_or("jeprof"))
      .lexically_normal()
      .native();
}

// Returns a command that lets the process write to `folder`, a path of ours, or
// shows what is there.
std::string FolderCommand(const ProcessView& process,
                          const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::exists(folder, error))
    return fmt::format("sudo install -d -o {} {}", process.user,
                       QuotedWord(folder));
  if (!process.HasPermission(folder))
    return fmt::format("sudo chown {} {}", process.user, QuotedWord(folder));
  return fmt::format("df -h {}", QuotedWord(folder));
}

Fact DumpsFact(const ProcessView& process, const ProcessSettings& known) {
  const ProfilerSettings& settings = known.settings;
  if (settings.prefix == "")
    return Missing(kDumps,
                   "none: prof_prefix is empty, so jemalloc writes only those "
                   "that the program names",
                   RecordCommand(process));
  const std::string prefix = PrefixThere(process, settings);
  const std::string folder =
      std::filesystem::path(prefix).parent_path().native();
  const auto here = [&](const std::string& path) {
    return known.is_recorded ? process.RecordedHere(path)
                             : process.PathHere(path);
  };
  const std::string where =
      fmt::format("{}.{}.*.heap", here(prefix), process.inner_process);
  if (const std::string why = process.WhyNotWritable(here(folder));
      !why.empty())
    return Missing(kDumps,
                   fmt::format("cannot be written to {}: {}", folder, why),
                   FolderCommand(process, here(folder)));
  const auto dumps = FindDumps(here(prefix), process.inner_process);
  return Ok(kDumps, dumps.empty()
                        ? fmt::format("none yet; they will be {}", where)
                        : fmt::format("{}, the last one is {}", dumps.size(),
                                      dumps.back()));
}

Fact RequestFact(const ProcessView& process, const JemallocFacts& jemalloc,
                 const ProcessSettings& known) {
  constexpr std::string_view kName = "dump now";
  if (known.is_recorded) {
    Fact fact = Ok(kName, "it answers requests");
    fact.command = fmt::format("heapprof dump {}", process.process);
    return fact;
  }
  const bool may_be_recorded = process.Variable("HEAPPROF_RECORD").has_value();
  if (may_be_recorded && process.has_own_network) {
    Fact fact = Ok(kName, "it answers requests from its container:");
    fact.command = fmt::format("sudo nsenter -t {} -n -p heapprof dump {}",
                               process.process, process.inner_process);
    return fact;
  }
  const char* const itself = known.settings.dumps_by_itself
                                 ? "it also dumps by itself; "
                             : known.settings.dumps_at_exit.value_or(false)
                                 ? "prof_final dumps only after destructors; "
                                 : "it writes no dump by itself; ";
  Fact fact = Ok(kName, fmt::format("{}a debugger can ask it, which stops it "
                                    "for a moment:",
                                    itself));
  fact.command =
      DumpCommand(process.process, NamePrefix(jemalloc), DebuggerHere());
  return fact;
}

Fact ThreadFact(const ProcessView& process, const JemallocFacts& jemalloc,
                const ProfilerSettings& settings) {
  constexpr std::string_view kThreads = "threads";
  if (settings.names_threads.value_or(false))
    return Ok(kThreads, "dumps have their names");
  if (!jemalloc.names_threads)
    return Lacking(
        kThreads, "this jemalloc does not name them: version 5.3 and later do");
  return Lacking(
      kThreads,
      fmt::format("dumps do not name them: add "
                  "prof_sys_thread_name:true to {} and start it "
                  "again",
                  jemalloc.variables.front()),
      fmt::format("{}=prof_sys_thread_name:true {}", jemalloc.variables.front(),
                  RecordCommand(process)));
}

void AddProfiling(const ProcessView& process, const ProcessJemalloc& jemalloc,
                  std::vector<Fact>& facts) {
  const ProcessSettings known = ReadProcessSettings(process, jemalloc);
  facts.push_back(ProfilingFact(process, jemalloc.facts, known));
  if (known.settings.IsOn()) {
    facts.push_back(ActiveFact(process, jemalloc.facts, known));
    facts.push_back(RateFact(known.settings));
    facts.push_back(DumpsFact(process, known));
    facts.push_back(RequestFact(process, jemalloc.facts, known));
    facts.push_back(ThreadFact(process, jemalloc.facts, known.settings));
  }
  facts.push_back(StackFact(jemalloc.facts, process.ProgramHere()));
}

// True if the program defines malloc() for itself and its libraries.
bool HasOwnMalloc(const ProcessView& process) {
  const auto image = ElfImage::Open(process.ProgramHere());
  return image && ExamineElf(AsText(image->bytes())).has_malloc;
}

Fact NoJemallocFact(const ProcessView& process) {
  if (HasOwnMalloc(process))
    return Missing("jemalloc",
                   "none: the program has a malloc() of its own, which comes "
                   "before that of a preloaded jemalloc; build it without");
  return Missing("jemalloc", "none: it uses another allocator; start it again",
                 RecordCommand(process));
}

void AddJemalloc(const ProcessView& process, std::vector<Fact>& facts) {
  const auto jemalloc = FindProcessJemalloc(process);
  if (!jemalloc) {
    facts.push_back(NoJemallocFact(process));
    return;
  }
  facts.push_back(JemallocFact(*jemalloc));
  const auto others = FindOtherJemallocs(process, *jemalloc);
  if (!others.empty())
    facts.push_back(Lacking("coverage", PrivateJemallocText(others)));
  if (!jemalloc->facts.has_profiler) {
    facts.push_back(Missing("profiler",
                            "this jemalloc was built without --enable-prof and "
                            "ignores prof:true; start it with another",
                            RecordCommand(process)));
    return;
  }
  facts.push_back(Ok("profiler", "compiled in (--enable-prof)"));
  AddProfiling(process, *jemalloc, facts);
}

}  // namespace

Result<Diagnosis> DiagnoseProcess(int number, const Surroundings& here) {
  const auto process = ProcessView::Open(number);
  if (!process) return std::unexpected(process.error());
  Diagnosis diagnosis{.kind = "process",
                      .subject = fmt::format("process {}", number)};
  if (!process->denied.empty()) {
    diagnosis.facts.push_back(
        Missing("access", process->denied, process->MoreRights()));
    return diagnosis;
  }
  diagnosis.facts.push_back(ProgramFact(*process));
  AddJemalloc(*process, diagnosis.facts);
  Surroundings there = here;
  if (process->has_own_files)
    there.debug.sysroots.insert(there.debug.sysroots.begin(),
                                process->PathHere(""));
  diagnosis.facts.push_back(
      NameFact(process->ProgramHere(), process->program, there));
  AddGeneratedCode(*process, diagnosis.facts);
  return diagnosis;
}

}  // namespace heapprof
