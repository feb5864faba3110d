// SPDX-License-Identifier: Apache-2.0
#include "doctor/process_jemalloc.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "doctor/process_memory.h"
#include "heapprof/base/as_text.h"
#include "heapprof/base/jemalloc_library.h"
#include "heapprof/doctor/private_jemallocs.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/record/dump_request.h"

namespace heapprof {
namespace {

std::optional<JemallocFacts> FactsOf(const std::string& path) {
  const auto image = ElfImage::Open(path);
  if (!image) return std::nullopt;
  return FindJemallocIn(AsText(image->bytes()));
}

// Returns the libraries with code, those first whose names tell.
std::vector<std::string> LibrariesOf(const ProcessView& process) {
  std::set<std::string> seen = {process.program};
  std::vector<std::string> libraries, others;
  for (const MapEntry& entry : process.map.entries())
    if (entry.executable && entry.IsFile() && seen.insert(entry.path).second)
      (IsJemallocLibrary(entry.path) ? libraries : others)
          .push_back(entry.path);
  std::ranges::move(others, std::back_inserter(libraries));
  return libraries;
}

// Returns where the link leads that jemalloc reads settings from.
std::string LinkedSettings(const ProcessView& process) {
  std::error_code error;
  return std::filesystem::read_symlink(process.PathHere("/etc/malloc.conf"),
                                       error)
      .native();
}

void Apply(const std::string& text, const std::string& source,
           ProcessSettings& result) {
  result.settings.Apply(text);
  if (text.contains("prof:")) result.source = source;
}

void ApplyEnvironment(const ProcessView& process, const JemallocFacts& facts,
                      ProcessSettings& result) {
  for (const std::string& name : facts.variables)
    if (const auto value = process.Variable(name))
      Apply(std::string(*value), name, result);
  for (const std::string& entry : process.environment) {
    const std::string name = entry.substr(0, entry.find('='));
    if (name.ends_with(kMallocConf) && entry.contains("prof:true") &&
        !facts.Reads(name))
      result.unread_variable = name;
  }
}

// Reads what is in use now, if the symbols of jemalloc are there.
void ReadLive(const ProcessMemory& memory, const std::string& prefix,
              ProcessSettings& result) {
  const auto names = [&prefix](std::string_view name) {
    return std::vector{fmt::format("{}je_{}", prefix, name),
                       fmt::format("je_{}", name)};
  };
  ProfilerSettings& settings = result.settings;
  const auto is_on = memory.ReadBool(names("opt_prof"));
  auto is_active = memory.ReadBool(names("prof_active_state"));
  // Before version 5.3.
  if (!is_active) is_active = memory.ReadBool(names("prof_active"));
  if (!is_on || !is_active) return;
  result.is_live = true;
  result.was_inactive = !settings.IsActive() && *is_active && *is_on;
  settings.is_on = is_on;
  settings.is_active = is_active;
  if (const auto lg_sample = memory.ReadNumber(names("lg_prof_sample")))
    settings.lg_sample = lg_sample;
  if (const auto named = memory.ReadBool(names("opt_prof_sys_thread_name")))
    settings.names_threads = named;
}

bool ReadRecording(const ProcessView& process, ProcessSettings& result) {
  const auto state = RequestState(process.process);
  if (!state) return false;
  result.source = "heapprof record";
  result.is_recorded = true;
  result.is_live = true;
  result.settings.Apply(state->settings);
  result.settings.prefix = state->prefix;
  return true;
}

}  // namespace

std::optional<ProcessJemalloc> FindProcessJemalloc(const ProcessView& process) {
  std::optional<ProcessJemalloc> found;
  const std::string program = process.ProgramHere();
  if (auto facts = FactsOf(program))
    found = {process.program, program, true, *std::move(facts)};
  for (const std::string& path : LibrariesOf(process)) {
    if (found && found->facts.has_profiler) break;
    const std::string here = process.MappedHere(path);
    auto facts = FactsOf(here);
    if (facts && (!found || facts->has_profiler))
      found = {path, here, false, *std::move(facts)};
  }
  return found;
}

std::vector<std::string> FindOtherJemallocs(const ProcessView& process,
                                            const ProcessJemalloc& used) {
  std::vector<std::string> files;
  for (const std::string& path : LibrariesOf(process))
    if (path != used.path) files.push_back(process.MappedHere(path));
  return FindPrivateJemallocs(files);
}

ProcessSettings ReadProcessSettings(const ProcessView& process,
                                    const ProcessJemalloc& jemalloc) {
  ProcessSettings result;
  if (ReadRecording(process, result)) return result;
  const std::string prefix = NamePrefix(jemalloc.facts);
  const ProcessMemory memory(process, jemalloc.path, jemalloc.path_here);
  const ProcessMemory program(process, process.program, process.ProgramHere());
  const std::vector variable = {prefix + "malloc_conf"};
  // A program may define the variable for a jemalloc in a library, too.
  for (const ProcessMemory* const place : {&memory, &program})
    if (const auto text = place->ReadText(variable))
      Apply(*text, "the program's variable " + variable.front(), result);
  if (const std::string text = LinkedSettings(process); !text.empty())
    Apply(text, "the link /etc/malloc.conf", result);
  ApplyEnvironment(process, jemalloc.facts, result);
  ReadLive(memory, prefix, result);
  return result;
}

}  // namespace heapprof
