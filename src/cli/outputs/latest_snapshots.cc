// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/latest_snapshots.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/inputs/series.h"
#include "heapprof/transform/split_runs.h"

namespace heapprof {
namespace {

struct LatestRuns {
  std::vector<size_t> runs = {};  // of the last dump of each process
  size_t at_end = 0;              // see LatestDumps
};

// Returns how many of `dumps`, the series of one process, CountBeforeTheEnd()
// leaves out. In a container, a process that has been restarted may have the
// number of the one before.
size_t CountAtTheEnd(std::span<const InputFacts> inputs,
                     std::span<const size_t> dumps) {
  std::vector<std::string> paths;
  std::vector<double> live;
  for (const size_t i : dumps) {
    if (inputs[i].random_address != inputs[dumps.back()].random_address)
      continue;
    paths.push_back(inputs[i].path);
    live.push_back(inputs[i].live_bytes);
  }
  return live.size() - CountBeforeTheEnd(paths, live);
}

LatestRuns FindLatest(std::span<const InputFacts> inputs) {
  std::vector<SeriesFile> files;
  for (const InputFacts& input : inputs)
    files.push_back(DescribeFile(input.path));
  LatestRuns latest;
  for (const FileSeries& series : FindSeries(files)) {
    if (series.process.empty()) {
      std::ranges::copy(series.files, std::back_inserter(latest.runs));
      continue;
    }
    const size_t at_end = CountAtTheEnd(inputs, series.files);
    latest.runs.push_back(series.files[series.files.size() - 1 - at_end]);
    latest.at_end += at_end;
  }
  std::ranges::sort(latest.runs);
  return latest;
}

}  // namespace

size_t LastShownDump(std::span<const InputFacts> inputs) {
  return FindLatest(inputs).runs.back();
}

std::optional<LatestDumps> LatestSnapshots(const ReportRequest& request) {
  if (request.profile.is_mean_of_runs) return std::nullopt;
  const auto [runs, at_end] = FindLatest(request.inputs.facts);
  if (runs.size() == request.inputs.facts.size()) return std::nullopt;
  Profile profile = request.profile;
  KeepRuns(runs, profile);
  profile.time_seconds =
      std::ranges::max(runs | std::views::transform([&](size_t run) {
                         return request.inputs.facts[run].time_seconds;
                       }));
  return LatestDumps{std::move(profile), at_end};
}

}  // namespace heapprof
