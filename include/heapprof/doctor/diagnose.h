// SPDX-License-Identifier: Apache-2.0
//
// Looks at everything that a useful heap dump needs, and changes nothing. What
// is read of a process is in /proc; no debugger is attached to it.
#pragma once

#include <string>

#include "heapprof/base/error.h"
#include "heapprof/doctor/diagnosis.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/module.h"
#include "heapprof/view/info.h"

namespace heapprof {

// Where heapprof itself runs.
struct Surroundings {
  std::string search_path;   // PATH
  std::string library_path;  // LD_LIBRARY_PATH
  std::string debuginfod_urls;
  DebugSearch debug = {};  // where debug files are
};

// Says whether this machine has what `heapprof record` needs.
Diagnosis DiagnoseMachine(const Surroundings& here);

// Says whether `heapprof record` can record the program. The error is of kind
// kNoData if there is no such program.
Result<Diagnosis> DiagnoseProgram(const std::string& program,
                                  const Surroundings& here);

// Says whether a process that runs can give dumps, and which. The error is of
// kind kNoData if there is no such process.
Result<Diagnosis> DiagnoseProcess(int process, const Surroundings& here);

// Says whether a dump holds what was alive, and has names. `info` was made from
// `profile`.
Diagnosis DiagnoseDump(const Profile& profile, const Info& info);

}  // namespace heapprof
