// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/kept_files.h"

#include <sys/stat.h>

#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "cli/inputs/folder.h"
#include "cli/inputs/rss_files.h"
#include "heapprof/record/recorded_dumps.h"
#include "heapprof/record/recorder_protocol.h"

namespace heapprof {
namespace {

// Returns nothing for what is no regular file.
std::optional<std::pair<dev_t, ino_t>> IdOf(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

// A file that is written, and the option that names it.
struct NamedOutput {
  std::string_view option;
  std::string path;
};

// Returns the outputs that replace a file.
std::vector<NamedOutput> ReplacingOutputs(const Options& options) {
  std::vector<NamedOutput> named;
  const auto add = [&named](std::string_view option, const std::string& path) {
    if (path != "-" && IsRegularFile(path)) named.push_back({option, path});
  };
  for (const Output& output : options.outputs) add("-o", output.path);
  for (const TrendOutput& output : options.trend.outputs)
    add("-o", output.path);
  for (const CheckOutput& output : options.check.outputs)
    add("-o", output.path);
  // If it replaced the base, a check that fails would pass when it is repeated.
  add("--save-baseline", options.check.save_baseline);
  return named;
}

}  // namespace

void KeptFiles::Add(const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    if (const auto id = IdOf(path)) ids_.insert(*id);
}

bool KeptFiles::Contain(const std::string& path) const {
  const auto id = IdOf(path);
  return id && ids_.contains(*id);
}

KeptFiles InputsOf(const Options& options, const SeriesArguments& arguments) {
  KeptFiles inputs;
  const auto add_beside = [&inputs](const std::string& dump) {
    const RssPaths paths = WithFilesBeside({}, dump);
    inputs.Add({paths.stats, paths.smaps, paths.status,
                RssFileBeside(dump, kRecentExtension)});
  };
  inputs.Add(options.files);
  inputs.Add(options.bases);
  inputs.Add(arguments.folder_files);
  for (const auto* paths : {&options.files, &options.bases})
    for (const std::string& path : *paths) add_beside(path);
  // Reports take dumps from folders only if none is named.
  if (options.command == Command::kTrend || options.each.is_chosen ||
      !arguments.names_dumps) {
    inputs.Add(arguments.dumps);
    for (const std::string& dump : arguments.folder_dumps) add_beside(dump);
  }
  for (const RssPaths* given : {&options.explain.now, &options.explain.base})
    inputs.Add({given->stats, given->smaps, given->status});
  inputs.Add({options.explain.recent, options.check.budgets, options.maps});
  inputs.Add(options.group_sources);
  inputs.Add(options.perf_maps);
  return inputs;
}

bool IsRegularFile(const std::string& path) { return IdOf(path).has_value(); }

bool IsProgramFile(const std::string& path) {
  return IsRegularFile(path) && KindOfFile(path) == InputKind::kBinary;
}

Result<void> CheckInputsAreKept(const Options& options) {
  if (options.each.is_chosen) return {};
  const std::vector<NamedOutput> outputs = ReplacingOutputs(options);
  if (outputs.empty()) return {};
  // A folder that cannot be read is an error later.
  const KeptFiles inputs = InputsOf(
      options, SortSeriesArguments(options).value_or(SeriesArguments()));
  for (const auto& [option, path] : outputs) {
    const bool is_input = inputs.Contain(path);
    if (is_input || IsProgramFile(path))
      return Fail(
          ErrorKind::kUsage,
          fmt::format("{} {}: would replace {}; name another file", option,
                      path, is_input ? "an input" : "a program or library"));
  }
  return {};
}

}  // namespace heapprof
