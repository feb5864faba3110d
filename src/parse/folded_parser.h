// SPDX-License-Identifier: Apache-2.0
//
// Folded stacks, as flamegraph.pl and the answers of queries have them: a stack
// per line, root first, and its value.
//
//   main;ns::Parse(int);malloc 4096
//
// With two values, as difffolded.pl and --two-column write them, the first one
// is of the base:
//
//   main;ns::Parse(int);malloc 4096 8192
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/parse_options.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// True if the first lines of `bytes`, which may be cut anywhere, are folded
// stacks.
bool LooksFolded(std::string_view bytes);

// True if each line has two values: a name may end with a number, too. Lines
// without any value are damaged, and the last line may be cut, so they say
// nothing.
bool HasTwoColumns(std::string_view text);

// Reads folded stacks. Their values are those of ParseOptions::metric. They are
// taken as exact, unless ParseOptions::sample_period says how they were
// sampled. A line without a value is left out, with a warning; a comment such
// as "# mode: memory" is left out without one.
Result<Profile> ParseFolded(std::string_view text, const std::string& name,
                            const ParseOptions& options,
                            Diagnostics& diagnostics);

}  // namespace heapprof
