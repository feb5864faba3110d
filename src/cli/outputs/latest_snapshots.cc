// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/latest_snapshots.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <vector>

#include "cli/inputs/series.h"
#include "heapprof/transform/split_runs.h"

namespace heapprof {
namespace {

// Returns the runs of the last dump of each process.
std::vector<size_t> LatestRuns(std::span<const InputFacts> inputs) {
  std::vector<SeriesFile> files;
  for (const InputFacts& input : inputs)
    files.push_back(DescribeFile(input.path));
  std::vector<size_t> latest;
  for (const FileSeries& series : FindSeries(files))
    if (series.process.empty())
      std::ranges::copy(series.files, std::back_inserter(latest));
    else
      latest.push_back(series.files.back());
  std::ranges::sort(latest);
  return latest;
}

}  // namespace

std::optional<Profile> LatestSnapshots(const ReportRequest& request) {
  if (request.profile.is_mean_of_runs) return std::nullopt;
  const std::vector<size_t> latest = LatestRuns(request.inputs.facts);
  if (latest.size() == request.inputs.facts.size()) return std::nullopt;
  Profile profile = request.profile;
  KeepRuns(latest, profile);
  profile.time_seconds =
      std::ranges::max(latest | std::views::transform([&](size_t run) {
                         return request.inputs.facts[run].time_seconds;
                       }));
  return profile;
}

}  // namespace heapprof
