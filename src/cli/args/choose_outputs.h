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

// One output for each of `paths`; for none of them, standard output. The
// format that an option has chosen goes into a lone file whatever its name is;
// of several files, into those whose name stands for no format, or for text.
// Otherwise the names decide. `chosen` is null without such an option.
Result<std::vector<Output>> ChooseOutputs(const OutputFormat* chosen,
                                          std::span<const std::string> paths);

}  // namespace heapprof
