// SPDX-License-Identifier: Apache-2.0
//
// What a shell may offer where an argument or the value of an option is typed.
// The tables of commands and options say it in the words of the manual.
#pragma once

#include <string_view>
#include <vector>

#include "cli/args/command_table.h"
#include "cli/args/option_spec.h"

namespace heapprof {

// Several sources may serve the same argument.
struct WordSources {
  std::vector<std::string_view> words = {};  // exactly these
  bool inputs = false;  // dumps, binaries, and folders with them
  bool files = false;
  bool folders = false;
  bool processes = false;  // their ids
  bool programs = false;   // those in PATH, too

  bool operator==(const WordSources&) const = default;
};

WordSources SourcesOfValue(const OptionSpec& option);
WordSources SourcesOfArguments(const CommandSpec& command);

// Returns the start of the option's help text, for a list of options.
std::string_view Summary(const OptionSpec& option);

}  // namespace heapprof
