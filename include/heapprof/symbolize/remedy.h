// SPDX-License-Identifier: Apache-2.0
//
// What a user can do about names that are missing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "heapprof/symbolize/module_locator.h"

namespace heapprof {

// A module whose names are missing.
struct MissingModule {
  MissReason::Kind kind = MissReason::Kind::kNone;
  std::string path;      // in the memory map
  std::string build_id;  // that is wanted, or of the file; empty: not known
  // The debuginfod servers do not have it.
  bool servers_asked = false;
};

struct MissRemedy {
  std::string text;  // "download its debug file, then use --debug-dir debug:"
  // For a shell: a command, and what this module adds to it. Empty: the text
  // says it all.
  std::string command = {};
  std::string argument = {};
  bool is_alternative = false;  // to the remedy before it
};

// Most promising first. `urls` is what DEBUGINFOD_URLS says.
std::vector<MissRemedy> RemediesFor(const MissingModule& module,
                                    std::string_view urls);

// The first of DEBUGINFOD_URLS' addresses, which blanks separate; the public
// server that asks those of all distributions if there is none.
std::string_view DebuginfodServer(std::string_view urls);

}  // namespace heapprof
