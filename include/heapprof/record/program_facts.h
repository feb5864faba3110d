// SPDX-License-Identifier: Apache-2.0
//
// Looks at a program before `heapprof record` starts it: which allocator it
// has, and whether a library can be preloaded into it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
  bool links_jemalloc = false;  // the program needs libjemalloc.so
  bool has_malloc = false;      // it defines malloc() for its libraries, too
  bool is_python = false;

  bool IsScript() const { return path != elf_path; }
};

// Finds `program` as a shell does, in the folders of `search_path` (PATH) if
// its name has no slash, and looks into it. The error is of kind kNoData if
// there is no such program, and kIo if it cannot be run.
Result<ProgramFacts> ExamineProgram(const std::string& program,
                                    std::string_view search_path);

// Returns what `elf` tells about itself. The paths remain empty.
ProgramFacts ExamineElf(std::string_view elf);

}  // namespace heapprof
