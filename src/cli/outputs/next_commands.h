// SPDX-License-Identifier: Apache-2.0
//
// The commands that a report suggests to run next.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "cli/outputs/report_request.h"
#include "heapprof/view/overview.h"

namespace heapprof {

// A function by its name or label, with what it holds or by what it changed.
struct SizedName {
  std::string name;
  double size = 0;
};

// Returns the functions of the user's own code or, if it holds little, those
// that allocate; of a comparison, only those that have changed.
std::vector<SizedName> FunctionsToFollow(const Overview& overview,
                                         bool is_comparison);

// Returns the commands that follow a report about `functions` (the most
// important one first): the callers of the first one that has callers and a
// name, not just an address, if it is not much smaller than the first one of
// all, or what the program's main function calls; and the run again with
// `output`. Empty if there is no function. A long name is
// shortened if the command then has room on a line of the terminal; it still
// selects this function only.
std::vector<std::string> NextCommands(std::span<const SizedName> functions,
                                      const std::string& output,
                                      const ReportRequest& request);

// Returns the output option for a page with all views, or without
// nlohmann-json, for a flame graph: "-o STEM.html".
std::string PageOutput(std::string_view stem);

// Returns the user's command line with another output.
std::string CommandWith(const std::string& output, const Options& options);

}  // namespace heapprof
