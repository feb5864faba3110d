// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "cli/outputs/pprof_file.h"
#include "cli/outputs/report_request.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/profile/shared_variance.h"
#include "heapprof/transform/limit_samples.h"
#include "heapprof/transform/threads.h"

namespace heapprof {
namespace {

// Returns what a reader of the file may ask later: what made it, from what, and
// how much of it has names. No line begins like a comment that some readers
// interpret.
std::vector<std::string> Comments(const ReportRequest& request) {
  constexpr size_t kMostInputs = 20;
  std::vector<std::string> comments = {"heapprof " HEAPPROF_VERSION};
  const std::vector<InputFacts>& inputs = request.inputs.facts;
  for (size_t i = 0; i < std::min(inputs.size(), kMostInputs); ++i)
    comments.push_back(
        fmt::format("{}: {}", inputs[i].side == Side::kBase ? "base" : "input",
                    Printable(inputs[i].path)));
  if (inputs.size() > kMostInputs)
    comments.push_back("and " +
                       Counted(inputs.size() - kMostInputs, "more input"));
  if (request.modules != nullptr)
    comments.push_back(fmt::format(
        "names: {} of {}", FormatShare(100 - request.modules->nameless_percent),
        IsObjectCount(request.options.metric) ? "objects" : "bytes"));
  if (SharedSeeds(request.profile).IsPossible())
    comments.emplace_back(kSharedSeedsComment);
  return comments;
}

// Returns the metric that readers show first.
Metric DefaultMetric(const Options& options) {
  const std::vector<Metric>& types = options.pprof.types;
  const bool is_written =
      types.empty() || std::ranges::find(types, options.metric) != types.end();
  return is_written ? options.metric : types.back();
}

// Returns the profile with the changes that the options ask for; nothing if
// there are none.
std::optional<Profile> Changed(const ReportRequest& request) {
  const PprofChoices& choices = request.options.pprof;
  if (!choices.thread_labels && choices.max_samples == 0) return std::nullopt;
  Profile profile = request.profile;
  if (choices.thread_labels) SplitByThread(profile);
  if (choices.max_samples == 0) return profile;
  const LimitedSamples limited =
      LimitSamples(profile, request.options.metric, choices.max_samples);
  if (limited.samples != 0)
    request.diagnostics.Note(
        fmt::format("--max-samples={}: [small stacks] replaces the leaf ends "
                    "of {} with {}",
                    choices.max_samples, Counted(limited.samples, "sample"),
                    FormatCell(limited.value, UnitOf(request.options))));
  return profile;
}

}  // namespace

Result<void> MakePprofReport(const ReportRequest& request, ByteSink& out) {
  const std::optional<Profile> changed = Changed(request);
  return WritePprofFile(changed ? *changed : request.profile,
                        {.default_metric = DefaultMetric(request.options),
                         .types = request.options.pprof.types,
                         .size_labels = request.options.pprof.size_labels,
                         .comments = Comments(request),
                         .labels = request.options.labels},
                        request.output.path, request.options, out);
}

}  // namespace heapprof
