// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/wrapped_text.h"

#include <algorithm>
#include <iterator>

#include "heapprof/base/char_class.h"
#include "heapprof/base/text_columns.h"

namespace heapprof {
namespace {

std::string_view FirstWord(std::string_view text) {
  return text.substr(0, std::min(text.find(' '), text.size()));
}

// True for a unit of bytes, also before a comma or in "MiB/h".
bool StartsWithUnit(std::string_view text) {
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  const size_t letters = static_cast<size_t>(
      std::ranges::find_if_not(text, IsLetter) - text.begin());
  return std::ranges::find(kUnits, text.substr(0, letters)) != std::end(kUnits);
}

// Returns the first words that stay on one line: a word, or an amount with its
// unit and its error.
std::string_view FirstUnbroken(std::string_view text) {
  constexpr std::string_view kError = "±";
  size_t size = FirstWord(text).size();
  for (std::string_view last = text.substr(0, size); size < text.size();) {
    const std::string_view next = FirstWord(text.substr(size + 1));
    const bool stays =
        last == kError || next == kError ||
        (!last.empty() && IsDigit(last.back()) && StartsWithUnit(next));
    if (!stays) break;
    size += 1 + next.size();
    last = next;
  }
  return text.substr(0, size);
}

}  // namespace

std::vector<std::string> WrappedText(std::string_view text, size_t columns) {
  std::vector<std::string> lines(1);
  size_t used = 0;
  for (size_t at = 0; at < text.size();) {
    const std::string_view word = FirstUnbroken(text.substr(at));
    const bool is_first = at == 0;
    at += word.size() + 1;
    if (!is_first && used + 1 + Columns(word) > columns) {
      lines.emplace_back();
      used = 0;
    } else if (!is_first) {
      lines.back() += ' ';
      ++used;
    }
    lines.back() += word;
    used += Columns(word);
  }
  return lines;
}

std::vector<std::string> WrappedCommand(std::span<const std::string> parts,
                                        size_t columns) {
  constexpr std::string_view kContinued = " \\", kIndent = "  ";
  std::vector<std::string> lines(1);
  for (size_t i = 0; i < parts.size(); ++i) {
    std::string& line = lines.back();
    const size_t after = i + 1 < parts.size() ? kContinued.size() : 0;
    if (i == 0) {
      line = parts[i];
    } else if (Columns(line) + 1 + Columns(parts[i]) + after > columns) {
      line += kContinued;
      lines.push_back(std::string(kIndent) + parts[i]);
    } else {
      line += ' ' + parts[i];
    }
  }
  return lines;
}

}  // namespace heapprof
