// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/recording_plan.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numbers>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/record/profiler_settings.h"
#include "heapprof/record/recorder_protocol.h"

namespace heapprof {
namespace {

using Variables = std::map<std::string, std::string, std::less<>>;

std::string_view NameIn(std::string_view entry) {
  return entry.substr(0, entry.find('='));
}

bool Has(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// Returns the settings for the jemalloc that reads the variable `name`.
std::string Settings(std::string_view name, const RecordingPlan& plan,
                     const RecordOptions& options) {
  std::string settings = fmt::format(
      "prof:true,prof_active:true,prof_thread_active_init:true,"
      "lg_prof_sample:{}",
      std::countr_zero(options.rate));
  // A comma would end the prefix; our own library does not need it.
  if (!options.prefix.contains(','))
    settings += fmt::format(",prof_prefix:{}", options.prefix);
  if (!plan.preloads_recorder) settings += ",prof_final:true";
  // Older ones complain about names that they do not know.
  const bool is_used = Has(plan.variables, name);
  if (is_used && plan.names_threads) settings += ",prof_sys_thread_name:true";
  if (is_used && plan.keeps_recent && options.recent)
    settings += ",prof_recent_alloc_max:100000,prof_time_resolution:high";
  return settings;
}

std::string Joined(const std::string& first, char separator,
                   const std::string& second) {
  return second.empty() ? first : first + separator + second;
}

constexpr std::string_view kPreload = "LD_PRELOAD";

// Returns the variables that the program gets, without values.
Variables VariablesToSet(const RecordingPlan& plan) {
  Variables variables;
  for (const char* name :
       {"MALLOC_CONF", "_RJEM_MALLOC_CONF", "JE_MALLOC_CONF"})
    variables[name] = "";
  for (const std::string& name : plan.variables) variables[name] = "";
  for (const std::string& name : plan.spared_variables) variables.erase(name);
  if (plan.preloads_recorder) variables[std::string(kPreload)] = "";
  return variables;
}

std::string Preloaded(const std::string& old, const RecordingPlan& plan,
                      const RecorderFiles& files) {
  return Joined(Joined(files.library, ':', plan.preloaded_jemalloc), ':', old);
}

// The last setting counts, so ours come after those of the user.
std::string SettingsAfter(const std::string& old, std::string_view name,
                          const RecordingPlan& plan,
                          const RecordOptions& options) {
  const std::string settings = Settings(name, plan, options);
  return old.empty() ? settings : Joined(old, ',', settings);
}

// True if `program` contains a jemalloc that takes the place of malloc(), and
// so of any library that is preloaded.
bool ReplacesMalloc(const ProgramFacts& program) {
  return program.jemalloc && program.jemalloc->ReplacesMalloc();
}

// Returns why the program cannot be recorded; empty if it can.
std::string WhyNotRecorded(const ProgramFacts& program) {
  if (program.jemalloc && program.jemalloc->has_profiler) return "";
  if (program.loader == Loader::kGlibc)
    return ReplacesMalloc(program)
               ? "the jemalloc in it has no profiler and takes the place of "
                 "any other; build it with --enable-prof"
               : "";
  const bool is_static = program.loader == Loader::kNone;
  return fmt::format(
      "it is {}, and {}; {}, or with a jemalloc that was built with "
      "--enable-prof",
      is_static ? "static, so nothing can be preloaded"
                : "not for glibc, so our library does not fit",
      program.jemalloc ? "its jemalloc has no profiler"
                       : "it contains no jemalloc",
      is_static ? "link it dynamically" : "build it for glibc");
}

// Returns what does not work, in one line.
std::string Limits(const ProgramFacts& program, const RecordingPlan& plan) {
  if (!plan.spared_variables.empty())
    return fmt::format(
        "the jemalloc in {} has no profiler, so what it allocates is not in "
        "the dump; in Rust, enable the feature 'profiling' of its crate",
        program.elf_path);
  if (plan.preloads_recorder && program.jemalloc && !ReplacesMalloc(program))
    return fmt::format(
        "the jemalloc in {} does not replace malloc(): memory from malloc() or "
        "new is not in the dump; in Rust, that is what C and C++ libraries "
        "allocate, unless its crate has the feature "
        "'unprefixed_malloc_on_supported_platforms'",
        program.elf_path);
  if (plan.preloads_recorder) return "";
  if (AbortsAtStart(program))
    return fmt::format(
        "{} is static: with glibc, jemalloc's profiler aborts such programs at "
        "their start; link it dynamically, only jemalloc may stay static",
        program.elf_path);
  return fmt::format(
      "{} is {}: only jemalloc itself can write a dump, at exit() and after "
      "destructors",
      program.elf_path,
      program.loader == Loader::kGlibc  ? "stripped"
      : program.loader == Loader::kNone ? "static"
                                        : "not for glibc");
}

}  // namespace

uint64_t NearestRate(uint64_t bytes) {
  const uint64_t lower = std::bit_floor(bytes);
  const double ratio = static_cast<double>(bytes) / static_cast<double>(lower);
  return ratio > std::numbers::sqrt2 ? 2 * lower : lower;
}

bool AbortsAtStart(const ProgramFacts& program) {
  return program.has_static_glibc && ReplacesMalloc(program) &&
         program.jemalloc->has_profiler &&
         program.jemalloc->unwinder == Unwinder::kLibgcc;
}

bool NeedsJemalloc(const ProgramFacts& program) {
  const bool brings_one = program.jemalloc && program.jemalloc->has_profiler;
  return !brings_one && !program.LinksJemalloc() &&
         program.loader == Loader::kGlibc;
}

Result<RecordingPlan> PlanRecording(
    const ProgramFacts& program,
    const std::optional<JemallocLibrary>& library) {
  const std::string why_not = WhyNotRecorded(program);
  if (!why_not.empty())
    return Fail(ErrorKind::kNoData,
                fmt::format("cannot record {}: {}", program.elf_path, why_not));
  RecordingPlan plan;
  plan.is_python = program.is_python;
  const bool has_own = program.jemalloc && program.jemalloc->has_profiler;
  if (program.jemalloc && !has_own)
    plan.spared_variables = program.jemalloc->variables;
  plan.preloads_recorder = program.loader == Loader::kGlibc &&
                           (!has_own || program.jemalloc->has_symbols);
  if (has_own) {
    plan.jemalloc = "the jemalloc in the program";
    plan.variables = program.jemalloc->variables;
    plan.names_threads = program.jemalloc->names_threads;
    plan.keeps_recent = program.jemalloc->keeps_recent;
  } else if (program.LinksJemalloc() || !library) {
    plan.jemalloc = "the libjemalloc.so that the program links";
    plan.variables = {std::string(kMallocConf)};
  } else {
    plan.jemalloc = library->path;
    plan.preloaded_jemalloc = library->path;
    plan.variables = library->facts.variables;
  }
  if (!has_own && library) {
    plan.names_threads = library->facts.names_threads;
    plan.keeps_recent = library->facts.keeps_recent;
  }
  plan.limits = Limits(program, plan);
  return plan;
}

std::optional<uint64_t> RateInEnvironment(
    std::span<const std::string> environment, const RecordingPlan& plan) {
  ProfilerSettings settings;
  for (const std::string_view entry : environment) {
    const std::string_view name = NameIn(entry);
    if (name.size() < entry.size() && Has(plan.variables, name))
      settings.Apply(entry.substr(name.size() + 1));
  }
  const uint64_t period = settings.SamplingPeriod();
  if (!settings.lg_sample || period == 0) return std::nullopt;
  return period;
}

std::vector<std::string> RecordingEnvironment(
    std::span<const std::string> environment, const RecordingPlan& plan,
    const RecordOptions& options, const RecorderFiles& files) {
  Variables changed = VariablesToSet(plan);
  std::vector<std::string> result;
  for (const std::string& entry : environment) {
    const std::string_view name = NameIn(entry);
    if (!changed.contains(name) && !name.ends_with(kMallocConf)) {
      result.push_back(entry);
      continue;
    }
    if (plan.preloads_recorder) result.push_back(kSavedVariable + entry);
    if (Has(plan.spared_variables, name))
      result.push_back(entry);
    else
      changed[std::string(name)] =
          entry.substr(std::min(name.size() + 1, entry.size()));
  }
  for (const auto& [name, old] : changed)
    result.push_back(fmt::format(
        "{}={}", name,
        name == kPreload ? Preloaded(old, plan, files)
                         : SettingsAfter(old, name, plan, options)));
  if (plan.preloads_recorder)
    result.push_back(fmt::format(
        "{}={}:{}:{:d}:{:d}:{:d}:{}:{}", kSettingsVariable, options.every_ms,
        options.growth, options.children, options.rss,
        !plan.preloaded_jemalloc.empty(), files.status, options.prefix));
  // CPython allocates small objects from its own arenas otherwise.
  const bool has_choice = std::ranges::any_of(
      environment,
      [](std::string_view entry) { return NameIn(entry) == "PYTHONMALLOC"; });
  if (plan.is_python && !has_choice) result.emplace_back("PYTHONMALLOC=malloc");
  return result;
}

}  // namespace heapprof
