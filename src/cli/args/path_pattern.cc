// SPDX-License-Identifier: Apache-2.0
#include "cli/args/path_pattern.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "cli/args/usage_error.h"

namespace heapprof {
namespace {

constexpr std::array<std::pair<std::string_view, PathPart>, 4> kWords = {{
    {"{name}", PathPart::kName},
    {"{folder}", PathPart::kFolder},
    {"{pid}", PathPart::kProcess},
    {"{seq}", PathPart::kSequence},
}};

}  // namespace

Result<std::vector<PathPiece>> ParsePathPattern(const std::string& path) {
  std::vector<PathPiece> pieces;
  std::string_view rest = path;
  while (!rest.empty()) {
    const auto* const word = std::ranges::find_if(
        kWords,
        [&rest](const auto& entry) { return rest.starts_with(entry.first); });
    if (word != kWords.end()) {
      pieces.push_back({word->second, ""});
      rest.remove_prefix(word->first.size());
      continue;
    }
    if (rest.front() == '{' || rest.front() == '}')
      return UsageError(fmt::format(
          "-o {}: with --each, braces contain name, folder, pid or seq", path));
    const std::string_view text = rest.substr(0, rest.find_first_of("{}"));
    pieces.push_back({PathPart::kText, std::string(text)});
    rest.remove_prefix(text.size());
  }
  if (pieces.empty()) return UsageError("-o: the path is empty");
  return pieces;
}

}  // namespace heapprof
