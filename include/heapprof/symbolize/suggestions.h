// SPDX-License-Identifier: Apache-2.0
//
// What a user can do about names that are missing.
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
  std::string build_id;  // that is wanted, or of the file; empty: not known
  // The debuginfod servers do not have it.
  bool servers_asked = false;
};

// Most promising first. `urls` is what DEBUGINFOD_URLS says.
std::vector<Suggestion> SuggestionsFor(const MissingModule& module,
                                       std::string_view urls);

// The first of DEBUGINFOD_URLS' addresses, which blanks separate; the public
// server that asks those of all distributions if there is none.
std::string_view DebuginfodServer(std::string_view urls);

}  // namespace heapprof
