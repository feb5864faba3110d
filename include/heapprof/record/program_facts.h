// SPDX-License-Identifier: Apache-2.0
//
// Looks at a program before `heapprof record` starts it: which allocator it
// has, and whether a library can be preloaded into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/record/jemalloc_facts.h"

namespace heapprof {

enum class Loader : uint8_t { kNone, kGlibc, kOther };

struct ProgramFacts {
  std::string path;               // of the program, as it was found
  std::string elf_path;           // the same, or the interpreter of a script
  Loader loader = Loader::kNone;  // kNone: the program is static
  // The jemalloc in the program itself.
  std::optional<JemallocFacts> jemalloc = {};
  bool has_static_glibc = false;
  // The libjemalloc.so that the program needs, which may be a path; or empty.
  std::string linked_jemalloc = {};
  // Where it says that its libraries are: DT_RPATH, which comes before
  // LD_LIBRARY_PATH, or else DT_RUNPATH, which comes after.
  std::vector<std::string> library_folders = {};
  bool has_runpath = false;
  bool has_malloc = false;  // it defines malloc() for its libraries, too
  bool is_python = false;

  bool IsScript() const { return path != elf_path; }
  bool LinksJemalloc() const { return !linked_jemalloc.empty(); }
};

// Finds `program` as a shell does, in the folders of `search_path` (PATH) if
// its name has no slash, and looks into it. The error is of kind kNoData if
// there is no such program, and kIo if it cannot be run.
Result<ProgramFacts> ExamineProgram(const std::string& program,
                                    std::string_view search_path);

// Returns what `elf` tells about itself. The paths remain empty, and $ORIGIN
// in folders as it is.
ProgramFacts ExamineElf(std::string_view elf);

// Returns the path of the libjemalloc.so that the program links: most likely,
// since the loader may be configured to look elsewhere. Empty if there is none.
// `library_path` is LD_LIBRARY_PATH.
std::string FindLinkedJemalloc(const ProgramFacts& program,
                               std::string_view library_path);

}  // namespace heapprof
