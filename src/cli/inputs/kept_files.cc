// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/kept_files.h"

#include <sys/stat.h>

#include <optional>

#include <fmt/core.h>

namespace heapprof {
namespace {

// Nothing can replace a device.
std::optional<std::pair<dev_t, ino_t>> IdOf(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
    return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

std::vector<std::string> OutputPaths(const Options& options) {
  std::vector<std::string> paths;
  for (const Output& output : options.outputs) paths.push_back(output.path);
  for (const TrendOutput& output : options.trend.outputs)
    paths.push_back(output.path);
  for (const CheckOutput& output : options.check.outputs)
    paths.push_back(output.path);
  return paths;
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

Result<void> CheckInputsAreKept(const Options& options) {
  if (options.each.is_chosen) return {};
  KeptFiles inputs;
  inputs.Add(options.files);
  inputs.Add(options.bases);
  for (const std::string& path : OutputPaths(options))
    if (path != "-" && inputs.Contain(path))
      return Fail(
          ErrorKind::kUsage,
          fmt::format("-o {}: would replace an input; name another file",
                      path));
  return {};
}

}  // namespace heapprof
