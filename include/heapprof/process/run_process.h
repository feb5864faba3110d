// SPDX-License-Identifier: Apache-2.0
//
// Runs another program directly, without a shell. Only dot and objdump are
// ever run, and only for the outputs that need them.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

struct ProcessCommand {
  std::string program;  // a name to be looked up in PATH, or a path
  std::string package;  // Debian's package of it, for the message
  std::vector<std::string> arguments = {};
  std::string subject = {};  // what it works on, for messages; or empty
  // Of a program that reads what anybody may have written. 0: no limit.
  std::chrono::milliseconds time_limit{0};
  uint64_t output_limit = 0;  // bytes
};

// Feeds `input` to the program and waits for it. Returns what it wrote to its
// standard output; an error if it is missing, was killed, or failed, with the
// first line that it wrote to standard error. A program beyond its limits is
// killed.
Result<std::string> RunProcess(const ProcessCommand& command,
                               std::string_view input);

}  // namespace heapprof
