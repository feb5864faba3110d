// SPDX-License-Identifier: Apache-2.0
//
// The outputs that a run can write, and which of them goes into which file.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

enum class OutputMode : uint8_t {
  kOverview,
  kText,
  kCollapsed,
  kProto,
  kRaw,
  kDot,
  kSvg,
  kPdf,
  kPs,
  kPng,
  kGif,
  kCallgrind,
  kTree,
  kPeek,
  kCallers,
  kCallees,
  kTraces,
  kThreads,
  kSymbols,
  kList,
  kDisasm,
};

struct OutputFormat {
  OutputMode mode;
  std::string_view option;  // its name, without dashes
  // Names of files that ask for it, separated by blanks; may be empty.
  std::string_view extensions;
  bool binary = false;         // nothing for a terminal
  bool takes_pattern = false;  // its option has a regular expression as value
};

std::span<const OutputFormat> OutputFormats();
const OutputFormat& FormatOf(OutputMode mode);

struct Output {
  OutputMode mode = OutputMode::kText;
  std::string path = {};  // empty or "-" = standard output

  bool IsStandardOutput() const { return path.empty() || path == "-"; }
  friend bool operator==(const Output&, const Output&) = default;
};

// One output for each of `paths`; for none of them, standard output. The mode
// that was asked for goes into a lone file whatever its name is; of several
// files, into those whose name asks for nothing, or for text. Without a mode
// the names decide.
Result<std::vector<Output>> ChooseOutputs(std::optional<OutputMode> mode,
                                          std::span<const std::string> paths);

}  // namespace heapprof
