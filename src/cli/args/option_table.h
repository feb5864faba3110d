// SPDX-License-Identifier: Apache-2.0
//
// Every option of the command line, one row each. The parser and the help text
// are made from these rows: a new option is a row here and the code that uses
// its value.
//
// The options of jeprof 5.3.0 are frozen: scripts abbreviate them, and a new
// name could make an abbreviation ambiguous. heapprof's own options may grow
// freely, because they are never abbreviated.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/option_spec.h"

namespace heapprof {

struct OptionGroupInfo {
  OptionGroup group;
  std::string_view name;     // for `heapprof help NAME`
  std::string_view heading;  // in the help text
};

std::span<const OptionSpec> OptionTable();
std::span<const OptionGroupInfo> OptionGroups();

// Returns how the option is written in the manual, the short names first, such
// as "-o" and "--output", or "--no-cache" for a switch that is on by default.
std::vector<std::string> DocumentedNames(const OptionSpec& spec);

}  // namespace heapprof
