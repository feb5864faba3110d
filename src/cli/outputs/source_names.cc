// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/source_names.h"

#include <algorithm>
#include <string>

#include "heapprof/base/base_name.h"
#include "heapprof/base/lower_case.h"

namespace heapprof {
namespace {

// In lower case. Includes parser generators, templates and assembly.
constexpr std::string_view kExtensions[] = {
    "ada",   "adb", "ads",   "asm",  "c",   "c++", "cc",  "cl",   "cpp",
    "cppm",  "cr",  "cs",    "cu",   "cuh", "cxx", "d",   "def",  "f",
    "f03",   "f08", "f77",   "f90",  "f95", "for", "go",  "h",    "h++",
    "hh",    "hpp", "hs",    "hxx",  "i",   "icc", "ii",  "inc",  "inl",
    "ino",   "ipp", "ixx",   "java", "jl",  "js",  "kt",  "l",    "ll",
    "lua",   "m",   "ml",    "mli",  "mm",  "mpp", "nim", "odin", "pas",
    "php",   "pl",  "proto", "pxd",  "py",  "pyx", "rb",  "rs",   "s",
    "scala", "sv",  "swift", "sx",   "tcc", "tpp", "ts",  "txx",  "v",
    "vala",  "x",   "y",     "yy",   "zig"};

// Folders whose files without extension are headers, such as <vector>.
constexpr std::string_view kHeaderRoots[] = {"/usr/", "/opt/", "/nix/store/"};

}  // namespace

bool HasSourceName(std::string_view path) {
  const std::string_view name = BaseName(path);
  const size_t dot = name.rfind('.');
  if (dot != name.npos && dot != 0) {
    const std::string extension = LowerCase(name.substr(dot + 1));
    return std::ranges::find(kExtensions, extension) != std::end(kExtensions);
  }
  return dot == name.npos && path.contains("/include/") &&
         std::ranges::any_of(kHeaderRoots, [path](std::string_view root) {
           return path.starts_with(root);
         });
}

}  // namespace heapprof
