// SPDX-License-Identifier: Apache-2.0
//
// What the user can do about missing names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/profile/module_file.h"

namespace heapprof {

// A module whose names are missing.
struct MissingModule {
  FileState state = FileState::kFound;
  std::string path;      // in the memory map
  std::string build_id;  // the wanted one, or the file's; empty if unknown
  // True if the debuginfod servers were asked and do not have the file.
  bool servers_asked = false;
  // True if the folders of --index-dir have no index of it.
  bool lacks_index = false;
};

// Returns suggestions for getting the names of `module`, most promising first.
// `urls` is the value of DEBUGINFOD_URLS.
std::vector<Suggestion> SuggestionsFor(const MissingModule& module,
                                       std::string_view urls);

// Returns the first server in `urls`, the blank-separated list in
// DEBUGINFOD_URLS. If the list is empty, returns the public server that passes
// requests on to the servers of the Linux distributions.
std::string_view DebuginfodServer(std::string_view urls);

}  // namespace heapprof
