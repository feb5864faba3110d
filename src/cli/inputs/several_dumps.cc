// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/several_dumps.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "cli/args/choose_outputs.h"
#include "cli/inputs/series.h"
#include "heapprof/profile/process_address.h"
#include "heapprof/profile/profile.h"
#include "heapprof/record/dump_name.h"

namespace heapprof {
namespace {

// Warns if several dumps of one process are added up. Their sum is meaningless,
// because each dump is a full snapshot.
void WarnOfSeries(std::span<const std::string> dumps,
                  Diagnostics& diagnostics) {
  for (const FileSeries& series : FindSeries(dumps))
    if (!series.process.empty() && series.files.size() > 1)
      diagnostics.Warn(
          WarningKind::kSeveralDumps,
          fmt::format("{} dumps of {} are added up, though each is a full "
                      "snapshot; 'heapprof trend' shows what grew",
                      series.files.size(), series.process));
}

// Returns the paths whose file was named before, perhaps by another path, or
// whose compressed copy was.
std::vector<std::string> Repeated(std::span<const std::string> paths) {
  std::set<std::string> known;
  std::vector<std::string> repeated;
  for (const std::string& path : paths)
    if (!known.insert(IdentityOf(path)).second) repeated.push_back(path);
  return repeated;
}

// Warns if a dump is added up twice, such as by two patterns of the shell.
void WarnOfRepeated(std::span<const std::string> dumps,
                    Diagnostics& diagnostics) {
  for (const std::string& path : Repeated(dumps))
    diagnostics.Warn(
        WarningKind::kSeveralDumps,
        fmt::format("{} repeats a dump, and is added up, too", path));
}

}  // namespace

bool AddsUp(const Options& options) {
  return std::ranges::any_of(options.outputs, [](const Output& output) {
    return !output.format->traits.shows_each_dump;
  });
}

void DropRepeated(std::vector<std::string>& paths, std::string_view side,
                  Diagnostics& diagnostics) {
  for (const std::string& path : Repeated(paths)) {
    diagnostics.Warn(WarningKind::kSeveralDumps,
                     fmt::format("{} repeats a dump of the {}, and counts once",
                                 path, side));
    paths.erase(std::ranges::find(paths.rbegin(), paths.rend(), path).base() -
                1);
  }
}

void WarnOfBothSides(std::vector<std::string> paths,
                     const std::vector<std::string>& bases,
                     Diagnostics& diagnostics) {
  paths.insert(paths.end(), bases.begin(), bases.end());
  for (const std::string& path : Repeated(paths))
    diagnostics.Warn(WarningKind::kSeveralDumps,
                     fmt::format("{} is on both sides", path));
}

Result<void> RefuseSeries(std::span<const std::string> dumps,
                          std::string_view side) {
  for (const FileSeries& series : FindSeries(dumps)) {
    if (series.process.empty() || series.files.size() < 2) continue;
    return Fail(
        ErrorKind::kUsage,
        fmt::format("{} and {} more are snapshots of one process, so their "
                    "mean is no state of it: name one of them as the {}, or "
                    "use 'heapprof trend', which shows how they grew",
                    dumps[series.files.front()], series.files.size() - 1,
                    side));
  }
  return {};
}

Result<void> CheckSeries(const LoadedInputs& inputs, const Options& options,
                         bool are_runs, Diagnostics& diagnostics) {
  std::vector<std::string> paths;
  for (const InputFacts& facts : inputs.facts) paths.push_back(facts.path);
  if (options.bases.empty() && !are_runs) {
    if (!AddsUp(options)) return {};
    WarnOfSeries(paths, diagnostics);
    WarnOfRepeated(paths, diagnostics);
    return {};
  }
  if (auto runs = RefuseSeries(paths, "new side"); !runs) return runs;
  return RefuseSeries(options.bases, "base");
}

void WarnOfOneMap(const LoadedInputs& inputs, Side side, std::string_view what,
                  Diagnostics& diagnostics) {
  std::map<std::pair<std::string, uint64_t>,
           std::map<std::string, std::string_view>>
      by_map;  // to paths by their files
  for (size_t i = 0; i < inputs.profiles.size(); ++i) {
    const std::string& path = inputs.facts[i].path;
    if (inputs.profiles[i].side != side || ParseDumpName(path)) continue;
    const Profile& profile = inputs.profiles[i].profile;
    if (const uint64_t address = RandomAddress(profile); address != 0)
      by_map[{std::string(profile.String(profile.main_binary)), address}]
          .emplace(IdentityOf(path), path);
  }
  for (const auto& [map, dumps] : by_map)
    if (dumps.size() > 1)
      diagnostics.Warn(
          WarningKind::kSeveralDumps,
          fmt::format(
              "{} and {} more share one memory map: of snapshots of one "
              "process, the {} means nothing; 'heapprof trend' shows "
              "what grew",
              dumps.begin()->second, dumps.size() - 1, what));
}

}  // namespace heapprof
