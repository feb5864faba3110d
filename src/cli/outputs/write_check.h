// SPDX-License-Identifier: Apache-2.0
//
// Writes what `heapprof check` makes: reports and baselines.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/input_facts.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/check/budgets.h"
#include "heapprof/check/judge.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/story.h"

namespace heapprof {

// Returns the contents of the file that --save-baseline names; empty if there
// is none.
Result<std::string> MakeBaseline(const Profile& profile,
                                 const Options& options);

// Writes the reports on `judgement`, if there is one, with a story of what
// grew, and the baseline. If one of them cannot be written, none of the files
// appears. If the check fails and standard output does not say so,
// `diagnostics` does.
Result<void> WriteCheck(const std::optional<Judgement>& judgement,
                        const Budgets& budgets,
                        std::span<const InputFacts> inputs,
                        const std::vector<StoryChain>& story,
                        const std::string& baseline, const Options& options,
                        Diagnostics& diagnostics);

}  // namespace heapprof
