// SPDX-License-Identifier: Apache-2.0
//
// Runs another program directly, without a shell. Only dot and objdump are
// ever run, and only for the outputs that need them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

struct ProcessCommand {
  std::string program;  // a name to be looked up in PATH, or a path
  std::string package;  // Debian's package of it, for the message
  std::vector<std::string> arguments = {};
};

// Feeds `input` to the program and waits for it. Returns what it wrote to its
// standard output; an error if it is missing, was killed, or failed, with the
// first line that it wrote to standard error.
Result<std::string> RunProcess(const ProcessCommand& command,
                               std::string_view input);

}  // namespace heapprof
