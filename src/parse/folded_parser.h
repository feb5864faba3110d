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

// Reads folded stacks. Their values are those of ParseOptions::metric. They are
// taken as exact, unless ParseOptions::sample_period says how they were
// sampled. A line without a value is left out, with a warning. A file has two
// values per line only if all of its lines do: a name may end with a number.
Result<Profile> ParseFolded(std::string_view text, const std::string& name,
                            const ParseOptions& options,
                            Diagnostics& diagnostics);

}  // namespace heapprof
