// SPDX-License-Identifier: Apache-2.0
//
// The options of `heapprof explain`.
#pragma once

#include <string>

namespace heapprof {

// Paths of the files of one moment; empty: the file next to the dump, if there
// is one.
struct RssPaths {
  std::string stats = {};
  std::string smaps = {};
  std::string status = {};
};

struct ExplainChoices {
  RssPaths now = {};
  RssPaths base = {};
  std::string recent = {};  // jemalloc's prof_recent
};

}  // namespace heapprof
