// SPDX-License-Identifier: Apache-2.0
//
// What each source line of selected functions holds: the numbers next to an
// annotated source file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct ListedLine {
  uint32_t line = 0;      // from 1; 0: unknown
  double flat = 0;        // what the line itself allocated
  double cumulative = 0;  // what the line and the functions it calls allocated
};

struct ListedFunction {
  std::string name;
  std::string file;         // empty: unknown
  uint32_t start_line = 0;  // 0: unknown
  double flat = 0;
  double cumulative = 0;
  std::vector<ListedLine> lines;  // those that hold something, sorted by number
};

// Returns the functions that hold something and for which `wanted` is true,
// largest cumulative value first. `wanted` is indexed like Profile::functions.
// Rows of Profile::functions with the same name and file count as one function.
// A stack counts once for each of its lines and functions, even if they occur
// in it several times.
std::vector<ListedFunction> MakeSourceListing(const Profile& profile,
                                              Metric metric,
                                              const std::vector<bool>& wanted);

}  // namespace heapprof
