// SPDX-License-Identifier: Apache-2.0
//
// The dumps of a run with --each, and where the outputs of each go.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/read_series.h"
#include "heapprof/base/error.h"

namespace heapprof {

struct EachDump {
  std::string path;
  // About how many bytes are to be read: those of the file, or more if it is
  // compressed. 0 if unknown.
  uint64_t size = 0;
  std::vector<std::string> outputs;  // paths, one for each of Options::outputs
};

// Returns the dumps, in the order in which a process wrote them. Fails if two
// outputs would have one path, or if an output would replace a file that is
// read.
Result<std::vector<EachDump>> PlanEachDump(const SeriesArguments& arguments,
                                           const Options& options);

// Makes the folders of the outputs that are missing.
Result<void> MakeOutputFolders(const std::vector<EachDump>& dumps);

// Returns the options of the command line that writes the outputs of `dump`
// alone. `options` are those of the whole run.
Result<Options> OptionsOf(const EachDump& dump,
                          const SeriesArguments& arguments,
                          const Options& options);

}  // namespace heapprof
