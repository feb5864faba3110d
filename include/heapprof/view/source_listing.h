// SPDX-License-Identifier: Apache-2.0
//
// What each source line of some functions holds: the numbers beside an
// annotated source file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct ListedLine {
  uint32_t line = 0;      // from 1; 0: not known
  double flat = 0;        // allocated on the line itself
  double cumulative = 0;  // and below the calls on it
};

struct ListedFunction {
  std::string name;
  std::string file;         // empty: not known
  uint32_t start_line = 0;  // 0: not known
  double flat = 0;
  double cumulative = 0;
  std::vector<ListedLine> lines;  // by number, those that hold something
};

// The functions that `wanted` (one entry per row of Profile::functions) has
// and that hold something, the largest cumulative value first. Rows with one
// name and file, such as the instances of a template, are one function. A
// stack counts once for each line and function that it has, however often.
std::vector<ListedFunction> MakeSourceListing(const Profile& profile,
                                              Metric metric,
                                              const std::vector<bool>& wanted);

}  // namespace heapprof
