// SPDX-License-Identifier: Apache-2.0
//
// Runs the program that `heapprof record` records, as if it had been started
// directly: it has the standard streams and the terminal, and signals reach it.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/record/recording_plan.h"

namespace heapprof {

struct RecordedRun {
  pid_t pid = 0;
  int exit_status = 0;  // 128 + N if signal N ended the program
  int signal = 0;       // N, or 0
  // What our library has reported, oldest first: the state of jemalloc's
  // profiler for each program that ran in this process, failed dumps, which
  // begin with '!', and remarks, which begin with '*'.
  std::vector<std::string> reports;
};

struct ProgramCommand {
  std::string path;
  std::vector<std::string> arguments;  // with the program's name
};

// Returns the reports of failed dumps without the marks, each once.
std::vector<std::string> Failures(const std::vector<std::string>& reports);

// Runs the program until it ends. `make_environment` gets the files of the
// recorder, which exist while the program runs. `on_failure` is called once,
// soon after a dump has failed.
Result<RecordedRun> RunProgram(
    const ProgramCommand& command,
    const std::function<std::vector<std::string>(const RecorderFiles&)>&
        make_environment,
    const std::function<void(const std::string&)>& on_failure);

}  // namespace heapprof
