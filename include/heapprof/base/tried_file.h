// SPDX-License-Identifier: Apache-2.0
//
// A path or server that was tried for a file, and why it did not serve.
#pragma once

#include <string>

namespace heapprof {

struct TriedFile {
  std::string path;
  std::string outcome;  // "not found", or what is wrong with the file
};

}  // namespace heapprof
