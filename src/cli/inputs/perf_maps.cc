// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/perf_maps.h"

#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "cli/inputs/dump_names.h"
#include "heapprof/io/input_file.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

Result<PerfMap> LoadPerfMap(const std::string& path, Diagnostics& diagnostics) {
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  return PerfMap::Parse(file->bytes(), path, diagnostics);
}

// Returns the path of perf-PID.map in the folder of the dump; empty if there is
// no such file.
std::string PerfMapNextTo(const std::string& dump) {
  const std::string process = ProcessOfDump(dump);
  if (process.empty()) return "";
  const fs::path map =
      fs::path(dump).parent_path() /
      fmt::format("perf-{}.map", process.substr(process.rfind('.') + 1));
  std::error_code error;
  return fs::is_regular_file(map, error) ? map.string() : "";
}

}  // namespace

Result<std::vector<PerfMap>> LoadPerfMaps(const std::vector<std::string>& paths,
                                          Diagnostics& diagnostics) {
  std::vector<PerfMap> maps;
  for (const std::string& path : paths) {
    auto map = LoadPerfMap(path, diagnostics);
    if (!map) return std::unexpected(map.error());
    maps.push_back(std::move(*map));
  }
  return maps;
}

void NameGeneratedCode(Profile& profile, const std::string& path,
                       const std::vector<PerfMap>& maps,
                       Diagnostics& diagnostics) {
  size_t named = 0;
  for (const PerfMap& map : maps) named += NameGeneratedCode(profile, map);
  if (!maps.empty() && named == 0)
    diagnostics.Warn(WarningKind::kPerfMap,
                     fmt::format("{}: --perf-map names no address that this "
                                 "dump uses",
                                 path));
  const std::string next = maps.empty() ? PerfMapNextTo(path) : "";
  if (next.empty()) return;
  if (const auto map = LoadPerfMap(next, diagnostics))
    NameGeneratedCode(profile, *map);
  else
    diagnostics.Warn(WarningKind::kPerfMap, map.error().message);
}

}  // namespace heapprof
