// SPDX-License-Identifier: Apache-2.0
#include "report/source_text.h"

#include <algorithm>

#include "heapprof/base/printable.h"
#include "heapprof/base/split.h"
#include "heapprof/base/text_columns.h"
#include "report/fit_name.h"

namespace heapprof {
namespace {

// The end of a function is searched for in at most this many lines. There is a
// limit because the file may not be the source of the function at all.
constexpr size_t kMaxLinesAfter = 500;

size_t Indentation(std::string_view line) {
  const size_t indentation = line.find_first_not_of(" \t\r");
  return indentation == line.npos ? line.size() : indentation;
}

bool IsBlank(std::string_view line) { return Indentation(line) == line.size(); }

// Guesses the last line of a function, because debug information does not state
// it. A function continues as long as lines are indented more than its first
// line, and it includes the "}" after them. `last` is the last line that is
// known to be in the function.
size_t EndOf(std::span<const std::string_view> source, size_t first,
             size_t last) {
  const size_t indentation = Indentation(source[first - 1]);
  const size_t limit = std::min(source.size(), last + kMaxLinesAfter);
  size_t end = last;
  for (size_t number = last + 1; number <= limit; ++number) {
    const std::string_view line = source[number - 1];
    if (IsBlank(line)) continue;
    const size_t depth = Indentation(line);
    if (depth > indentation) {
      end = number;
    } else {
      return depth == indentation && line[depth] == '}' ? number : end;
    }
  }
  return end;
}

}  // namespace

SourceRange SourceRangeOf(const ListedFunction& function,
                          std::span<const std::string_view> source) {
  const auto known = std::ranges::find_if(
      function.lines, [](const ListedLine& line) { return line.line != 0; });
  if (known == function.lines.end()) return {};
  SourceRange range = {.first = known->line,
                       .last = function.lines.back().line};
  if (function.start_line != 0 && function.start_line < range.first)
    range.first = function.start_line;
  if (range.last <= source.size())
    range.last = EndOf(source, range.first, range.last);
  return range;
}

std::string RoutineLine(std::string_view name, std::string_view file,
                        size_t width) {
  const std::string where = file.empty() ? "" : " in " + Printable(file);
  std::string line =
      "ROUTINE ====================== " + Printable(name) + where;
  if (width == 0 || Columns(line) <= width) return line + '\n';
  line = "ROUTINE ";
  const std::string path =
      file.empty() ? "" : " in " + FitPath(file, width / 3);
  line += FitName(name, Columns(line) + Columns(path), width);
  return line + path + '\n';
}

std::string WithLinesCut(std::string_view text, size_t width) {
  if (width == 0) return std::string(text);
  if (text.ends_with('\n')) text.remove_suffix(1);
  std::string cut;
  for (const std::string_view line : Split(text, '\n')) {
    if (Columns(line) <= width) {
      cut += line;
    } else {
      cut += FirstColumns(line, width - 1);
      cut += "…";
    }
    cut += '\n';
  }
  return cut;
}

std::string WithoutTabs(std::string_view line) {
  constexpr size_t kTabWidth = 8;
  std::string text;
  for (const char c : line)
    if (c == '\t')
      text.append(kTabWidth - text.size() % kTabWidth, ' ');
    else
      text += c;
  return text;
}

}  // namespace heapprof
