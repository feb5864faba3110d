// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/folder_listing.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inputs/folder.h"
#include "cli/inputs/series.h"
#include "heapprof/base/append_format.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/quoted_word.h"
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

// What the command line names.
struct Arguments {
  std::vector<std::string> folders;
  // In the order of the command line: what each command needs besides a dump.
  std::vector<std::string> binaries;
  std::vector<std::string> dumps;
  bool has_others = false;
};

Result<Arguments> Sort(const std::vector<std::string>& files) {
  Arguments arguments;
  for (const std::string& path : files) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      auto contents = ReadFolder(path);
      if (!contents) return std::unexpected(contents.error());
      arguments.folders.push_back(path);
      if (!contents->elf_files.empty()) arguments.binaries.push_back(path);
      std::ranges::move(contents->profiles,
                        std::back_inserter(arguments.dumps));
    } else if (std::filesystem::is_regular_file(path, error) &&
               KindOfFile(path) == InputKind::kBinary) {
      arguments.binaries.push_back(path);
    } else {
      arguments.has_others = true;
    }
  }
  return arguments;
}

DumpsByProcess GroupByProcess(const std::vector<std::string>& paths) {
  DumpsByProcess groups;
  for (const FileSeries& series : FindSeries(paths))
    for (const size_t i : series.files)
      groups[series.process].push_back(Describe(paths[i]));
  return groups;
}

std::string Count(size_t count, std::string_view noun,
                  std::string_view plural) {
  return fmt::format("{} {}", count, count == 1 ? noun : plural);
}

std::string Heading(const Arguments& arguments, const DumpsByProcess& groups) {
  const size_t others = groups.contains("") ? 1 : 0;
  std::string text =
      fmt::format("{}: {}", fmt::join(arguments.folders, ", "),
                  Count(arguments.dumps.size(), "dump", "dumps"));
  if (groups.size() > others)
    text += " of " + Count(groups.size() - others, "process", "processes");
  return Printable(text) + '\n';
}

// Adds the newest dumps of a process.
void AddGroup(const std::string& process, std::span<const FoundDump> dumps,
              std::string& text) {
  constexpr size_t kMost = 20;
  AppendFormat(text, "\n{}\n",
               process.empty() ? "other names" : Printable(BaseName(process)));
  const size_t older = dumps.size() - std::min(dumps.size(), kMost);
  if (older > 0)
    AppendFormat(text, "    {}\n", Count(older, "older dump", "older dumps"));
  for (const FoundDump& dump : dumps.subspan(older))
    AppendFormat(text, "{:>11}  {:%Y-%m-%d %H:%M:%S} UTC  {}\n",
                 FormatBytes(static_cast<double>(dump.size)),
                 fmt::gmtime(dump.time), Printable(BaseName(dump.path)));
}

std::string CommandOn(const Arguments& arguments,
                      std::initializer_list<std::string_view> more) {
  std::string command = "heapprof";
  for (const std::string& binary : arguments.binaries)
    command += ' ' + QuotedWord(binary);
  for (const std::string_view word : more) command += ' ' + QuotedWord(word);
  return command;
}

// Returns the commands about the process that has written the newest dump.
std::vector<std::string> Commands(const Arguments& arguments,
                                  const DumpsByProcess& groups) {
  const auto& [process, dumps] = *std::ranges::max_element(
      groups, {}, [](const auto& group) { return group.second.back().time; });
  std::vector<std::string> commands = {
      CommandOn(arguments, {dumps.back().path})};
  if (dumps.size() > 1)
    commands.push_back("heapprof trend " +
                       QuotedWord(arguments.folders.back()));
  return commands;
}

}  // namespace

Result<std::string> FolderListing(const Options& options) {
  const auto arguments = Sort(options.files);
  if (!arguments) return std::unexpected(arguments.error());
  if (arguments->has_others || arguments->dumps.size() < 2)
    return std::string();
  const DumpsByProcess groups = GroupByProcess(arguments->dumps);
  std::string text = Heading(*arguments, groups);
  constexpr size_t kMostGroups = 20;
  size_t shown = 0;
  for (const auto& [process, dumps] : groups)
    if (++shown <= kMostGroups) AddGroup(process, dumps, text);
  if (shown > kMostGroups)
    AppendFormat(text, "\n{}\n",
                 Count(shown - kMostGroups, "more process", "more processes"));
  text += '\n';
  for (const std::string& line : NextLines(Commands(*arguments, groups)))
    text += line + '\n';
  return text;
}

}  // namespace heapprof
