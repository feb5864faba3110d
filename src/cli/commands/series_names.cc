// SPDX-License-Identifier: Apache-2.0
#include "cli/commands/series_names.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"

namespace heapprof {
namespace {

// True for "server.4242" and "server" of the program "/srv/server".
bool IsNamedAfter(std::string_view name, std::string_view program) {
  return name.starts_with(program) &&
         (name.size() == program.size() || name[program.size()] == '.');
}

// Puts the programs after the names of processes if there are several: a server
// and what it starts have the same prefix for their dumps.
void TellProgramsApart(std::vector<TrendSeries>& all) {
  std::set<std::string_view> programs;
  for (const TrendSeries& series : all)
    if (!series.program.empty()) programs.insert(series.program);
  if (programs.size() < 2) return;
  for (TrendSeries& series : all) {
    const std::string_view program = BaseName(series.program);
    if (!program.empty() && !IsNamedAfter(series.name, program))
      series.name = fmt::format("{} ({})", series.name, program);
  }
}

// Returns the name of a process after the last `count` folders of its dumps:
// "host-a/server.1".
std::string NameWithFolders(const TrendSeries& series, size_t count) {
  std::string_view folder = FolderOf(series.table.dumps.front().path);
  std::string name = series.name;
  for (; count > 0 && !folder.empty(); --count) {
    name = fmt::format("{}/{}", BaseName(folder), name);
    folder = FolderOf(folder);
  }
  return name;
}

// Puts folders before the names of processes that have equal names, as in the
// containers of several hosts, as many as tell their folders apart. Processes
// whose dumps are in one folder keep their names.
void TellFoldersApart(std::vector<TrendSeries>& all) {
  std::map<std::string, std::vector<TrendSeries*>> by_name;
  for (TrendSeries& series : all) by_name[series.name].push_back(&series);
  for (const auto& [name, alike] : by_name) {
    std::set<std::string_view> folders;
    size_t longest = 0;
    for (const TrendSeries* series : alike) {
      const auto folder = FolderOf(series->table.dumps.front().path);
      folders.insert(folder);
      longest = std::max(longest, folder.size());
    }
    if (folders.size() < 2) continue;
    std::vector<std::string> longer;
    for (size_t count = 1; count <= longest + 1; ++count) {
      longer.clear();
      for (const TrendSeries* series : alike)
        longer.push_back(NameWithFolders(*series, count));
      if (std::set(longer.begin(), longer.end()).size() == folders.size())
        break;
    }
    for (size_t i = 0; i < alike.size(); ++i)
      alike[i]->name = std::move(longer[i]);
  }
}

// Numbers processes that have equal names, by time: a container gives a process
// that it restarts the same number, and its dumps the same folder.
void TellRestartsApart(std::vector<TrendSeries>& all) {
  std::map<std::string, std::vector<TrendSeries*>> by_name;
  for (TrendSeries& series : all) by_name[series.name].push_back(&series);
  for (const auto& [name, alike] : by_name)
    for (size_t i = 0; alike.size() > 1 && i < alike.size(); ++i)
      alike[i]->name = fmt::format("{} ({} of {})", name, i + 1, alike.size());
}

}  // namespace

void TellSeriesApart(std::vector<TrendSeries>& all) {
  TellProgramsApart(all);
  TellFoldersApart(all);
  TellRestartsApart(all);
}

}  // namespace heapprof
