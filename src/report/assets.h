// SPDX-License-Identifier: Apache-2.0
//
// The scripts and style sheets that reports contain: the files of
// src/report/assets, embedded in the program by CMake.
#pragma once

#include <string_view>

namespace heapprof {

// Returns the text of the file `name`, such as "flamegraph.js", which must be
// in the list of files in src/report/CMakeLists.txt.
std::string_view Asset(std::string_view name);

}  // namespace heapprof
