// SPDX-License-Identifier: Apache-2.0
//
// Which outputs a run writes, and into which files.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/output_names.h"
#include "cli/args/output_table.h"
#include "heapprof/base/error.h"

namespace heapprof {

struct Output {
  const OutputFormat* format = OutputNamed("text");
  std::string path = {};  // empty or "-" = standard output

  bool IsStandardOutput() const { return heapprof::IsStandardOutput(path); }
  friend bool operator==(const Output&, const Output&) = default;
};

// Returns the output with the longest extension of `path`, such as ".flame.svg"
// rather than ".svg"; null if there is none. Any of them may be followed by
// ".gz".
const OutputFormat* FormatOfName(std::string_view path);

// Returns an output for each path, or standard output if there is no path.
// `chosen` is the format that an option asks for, or null. If `chosen` is set,
// a single file gets this format, whatever its name is; only --tree and the
// like become JSON if the name says so. If there are several files, `chosen`
// applies to those whose extension belongs to text or to no format. The formats
// of all other files follow from their extensions.
Result<std::vector<Output>> ChooseOutputs(const OutputFormat* chosen,
                                          std::span<const std::string> paths);

// Returns a note if the extension of the file at `path` promises another kind
// of file than the one that was asked for; empty if not. `option`, without
// dashes, asked for it, and `extensions` are those of its files.
std::string MisnamedNote(const std::string& path, std::string_view option,
                         std::string_view extensions);
std::string MisnamedNote(const Output& output);

}  // namespace heapprof
