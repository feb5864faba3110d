// SPDX-License-Identifier: Apache-2.0
//
// A path or server where a file, such as a debug file, was looked for in vain,
// and the reason.
#pragma once

#include <string>

namespace heapprof {

struct TriedFile {
  std::string path;
  std::string outcome;  // "not found", or what is wrong with the file
};

}  // namespace heapprof
