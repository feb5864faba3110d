// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/series.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/nanoseconds.h"
#include "heapprof/base/nearly_all.h"
#include "heapprof/base/same_file.h"
#include "heapprof/record/dump_name.h"

namespace heapprof {

namespace fs = std::filesystem;

namespace {

// Returns empty members if the name says nothing.
DumpName DumpNameOf(const SeriesFile& file) {
  return ParseDumpName(file.path).value_or(DumpName());
}

// Names processes alike by whatever paths their dumps are given.
class ProcessNames {
 public:
  // Returns DumpName::process with the real path of the folder.
  std::string Find(const SeriesFile& file) {
    const fs::path process = DumpNameOf(file).process;
    if (process.empty()) return "";
    const fs::path folder = process.parent_path();
    const auto [real, is_new] = real_folders_.try_emplace(folder);
    if (is_new) real->second = RealPath(folder / ".");
    return real->second / process.filename();
  }

 private:
  std::map<fs::path, fs::path> real_folders_;
};

}  // namespace

SeriesFile DescribeFile(const std::string& path) {
  SeriesFile file = {.path = path};
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode))
    file.time_ns = Nanoseconds(status.st_mtim);
  return file;
}

std::string IdentityOf(const std::string& path) {
  std::string file = RealPath(path);
  // Some compressors copy only the seconds.
  const int64_t time = DescribeFile(path).time_ns / kNanosecondsPerSecond;
  if (time == 0) return file;
  return fmt::format("{} {}", WithoutCompressionSuffix(file), time);
}

std::vector<FileSeries> FindSeries(std::span<const SeriesFile> files) {
  std::map<std::pair<std::string, std::string>, std::vector<size_t>> groups;
  ProcessNames names;
  for (size_t i = 0; i < files.size(); ++i)
    groups[{names.Find(files[i]), files[i].program}].push_back(i);
  std::vector<FileSeries> found;
  for (auto& [key, members] : groups) {
    std::ranges::sort(members, {}, [&files](size_t i) {
      return std::tuple(DumpNameOf(files[i]).sequence, files[i].time_ns,
                        std::string_view(files[i].path), i);
    });
    found.push_back(
        {.process = std::string(DumpNameOf(files[members[0]]).process),
         .program = key.second,
         .files = std::move(members)});
  }
  return found;
}

std::vector<FileSeries> FindSeries(std::span<const std::string> paths) {
  std::vector<SeriesFile> files;
  for (const std::string& path : paths) files.push_back(DescribeFile(path));
  std::vector<FileSeries> found = FindSeries(files);
  for (FileSeries& series : found) {
    std::set<std::string> known;
    std::erase_if(series.files, [&](size_t i) {
      return !known.insert(IdentityOf(paths[i])).second;
    });
  }
  return found;
}

size_t CountBeforeTheEnd(std::span<const std::string> paths,
                         std::span<const double> live) {
  if (live.empty()) return 0;
  const auto may_be_at_end = [&](size_t i) {
    const auto name = ParseDumpName(paths[i]);
    return name && (name->kind == 'r' || name->kind == 'f');
  };
  const double largest =
      std::ranges::max(live.last(std::min(kMostDumpsAtTheEnd, live.size())));
  size_t count = live.size();
  while (count > 1 && may_be_at_end(count - 1) &&
         IsNearlyNothing(live[count - 1], largest))
    --count;
  if (count == live.size() && count > 1 && may_be_at_end(count - 1) &&
      live[count - 1] < live[count - 2] / 2)
    --count;
  return count;
}

std::vector<std::string> InSeriesOrder(std::vector<std::string> paths) {
  std::vector<SeriesFile> files;
  for (const std::string& path : paths) files.push_back(DescribeFile(path));
  for (const FileSeries& series : FindSeries(files)) {
    if (series.process.empty()) continue;
    std::vector<size_t> places = series.files;
    std::ranges::sort(places);
    for (size_t i = 0; i < places.size(); ++i)
      paths[places[i]] = files[series.files[i]].path;
  }
  return paths;
}

}  // namespace heapprof
