// SPDX-License-Identifier: Apache-2.0
#include "doctor/program_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "doctor/make_fact.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/symbolize/suggestions.h"

namespace heapprof {
namespace {

constexpr std::string_view kStacks = "stacks", kNames = "names";

Fact NoDebugInfo(const Module& module, const std::string& mapped_path,
                 const Surroundings& here) {
  const std::string head =
      module.binary().HasSection(".symtab")
          ? "functions from symbols, but no lines and no inlined functions: "
          : "it is stripped and has no debug file here: ";
  const auto suggestions =
      SuggestionsFor({.state = FileState::kNoDebugInfo,
                      .path = mapped_path,
                      .build_id = module.binary().build_id()},
                     here.debuginfod_urls);
  const Suggestion& first = suggestions.front();
  return Lacking(kNames, head + first.text, first.FullCommand());
}

std::string SourceOfNames(const Module& module) {
  const std::string& path = module.NamesPath();
  if (module.index() != nullptr) return "the index " + path;
  return path == module.binary().path() ? "the program itself" : path;
}

}  // namespace

std::string Description(const JemallocFacts& jemalloc) {
  return fmt::format("jemalloc{}{}, reads {}",
                     jemalloc.version.empty() ? "" : " ", jemalloc.version,
                     fmt::join(jemalloc.variables, " and "));
}

Fact StackFact(const JemallocFacts& jemalloc, const std::string& path) {
  if (jemalloc.unwinder == Unwinder::kUnknown)
    return Unknown(
        kStacks,
        "its jemalloc walks frame pointers or uses what the compiler "
        "offers: build everything with -fno-omit-frame-pointer");
  const char* const unwinder =
      jemalloc.unwinder == Unwinder::kLibgcc ? "libgcc" : "libunwind";
  const auto image = ElfImage::Open(path);
  if (!image) return Unknown(kStacks, image.error().message);
  if (!image->HasSection(".eh_frame"))
    return Lacking(kStacks,
                   fmt::format("{} unwinds by tables (.eh_frame), and the "
                               "program has none: stacks end in it",
                               unwinder),
                   "make CXXFLAGS+=-fasynchronous-unwind-tables");
  return Ok(kStacks,
            fmt::format("{} unwinds by tables (.eh_frame), which the program "
                        "has; frame pointers are not needed",
                        unwinder));
}

Fact NameFact(const std::string& path, const std::string& mapped_path,
              const Surroundings& here) {
  DebugSearch search = here.debug;
  search.mapped_path = mapped_path;
  const auto module = Module::Open(path, search);
  if (!module) return Unknown(kNames, module.error().message);
  if (!(*module)->HasDebugInfo())
    return NoDebugInfo(**module, mapped_path, here);
  const std::string& build_id = (*module)->binary().build_id();
  return Ok(kNames,
            fmt::format("functions, lines and inlined functions from {}{}{}",
                        SourceOfNames(**module),
                        build_id.empty() ? "" : ", build id ", build_id));
}

}  // namespace heapprof
