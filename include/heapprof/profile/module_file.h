// SPDX-License-Identifier: Apache-2.0
//
// The result of the search for the file of a module (the program or a shared
// library). The symbolizer records it, and reports show it.
#pragma once

#include <cstdint>
#include <string>

namespace heapprof {

enum class FileState : uint8_t {
  kFound,         // with debug information, as far as is known
  kNoDebugInfo,   // found without DWARF; names come from symbols
  kKernelCode,    // has no file: code of the kernel, such as "[vdso]"
  kGenerated,     // has no file: code that was generated at run time
  kNotFound,      // at none of the paths tried
  kUnreadable,    // not ELF, damaged, no permission
  kAnotherBuild,  // found, but it is not the build that ran
  kNoAddresses,   // found, but unusable: the profile does not say whether its
                  // addresses are file offsets, virtual or runtime addresses
};

// What the user can do about missing names.
struct Suggestion {
  std::string text;  // "download its debug file, then use --debug-dir debug:"
  // A shell command, and an argument that the command needs for this module.
  // They are separate so that a report can show one command with the arguments
  // of many modules. Both are empty if `text` says it all.
  std::string command = {};
  std::string argument = {};
  bool is_alternative = false;  // has the same effect as the suggestion before

  std::string FullCommand() const {
    return argument.empty() ? command : command + ' ' + argument;
  }
};

}  // namespace heapprof
