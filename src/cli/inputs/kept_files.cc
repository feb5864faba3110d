// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/kept_files.h"

#include <sys/stat.h>

#include <optional>
#include <string_view>

#include <fmt/core.h>

#include "cli/inputs/folder.h"
#include "cli/inputs/read_series.h"
#include "cli/inputs/rss_files.h"

namespace heapprof {
namespace {

// Nothing can replace a device.
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
    if (path != "-" && IdOf(path)) named.push_back({option, path});
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

KeptFiles Inputs(const Options& options) {
  KeptFiles inputs;
  const auto add_beside = [&inputs](const RssPaths& given) {
    inputs.Add({given.stats, given.smaps, given.status});
  };
  // A folder that cannot be read is an error later.
  if (const auto arguments = SortSeriesArguments(options)) {
    inputs.Add(arguments->folder_files);
    // Reports take dumps from folders only if none is named.
    if (options.command == Command::kTrend || !arguments->names_dumps)
      inputs.Add(arguments->dumps);
  }
  for (const auto* paths : {&options.files, &options.bases}) {
    inputs.Add(*paths);
    for (const std::string& path : *paths)
      add_beside(WithFilesBeside({}, path));
  }
  add_beside(options.explain.now);
  add_beside(options.explain.base);
  inputs.Add({options.explain.recent, options.check.budgets});
  inputs.Add(options.group_sources);
  inputs.Add(options.perf_maps);
  return inputs;
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

bool IsProgramFile(const std::string& path) {
  return IdOf(path) && KindOfFile(path) == InputKind::kBinary;
}

Result<void> CheckInputsAreKept(const Options& options) {
  if (options.each.is_chosen) return {};
  const std::vector<NamedOutput> outputs = ReplacingOutputs(options);
  if (outputs.empty()) return {};
  const KeptFiles inputs = Inputs(options);
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
