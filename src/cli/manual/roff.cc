// SPDX-License-Identifier: Apache-2.0
#include "cli/manual/roff.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

namespace heapprof {
namespace {

using Lines = std::span<const std::string_view>;

size_t IndentOf(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// Returns where the text after a gap of two blanks begins; nothing if there is
// no gap. The gap before the line does not count.
std::optional<size_t> ColumnAfterGap(std::string_view line) {
  const size_t gap = line.find("  ", IndentOf(line));
  if (gap == line.npos) return std::nullopt;
  return line.find_first_not_of(' ', gap);
}

// Returns true if the line is part of a list, an example or a table.
bool IsLaidOut(std::string_view line) {
  return line.starts_with(' ') || ColumnAfterGap(line).has_value();
}

// Returns where the descriptions of a list of terms begin; nothing if the lines
// are something else.
std::optional<size_t> DescriptionColumn(Lines lines) {
  std::optional<size_t> column;
  for (const std::string_view line : lines)
    if (!column) column = ColumnAfterGap(line);
  if (!column || IndentOf(lines.front()) >= *column) return std::nullopt;
  for (const std::string_view line : lines) {
    if (IndentOf(line) == *column) continue;
    const bool is_term = IndentOf(line) == IndentOf(lines.front());
    const auto description = ColumnAfterGap(line);
    // A long term has a line of its own.
    const bool is_alone = !description && line.size() + 2 > *column;
    if (!is_term || (description != column && !is_alone)) return std::nullopt;
  }
  return column;
}

// The first paragraph of a section needs no macro.
void BeginParagraph(std::string& page) {
  const std::string_view written(page);
  const std::string_view before =
      written.substr(0, written.empty() ? 0 : written.size() - 1);
  if (!before.substr(before.rfind('\n') + 1).starts_with(".SH"))
    page += ".PP\n";
}

void AppendList(Lines lines, size_t column, std::string& page) {
  for (const std::string_view line : lines) {
    const size_t indent = IndentOf(line);
    if (indent == column) {
      page += RoffText(line.substr(column)) + '\n';
      continue;
    }
    const bool is_alone = !ColumnAfterGap(line);
    const std::string_view term =
        line.substr(indent, is_alone ? line.npos : column - indent);
    page += fmt::format(
        ".TP\n{}\n", RoffText(term.substr(0, term.find_last_not_of(' ') + 1)));
    if (!is_alone) page += RoffText(line.substr(column)) + '\n';
  }
}

void AppendLiteral(Lines lines, std::string& page) {
  size_t indent = lines.front().size();
  for (const std::string_view line : lines)
    indent = std::min(indent, IndentOf(line));
  BeginParagraph(page);
  page += ".nf\n";
  for (const std::string_view line : lines)
    page += RoffText(line.substr(std::min(indent, line.size()))) + '\n';
  page += ".fi\n";
}

// Appends lines between which there is no empty one, up to the first that is
// laid out in another way. Returns how many.
size_t AppendRun(Lines lines, std::string& page) {
  const bool is_laid_out = IsLaidOut(lines.front());
  const auto end = std::ranges::find_if(lines, [&](std::string_view line) {
    return IsLaidOut(line) != is_laid_out;
  });
  const auto count =
      static_cast<size_t>(std::ranges::distance(lines.begin(), end));
  const Lines run = lines.first(count);
  if (!is_laid_out) {
    BeginParagraph(page);
    for (const std::string_view line : run) page += RoffText(line) + '\n';
  } else if (const auto column = DescriptionColumn(run)) {
    AppendList(run, *column, page);
  } else {
    AppendLiteral(run, page);
  }
  return count;
}

}  // namespace

std::string RoffText(std::string_view text) {
  std::string escaped;
  if (text.starts_with('.') || text.starts_with('\'')) escaped += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        escaped += "\\e";
        break;
      case '-':
        escaped += "\\-";
        break;
      case '\'':
        escaped += "\\(aq";
        break;
      case '`':
        escaped += "\\(ga";
        break;
      case '^':
        escaped += "\\(ha";
        break;
      case '~':
        escaped += "\\(ti";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

void AppendRoffBlocks(std::string_view text, std::string& page) {
  while (!text.empty()) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
      const std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(line.size() + 1, text.size()));
      if (line.empty()) break;
      lines.push_back(line);
    }
    for (Lines rest = lines; !rest.empty();)
      rest = rest.subspan(AppendRun(rest, page));
  }
}

}  // namespace heapprof
