// SPDX-License-Identifier: Apache-2.0
#include "report/stack_lines.h"

#include <algorithm>
#include <set>
#include <utility>

#include "heapprof/base/text_columns.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

constexpr size_t kUsualLines = 2, kMostLines = 8;

}  // namespace

std::vector<std::string> StackLines(std::span<const std::string> frames,
                                    size_t columns, size_t most) {
  constexpr size_t kMark = 2;  // " <" after a name, and " …" after that
  constexpr size_t kLeast = 8;
  const size_t room = std::max(columns, kLeast) - kMark;
  std::vector<std::string> lines = {""};
  for (size_t i = 0; i < frames.size(); ++i) {
    std::string next = FitFunction(frames[i], room - kMark);
    if (i + 1 < frames.size()) next += " <";
    std::string& line = lines.back();
    if (line.empty()) {
      line = std::move(next);
    } else if (Columns(line) + 1 + Columns(next) <= room) {
      line += ' ' + next;
    } else if (lines.size() < most) {
      lines.push_back(std::move(next));
    } else {
      line += " …";
      break;
    }
  }
  return lines;
}

std::string StackLine(std::span<const std::string> frames, size_t columns) {
  return StackLines(frames, columns, 1).front();
}

std::vector<std::vector<std::string>> DistinctStackLines(
    std::span<const std::vector<std::string>> stacks, size_t columns) {
  std::vector<std::vector<std::string>> usual;
  for (size_t most = kUsualLines; most <= kMostLines; ++most) {
    std::vector<std::vector<std::string>> lines;
    for (const auto& frames : stacks)
      lines.push_back(StackLines(frames, columns, most));
    const bool is_distinct =
        std::set(lines.begin(), lines.end()).size() == lines.size();
    if (is_distinct) return lines;
    if (usual.empty()) usual = std::move(lines);
  }
  return usual;
}

}  // namespace heapprof
