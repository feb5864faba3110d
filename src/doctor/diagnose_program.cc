// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "doctor/make_fact.h"
#include "doctor/program_parts.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/doctor/diagnose.h"
#include "heapprof/record/jemalloc_facts.h"
#include "heapprof/record/program_facts.h"
#include "heapprof/record/recording_plan.h"

namespace heapprof {
namespace {

constexpr std::string_view kJemalloc = "jemalloc", kProfiler = "profiler";

const char* LoaderWords(Loader loader) {
  switch (loader) {
    case Loader::kNone:
      return "static";
    case Loader::kGlibc:
      return "dynamic, for glibc";
    case Loader::kOther:
      return "dynamic, for another C library than glibc";
  }
  return "";
}

Fact ProgramFact(const ProgramFacts& program) {
  std::string text = program.path;
  if (program.IsScript())
    text += fmt::format(", a script for {}", program.elf_path);
  text += fmt::format(", {}", LoaderWords(program.loader));
  return Ok("program", std::move(text));
}

Result<JemallocLibrary> SystemJemalloc(const Surroundings& here) {
  return FindJemallocLibrary(LibraryFolders(here.library_path));
}

Fact LibraryFact(const Result<JemallocLibrary>& library, const char* role) {
  if (!library)
    return Missing(kJemalloc, library.error().message,
                   "sudo apt-get install libjemalloc2");
  return Ok(kJemalloc, fmt::format("{}, {}{}", library->path,
                                   Description(library->facts), role));
}

// Adds what is known about the library that the program links. Returns it.
std::optional<JemallocFacts> AddLinkedJemalloc(const ProgramFacts& program,
                                               const Surroundings& here,
                                               Diagnosis& diagnosis) {
  const std::string path = FindLinkedJemalloc(program, here.library_path);
  if (path.empty()) {
    diagnosis.facts.push_back(Unknown(
        kJemalloc,
        fmt::format("the program links {}, which is in none of the usual "
                    "folders",
                    program.linked_jemalloc),
        fmt::format("ldd {}", QuotedWord(program.elf_path))));
    return std::nullopt;
  }
  const auto library = ReadJemallocLibrary(path);
  if (!library) {
    diagnosis.facts.push_back(
        Missing(kJemalloc, fmt::format("the program links {}; 'heapprof record "
                                       "--jemalloc FILE' records with another",
                                       library.error().message)));
    return std::nullopt;
  }
  diagnosis.facts.push_back(Ok(
      kJemalloc, fmt::format("{}, {}; the program links one, most likely this",
                             path, Description(library->facts))));
  return library->facts;
}

// Adds facts about the jemalloc that the program would use. Returns it.
std::optional<JemallocFacts> AddJemalloc(const ProgramFacts& program,
                                         const Surroundings& here,
                                         Diagnosis& diagnosis) {
  std::vector<Fact>& facts = diagnosis.facts;
  if (program.jemalloc) {
    facts.push_back(Ok(kJemalloc, fmt::format("in the program: {}",
                                              Description(*program.jemalloc))));
    if (program.jemalloc->has_profiler) return program.jemalloc;
    facts.push_back(Missing(
        kProfiler,
        "the jemalloc in the program was built without --enable-prof and "
        "ignores prof:true; in Rust, enable the feature 'profiling'",
        "cargo add tikv-jemallocator --features profiling"));
    return std::nullopt;
  }
  if (program.loader != Loader::kGlibc) {
    facts.push_back(Missing(
        kJemalloc,
        "none in the program, and none can be preloaded: link it dynamically "
        "with glibc, or with a jemalloc that has a profiler"));
    return std::nullopt;
  }
  std::optional<JemallocFacts> jemalloc;
  if (program.LinksJemalloc()) {
    jemalloc = AddLinkedJemalloc(program, here, diagnosis);
  } else {
    const auto library = SystemJemalloc(here);
    facts.push_back(LibraryFact(library, "; 'heapprof record' preloads it"));
    if (library) jemalloc = library->facts;
  }
  if (program.has_malloc)
    facts.push_back(Lacking(
        "coverage",
        "the program has a malloc() of its own, which comes before that of any "
        "library: unless it calls jemalloc's, dumps lack what it allocates"));
  return jemalloc;
}

void AddRecording(const ProgramFacts& program, const JemallocFacts& jemalloc,
                  Diagnosis& diagnosis) {
  std::vector<Fact>& facts = diagnosis.facts;
  facts.push_back(Ok(kProfiler, "compiled in (--enable-prof)"));
  const auto plan = PlanRecording(program, std::nullopt);
  if (plan && AbortsAtStart(program))
    facts.push_back(Missing("dumps", plan->limits));
  else if (plan && !plan->limits.empty() && !plan->preloads_recorder)
    facts.push_back(Lacking("dumps", plan->limits));
  else if (access(".", W_OK | X_OK) == 0)
    facts.push_back(Ok("dumps",
                       "'heapprof record' writes them to the current folder, "
                       "before the memory is freed"));
  else
    facts.push_back(Missing(
        "dumps",
        fmt::format("the current folder cannot be written: {}",
                    std::strerror(errno)),
        fmt::format("heapprof record -o /tmp/ {}", QuotedWord(program.path))));
  if (plan && !plan->limits.empty() && plan->preloads_recorder)
    facts.push_back(Lacking("coverage", plan->limits));
  facts.push_back(
      jemalloc.names_threads
          ? Ok("threads", "'heapprof record' lets jemalloc name them")
          : Lacking("threads",
                    "this jemalloc does not name them: version 5.3 "
                    "and later do"));
}

}  // namespace

Diagnosis DiagnoseMachine(const Surroundings& here) {
  Diagnosis diagnosis{.kind = "machine", .subject = "this machine"};
  diagnosis.facts.push_back(
      LibraryFact(SystemJemalloc(here),
                  ", with a profiler; 'heapprof record' preloads it"));
  const auto gdb = ExamineProgram("gdb", here.search_path);
  diagnosis.facts.push_back(
      gdb ? Ok("gdb", gdb->path)
          : Lacking("gdb",
                    "not there; it can ask processes that were not "
                    "started by 'heapprof record' for dumps",
                    "sudo apt-get install gdb"));
  return diagnosis;
}

Result<Diagnosis> DiagnoseProgram(const std::string& name,
                                  const Surroundings& here) {
  const auto program = ExamineProgram(name, here.search_path);
  if (!program) return std::unexpected(program.error());
  Diagnosis diagnosis{.kind = "program", .subject = program->path};
  diagnosis.facts.push_back(ProgramFact(*program));
  const auto jemalloc = AddJemalloc(*program, here, diagnosis);
  if (jemalloc) AddRecording(*program, *jemalloc, diagnosis);
  // "#!/usr/bin/env python3": another program takes its place.
  if (BaseName(program->elf_path) == "env") return diagnosis;
  if (jemalloc)
    diagnosis.facts.push_back(StackFact(*jemalloc, program->elf_path));
  diagnosis.facts.push_back(
      NameFact(program->elf_path, program->elf_path, here));
  return diagnosis;
}

}  // namespace heapprof
