// SPDX-License-Identifier: Apache-2.0
//
// The message of a build that lacks an optional library. src/libraries.cmake
// lists these libraries.
#pragma once

#include <string>
#include <string_view>

#include <fmt/core.h>

namespace heapprof {

// The end of a message: "this heapprof was built without zstd
// (HEAPPROF_ZSTD=OFF)". `option` is CMake's.
inline std::string BuiltWithout(std::string_view library,
                                std::string_view option) {
  return fmt::format("this heapprof was built without {} ({}=OFF)", library,
                     option);
}

}  // namespace heapprof
