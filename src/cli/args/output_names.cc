// SPDX-License-Identifier: Apache-2.0
#include "cli/args/output_names.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/usage_error.h"
#include "heapprof/base/base_name.h"

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
  std::vector<std::string> sorted(paths.begin(), paths.end());
  std::ranges::sort(sorted);
  if (const auto twice = std::ranges::adjacent_find(sorted);
      twice != sorted.end())
    return UsageError(fmt::format("-o {}: named twice", *twice));
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
