// SPDX-License-Identifier: Apache-2.0
//
// The paths of outputs with --each, in which a word in braces stands for a part
// of the dump's name: "named/{name}.pb.gz".
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

enum class PathPart : uint8_t {
  kText,
  kName,      // {name}: the file name without the extensions of dumps
  kFolder,    // {folder}: the name of the folder of the dump
  kProcess,   // {pid}, in jemalloc's names: PREFIX.PID.SEQ.KIND.heap
  kSequence,  // {seq}
};

struct PathPiece {
  PathPart part = PathPart::kText;
  std::string text;  // if it stands for itself
};

// Returns the pieces of a path; at least one. Fails if braces contain another
// word.
Result<std::vector<PathPiece>> ParsePathPattern(const std::string& path);

}  // namespace heapprof
