// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

// What is behind the last slash of a path.
inline std::string_view BaseName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace heapprof
