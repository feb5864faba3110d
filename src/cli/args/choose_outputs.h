// SPDX-License-Identifier: Apache-2.0
//
// Which outputs a run writes, and into which files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/args/output_table.h"
#include "heapprof/base/error.h"

namespace heapprof {

struct Output {
  const OutputFormat* format = OutputNamed("text");
  std::string path = {};  // empty or "-" = standard output

  bool IsStandardOutput() const { return path.empty() || path == "-"; }
  friend bool operator==(const Output&, const Output&) = default;
};

// Returns an output for each path, or standard output if there is no path.
// `chosen` is the format that an option asks for, or null. If `chosen` is set,
// a single file gets this format, whatever the name of the file is. Of several
// files, `chosen` is for those whose extension is that of text or of no format.
// The extensions of all other files choose their formats.
Result<std::vector<Output>> ChooseOutputs(const OutputFormat* chosen,
                                          std::span<const std::string> paths);

}  // namespace heapprof
