// SPDX-License-Identifier: Apache-2.0
//
// Facts that depend only on files: a program and the jemalloc that it uses.
#pragma once

#include <string>

#include "heapprof/doctor/diagnose.h"
#include "heapprof/doctor/diagnosis.h"
#include "heapprof/record/jemalloc_facts.h"

namespace heapprof {

// Returns "jemalloc 5.3.0, reads MALLOC_CONF".
std::string Description(const JemallocFacts& jemalloc);

// How the callers of an allocation in the program at `path` are found.
Fact StackFact(const JemallocFacts& jemalloc, const std::string& path);

// Where the names of the functions of the program come from. `path` is where it
// can be opened here, and `mapped_path` its path in the process.
Fact NameFact(const std::string& path, const std::string& mapped_path,
              const Surroundings& here);

}  // namespace heapprof
