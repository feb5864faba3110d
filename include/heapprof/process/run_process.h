// SPDX-License-Identifier: Apache-2.0
//
// Runs another program directly, without a shell. heapprof runs only dot and
// objdump, and only for outputs that need them.
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
  std::string package;  // the Debian package that contains it, for messages
  std::vector<std::string> arguments = {};
  std::string subject = {};  // the file it works on, for messages; may be empty
  // Limits for a program that reads untrusted files; 0 means no limit. A
  // program that exceeds one of them is killed.
  std::chrono::milliseconds time_limit{0};
  uint64_t output_limit = 0;  // bytes
};

// Runs the program with `input` as its standard input and returns its standard
// output. Fails if the program is missing, is killed, or ends with a status
// other than 0; the message has the first line of its standard error. A program
// that exceeds its limits is killed.
Result<std::string> RunProcess(const ProcessCommand& command,
                               std::string_view input);

}  // namespace heapprof
