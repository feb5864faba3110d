// SPDX-License-Identifier: Apache-2.0
//
// The outcome of the search for a module's file, which symbolize records and
// reports show.
#pragma once

#include <cstdint>
#include <string>

namespace heapprof {

enum class FileState : uint8_t {
  kFound,         // complete, as far as is known
  kNoDebugInfo,   // found without DWARF; names come from symbols
  kKernelCode,    // not a file: "[vdso]"
  kGenerated,     // not a file: code that was made at run time
  kNotFound,      // at none of the paths tried
  kUnreadable,    // not ELF, damaged, no permission
  kAnotherBuild,  // not the file that ran
  kNoAddresses,   // the profile does not say what its addresses mean
};

// What the user can do about missing names.
struct Suggestion {
  std::string text;  // "download its debug file, then use --debug-dir debug:"
  // A shell command and the argument that this module adds to it, so that one
  // command can serve many modules. Both are empty if the text says it all.
  std::string command = {};
  std::string argument = {};
  bool is_alternative = false;  // does the same as the suggestion before it

  std::string FullCommand() const {
    return argument.empty() ? command : command + ' ' + argument;
  }
};

}  // namespace heapprof
