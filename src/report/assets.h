// SPDX-License-Identifier: Apache-2.0
//
// The scripts and style sheets that reports contain: what
// scripts/bundle_assets.sh makes of src/report/assets, embedded in the program
// by CMake.
#pragma once

#include <string_view>

namespace heapprof {

struct EmbeddedFile {
  std::string_view name;    // without its directory
  std::string_view text;    // may be part of a CDATA section
  std::string_view sha256;  // of the text, in Base64
};

// Returns the file `name`, such as "flamegraph.js", which must be in the list
// of files in src/report/CMakeLists.txt.
const EmbeddedFile& Asset(std::string_view name);

}  // namespace heapprof
