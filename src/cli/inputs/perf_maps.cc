// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/perf_maps.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <fmt/core.h>

#include "heapprof/io/input_file.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/record/dump_name.h"

namespace heapprof {
namespace {

namespace fs = std::filesystem;

Result<PerfMap> LoadPerfMap(const std::string& path, Diagnostics& diagnostics) {
  const auto file = InputFile::Open(path);
  if (!file) return std::unexpected(file.error());
  return PerfMap::Parse(file->bytes(), path, diagnostics);
}

// Returns "perf-PID.map" for a dump of process PID; empty if its name does not
// say of which process it is.
std::string PerfMapName(const std::string& dump) {
  const auto name = ParseDumpName(dump);
  return name ? fmt::format("perf-{}.map", name->pid) : "";
}

bool HasGeneratedCode(const Profile& profile) {
  return std::ranges::any_of(profile.locations, [&](const Location& location) {
    const Mapping& mapping = profile.mappings[location.mapping.index()];
    return !location.mapping.IsNone() && location.lines.count == 0 &&
           IsAnonymous(profile, mapping);
  });
}

// Says why the file may not be a map of the process that wrote `dump`; empty if
// nothing is wrong with it. Anyone may have put it into the folder for
// temporary files, and another process may have had the same PID.
std::string WhyDoubtful(const fs::path& map, const std::string& dump,
                        int64_t dump_time) {
  constexpr int64_t kDay = 24 * 60 * 60;
  struct stat of_map = {}, of_dump = {};
  if (lstat(map.c_str(), &of_map) != 0 || !S_ISREG(of_map.st_mode))
    return "is not a regular file";
  const bool is_dumps_owner =
      stat(dump.c_str(), &of_dump) == 0 && of_map.st_uid == of_dump.st_uid;
  if (of_map.st_uid != geteuid() && !is_dumps_owner)
    return "belongs to another user";
  if (std::abs(of_map.st_mtime - dump_time) > kDay)
    return "was written on another day than the dump";
  return "";
}

// Names generated code from /tmp/perf-PID.map, where perf expects it, or says
// that it exists.
void UseTemporaryMap(Profile& profile, const std::string& dump,
                     Diagnostics& diagnostics) {
  const fs::path path = fs::path("/tmp") / PerfMapName(dump);
  std::error_code error;
  if (!HasGeneratedCode(profile) || !fs::exists(path, error)) return;
  if (const std::string doubt = WhyDoubtful(path, dump, profile.time_seconds);
      !doubt.empty())
    return diagnostics.Note(fmt::format(
        "{} is not used, because it {}; if it is of this process, use "
        "--perf-map={}",
        path.string(), doubt, path.string()));
  const auto map = LoadPerfMap(path, diagnostics);
  if (map && NameGeneratedCode(profile, *map) > 0)
    diagnostics.Note(
        fmt::format("generated code has the names in {}", path.string()));
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
  const std::string name = PerfMapName(path);
  if (!maps.empty() || name.empty()) return;
  const fs::path next = fs::path(path).parent_path() / name;
  std::error_code error;
  if (!fs::is_regular_file(next, error))
    return UseTemporaryMap(profile, path, diagnostics);
  if (const auto map = LoadPerfMap(next, diagnostics))
    NameGeneratedCode(profile, *map);
  else
    diagnostics.Warn(WarningKind::kPerfMap, map.error().message);
}

}  // namespace heapprof
