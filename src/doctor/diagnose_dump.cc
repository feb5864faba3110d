// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "doctor/make_fact.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/doctor/diagnose.h"
#include "heapprof/view/module_overview.h"
#include "heapprof/view/next_to_nothing.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

std::string RecordAgain(const Profile& profile, const Info& info) {
  const std::string_view rate = RateForSmall(profile);
  return fmt::format(
      "heapprof record --every 30s {}{}{}", rate, rate.empty() ? "" : " ",
      info.program.empty() ? "PROGRAM" : QuotedWord(info.program));
}

Fact SampleFact(const Profile& profile, const Info& info) {
  constexpr std::string_view kSamples = "samples";
  if (HoldsNextToNothing(profile, Metric::kInuseSpace))
    return Missing(kSamples,
                   "the dump holds next to nothing: written after the memory "
                   "was freed, or of a process that is small or only starts "
                   "others",
                   RecordAgain(profile, info));
  if (profile.sampling_period == 0)
    return Lacking(
        kSamples,
        "the sampling period is not known: there are no error bars; "
        "give it with",
        "heapprof --sample-period=524288 " + QuotedWord(info.dump.path));
  const double live = TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value;
  return Ok(kSamples, fmt::format("{} live, {}", FormatBytes(live),
                                  FormatSampling(profile.sampling_period)));
}

Fact MapFact(const Info& info) {
  if (info.has_memory_map || info.is_symbolized)
    return Ok("memory map", info.is_symbolized ? "not needed: names are in the "
                                                 "file"
                                               : "in the dump");
  return Missing("memory map",
                 "none: copy that of the process, or of another dump",
                 fmt::format("heapprof --maps /proc/PID/maps {}",
                             QuotedWord(info.dump.path)));
}

Fact DumpThreadFact(const Profile& profile) {
  constexpr std::string_view kThreads = "threads";
  const auto threads = std::span(profile.threads).subspan(1);
  if (threads.empty())
    return Unknown(kThreads, "the dump does not tell them apart");
  const auto named =
      std::ranges::count_if(threads, [&profile](const Thread& thread) {
        return !profile.String(thread.name).empty();
      });
  if (named == std::ssize(threads))
    return Ok(kThreads, fmt::format("{}, with names", named));
  if (named != 0)
    return Ok(kThreads,
              fmt::format("{}, {} of them with a name", threads.size(), named));
  return Lacking(kThreads,
                 fmt::format("{}, without names: 'heapprof record' names them, "
                             "or since jemalloc 5.3",
                             threads.size()),
                 "export MALLOC_CONF=prof:true,prof_sys_thread_name:true");
}

// Returns how much of the memory has a stack that ends at once, in percent.
double ShortStacks(const Profile& profile) {
  double all = 0, is_short = 0;
  for (const Sample& sample : profile.samples) {
    const double value = sample.values[Metric::kInuseSpace].value;
    all += value;
    if (profile.StackFrames(sample.stack).size() < 2) is_short += value;
  }
  return Percent(is_short, all);
}

// In dumps of 16 programs with unwind tables, no stack ends at once.
Fact DumpStackFact(const Profile& profile) {
  const double share = ShortStacks(profile);
  if (share < kNotablePercent) return Ok("stacks", "they reach the callers");
  return Lacking("stacks",
                 fmt::format("those of {} of the memory end at once: build "
                             "everything with unwind tables",
                             FormatShare(share)),
                 "make CXXFLAGS+=-fasynchronous-unwind-tables");
}

Fact DumpProgramFact(const Info& info) {
  constexpr std::string_view kProgram = "program";
  const auto row =
      std::ranges::find_if(info.modules.rows, &ModuleRow::is_main_program);
  if (row == info.modules.rows.end())
    return info.program.empty()
               ? Unknown(kProgram, "the dump does not name it")
               : Ok(kProgram,
                    info.program + ", which allocated nothing itself");
  if (!row->info.index_file.empty() && row->info.file.empty())
    return Ok(kProgram,
              fmt::format("{}, which is not here, but its index is: {}{}",
                          row->path, row->info.index_file,
                          row->info.is_assumed
                              ? ", assumed by file name and addresses"
                              : ""));
  if (row->info.file.empty() && !info.is_symbolized)
    return Missing(
        kProgram,
        row->info.reason.starts_with(row->path)
            ? row->info.reason
            : fmt::format("{}: {}", row->path, row->info.reason),
        fmt::format("heapprof {} {}",
                    QuotedWord(fmt::format("DIR/{}", BaseName(row->path))),
                    QuotedWord(info.dump.path)));
  return Ok(kProgram, row->info.file.empty() ? row->path : row->info.file);
}

// Says how many modules got their names from portable indexes.
std::string IndexWords(const ModuleTable& modules) {
  const auto used = std::ranges::count_if(
      modules.rows,
      [](const ModuleRow& row) { return !row.info.index_file.empty(); });
  const auto assumed = std::ranges::count_if(
      modules.rows, [](const ModuleRow& row) { return row.info.is_assumed; });
  if (used == 0) return "";
  return fmt::format(", from the indexes of {}{}",
                     Counted(static_cast<uint64_t>(used), "module"),
                     assumed == 0 ? "" : fmt::format(" ({} assumed)", assumed));
}

Fact DumpNameFact(const Info& info) {
  constexpr std::string_view kNames = "names";
  constexpr double kHalf = 50;
  const ModuleTable& modules = info.modules;
  const std::string named =
      fmt::format("{} of the memory has names, {} also lines{}",
                  FormatShare(100 - modules.nameless_percent),
                  FormatShare(modules.lined_percent), IndexWords(modules));
  const ModuleOverview overview = MakeModuleOverview(modules, 0);
  if (overview.gaps.empty() && modules.nameless_percent < kNotablePercent)
    return Ok(kNames, named);
  Fact fact = modules.nameless_percent > kHalf ? Missing(kNames, named)
                                               : Lacking(kNames, named);
  fact.command = "heapprof info " + QuotedWord(info.dump.path);
  if (overview.gaps.empty()) return fact;
  const ModuleGap& gap = overview.gaps.front();
  if (!gap.modules.empty() && !gap.modules.front()->path.empty())
    fact.text += fmt::format("; most is missing of {}",
                             BaseName(gap.modules.front()->path));
  if (gap.suggestions.empty() || gap.suggestions.front().command.empty())
    return fact;
  const auto& [text, command, arguments] = gap.suggestions.front();
  fact.text += "; " + text;
  fact.command =
      arguments.empty() ? command : command + ' ' + arguments.front();
  return fact;
}

// Adds nothing for dumps of other programs than a JVM.
void AddJava(const Info& info, std::vector<Fact>& facts) {
  if (!info.runs_java) return;
  facts.push_back(
      LacksJavaNames(info)
          ? Lacking("Java code",
                    fmt::format("calls for {} of the memory and has no names: "
                                "list it while the JVM runs",
                                FormatShare(info.generated_percent)),
                    "jcmd PID Compiler.perfmap")
          : Ok("Java code", "has names where it matters"));
}

}  // namespace

Diagnosis DiagnoseDump(const Profile& profile, const Info& info) {
  Diagnosis diagnosis{.kind = "dump", .subject = info.dump.path};
  diagnosis.facts = {SampleFact(profile, info), MapFact(info),
                     DumpProgramFact(info),     DumpNameFact(info),
                     DumpStackFact(profile),    DumpThreadFact(profile)};
  AddJava(info, diagnosis.facts);
  return diagnosis;
}

}  // namespace heapprof
