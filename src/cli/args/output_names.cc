// SPDX-License-Identifier: Apache-2.0
#include "cli/args/output_names.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/usage_error.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/same_file.h"

namespace heapprof {

std::string_view Extension(std::string_view path) {
  const std::string_view name = BaseName(path);
  const size_t dot = name.find_last_of('.');
  return dot == 0 || dot == name.npos ? "" : name.substr(dot);
}

std::string_view FormatExtension(std::string_view path) {
  constexpr std::string_view kGzip = ".gz";
  if (Extension(path) == kGzip) path.remove_suffix(kGzip.size());
  return Extension(path);
}

Result<void> CheckDistinct(std::span<const std::string> paths) {
  std::set<std::string> files;
  for (const std::string& path : paths)
    if (!files.insert(RealPath(path)).second)
      return UsageError(fmt::format("-o {}: named twice", path));
  return {};
}

Result<size_t> FindExtension(const std::string& path,
                             std::span<const std::string_view> extensions,
                             std::string_view command) {
  const std::string_view extension = FormatExtension(path);
  if (extension.empty()) return 0;
  const auto found = std::ranges::find(extensions, extension);
  if (found != extensions.end())
    return static_cast<size_t>(found - extensions.begin());
  std::vector<std::string_view> known;
  for (const std::string_view one : extensions)
    if (!one.empty()) known.push_back(one);
  const std::string_view last = known.back();
  known.pop_back();
  return UsageError(fmt::format("-o {}: {} writes {} and {}", path, command,
                                fmt::join(known, ", "), last));
}

}  // namespace heapprof
