// SPDX-License-Identifier: Apache-2.0
#include "report/markdown_code.h"

#include <algorithm>

#include <fmt/format.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/replace_all.h"
#include "heapprof/base/text_columns.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

// Returns the length of the longest run of backticks in `text`.
size_t LongestBackticks(std::string_view text) {
  size_t longest = 0;
  size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

}  // namespace

std::string Code(std::string_view text, size_t longest) {
  const std::string plain = Shortened(ValidUtf8(Printable(text)), longest);
  const std::string mark(LongestBackticks(plain) + 1, '`');
  if (mark.size() > 1) return mark + ' ' + plain + ' ' + mark;
  return mark + plain + mark;
}

std::string CodeInCell(std::string_view text, size_t longest) {
  return ReplaceAll(Code(text, longest), "|", "\\|");
}

std::string CodeBlock(std::string_view lines) {
  const std::string fence(std::max<size_t>(3, LongestBackticks(lines) + 1),
                          '`');
  return fmt::format("{0}\n{1}{0}\n", fence, lines);
}

std::string MarkdownText(std::string_view text) {
  std::string escaped;
  for (const char c : ValidUtf8(Printable(text))) {
    if (std::string_view("\\`*[]<>|&").contains(c)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace heapprof
