// SPDX-License-Identifier: Apache-2.0
//
// Makes what `heapprof check` writes: reports and baselines.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cli/args/options.h"
#include "cli/inputs/input_facts.h"
#include "cli/outputs/write_documents.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/check/budgets.h"
#include "heapprof/check/judge.h"
#include "heapprof/io/output_file.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/story.h"

namespace heapprof {

// Returns the completed file that --save-baseline names; nothing without that
// option.
Result<std::vector<OutputFile>> MakeBaseline(const Profile& profile,
                                             const Options& options);

// What a check has found, and in what.
struct CheckOutcome {
  const Judgement& judgement;
  const Budgets& budgets;
  std::span<const InputFacts> inputs;
  std::vector<StoryChain> story = {};  // of what grew
};

// Returns the reports in all formats that the options ask for. If the check
// fails and none of them goes to standard output, a note says why.
std::vector<Document> CheckReports(const CheckOutcome& outcome,
                                   const Options& options,
                                   Diagnostics& diagnostics);

// Writes in all formats that nothing could be judged because of `error`. Text
// on standard output would only repeat the message on standard error. Writes
// nothing if that is not possible either.
void WriteCheckError(std::string_view error, const Options& options);

}  // namespace heapprof
