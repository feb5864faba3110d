// SPDX-License-Identifier: Apache-2.0
//
// Reads the files next to a dump that say where the RSS is.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/args/explain_choices.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/explain/waterfall.h"

namespace heapprof {

// Returns `given` with the files next to `dump` in place of empty paths, as far
// as they exist.
RssPaths WithFilesBeside(RssPaths given, const std::string& dump);

// Reads the files; `paths.stats` must not be empty.
Result<WaterfallInputs> ReadRssFiles(const RssPaths& paths);

// By the path of the dump.
using RssMoments = std::map<std::string, WaterfallInputs>;

// Reads the files next to each of `dumps`. Removes the dumps from it that lack
// them or whose files are damaged, with a note for each; fails if none is left.
Result<RssMoments> ReadRssMoments(std::vector<std::string>& dumps,
                                  Diagnostics& diagnostics);

}  // namespace heapprof
