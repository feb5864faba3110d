// SPDX-License-Identifier: Apache-2.0
//
// The manual pages heapprof(1) and heapprof-COMMAND(1). They say the same as
// --help, from the same tables and texts.
#pragma once

#include <string>
#include <string_view>

#include "cli/args/command_table.h"

namespace heapprof {

// Returns the name of the page of a command: "heapprof" or "heapprof-check".
std::string ManPageName(const CommandSpec& command);

// Returns false for `heapprof help`, which heapprof(1) explains.
bool HasManPage(const CommandSpec& command);

// Returns the page in man(7) macros. `date` is that of the program, such as
// "2026-11-26".
std::string ManPage(const CommandSpec& command, std::string_view date);

}  // namespace heapprof
