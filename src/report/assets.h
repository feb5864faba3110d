// SPDX-License-Identifier: Apache-2.0
//
// The scripts and style sheets that reports contain: the files of
// src/report/assets, embedded in the program by CMake.
#pragma once

#include <span>
#include <string_view>

namespace heapprof {

struct EmbeddedFile {
  std::string_view name;  // without its directory
  std::string_view text;
  std::string_view sha256;  // of the text, in Base64
};

// Returns the text of the file `name`, such as "flamegraph.js", which must be
// in the list of files in src/report/CMakeLists.txt.
std::string_view Asset(std::string_view name);

// The scripts of HTML reports, in the order in which they run, and their style
// sheet.
std::span<const EmbeddedFile> HtmlScripts();
const EmbeddedFile& HtmlStyle();

// What the page of `heapprof trend` has besides HtmlStyle().
const EmbeddedFile& TrendStyle();
// The same of `heapprof explain`.
const EmbeddedFile& ExplainStyle();

}  // namespace heapprof
