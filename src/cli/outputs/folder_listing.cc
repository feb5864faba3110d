// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/folder_listing.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inputs/read_series.h"
#include "cli/inputs/series.h"
#include "cli/system/terminal.h"
#include "heapprof/base/append_format.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/base/utc_time.h"
#include "heapprof/report/next_commands.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

struct FoundDump {
  std::string path;
  int64_t time = 0;  // last change, in seconds since 1970
  uint64_t size = 0;
};

// The dumps of each process; those with other names under an empty one.
using DumpsByProcess = std::map<std::string, std::vector<FoundDump>>;

FoundDump Describe(const std::string& path) {
  FoundDump dump = {.path = path};
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0) {
    dump.time = status.st_mtime;
    dump.size = static_cast<uint64_t>(status.st_size);
  }
  return dump;
}

DumpsByProcess GroupByProcess(const std::vector<std::string>& paths) {
  DumpsByProcess groups;
  for (const FileSeries& series : FindSeries(paths))
    for (const size_t i : series.files)
      groups[series.process].push_back(Describe(paths[i]));
  return groups;
}

std::string Heading(const SeriesArguments& arguments,
                    const DumpsByProcess& groups) {
  const size_t others = groups.contains("") ? 1 : 0;
  std::string text =
      fmt::format("{}: {}", fmt::join(arguments.folders, ", "),
                  Counted(arguments.folder_dumps.size(), "dump"));
  if (groups.size() > others)
    text += " of " + Counted(groups.size() - others, "process", "processes");
  return Printable(text) +
         fmt::format("\n\n{:>11}  {:<23}  dump\n", "file size", "written");
}

// Adds the newest dumps of a process.
void AddGroup(const std::string& process, std::span<const FoundDump> dumps,
              std::string& text) {
  constexpr size_t kMost = 20;
  AppendFormat(text, "\n{}\n",
               process.empty() ? "other names" : Printable(BaseName(process)));
  const size_t older = dumps.size() - std::min(dumps.size(), kMost);
  if (older > 0) AppendFormat(text, "    {}\n", Counted(older, "older dump"));
  for (const FoundDump& dump : dumps.subspan(older))
    AppendFormat(text, "{:>11}  {}  {}\n",
                 FormatBytes(static_cast<double>(dump.size)),
                 UtcTime(dump.time), Printable(BaseName(dump.path)));
}

std::string CommandOn(const SeriesArguments& arguments,
                      std::initializer_list<std::string_view> more) {
  std::string command = "heapprof";
  for (const std::string& file : arguments.BinaryArguments())
    command += ' ' + QuotedWord(file);
  for (const std::string_view word : more) command += ' ' + QuotedWord(word);
  return command;
}

// Returns the commands about the process that has written the newest dump.
std::vector<std::string> Commands(const SeriesArguments& arguments,
                                  const DumpsByProcess& groups) {
  const auto& [process, dumps] = *std::ranges::max_element(
      groups, {}, [](const auto& group) { return group.second.back().time; });
  std::vector<std::string> commands = {
      CommandOn(arguments, {dumps.back().path})};
  if (dumps.size() <= 1) return commands;
  std::string trend = "heapprof trend";
  for (const auto* files : {&arguments.binaries, &arguments.folders})
    for (const std::string& file : *files) trend += ' ' + QuotedWord(file);
  commands.push_back(std::move(trend));
  return commands;
}

}  // namespace

Result<std::string> FolderListing(const Options& options) {
  const auto arguments = SortSeriesArguments(options);
  if (!arguments) return std::unexpected(arguments.error());
  if (arguments->names_dumps || arguments->folder_dumps.size() < 2)
    return std::string();
  const DumpsByProcess groups = GroupByProcess(arguments->folder_dumps);
  std::string text = Heading(*arguments, groups);
  constexpr size_t kMostGroups = 20;
  size_t shown = 0;
  for (const auto& [process, dumps] : groups)
    if (++shown <= kMostGroups) AddGroup(process, dumps, text);
  if (shown > kMostGroups)
    AppendFormat(
        text, "\n{}\n",
        Counted(shown - kMostGroups, "more process", "more processes"));
  text += '\n';
  for (const std::string& line :
       NextLines(Commands(*arguments, groups),
                 StyleOfStandardOutput(options.color).columns))
    text += line + '\n';
  return text;
}

}  // namespace heapprof
