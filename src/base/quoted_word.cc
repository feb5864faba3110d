// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/quoted_word.h"

#include <algorithm>

#include <fmt/format.h>

namespace heapprof {
namespace {

bool IsControl(char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }

// Quotes `text` as bash, zsh and ksh read it, without control characters, so
// that it can be copied from a terminal.
std::string EscapedWord(std::string_view text) {
  std::string word = "$'";
  for (const char c : text) {
    if (c == '\n')
      word += "\\n";
    else if (IsControl(c))
      word += fmt::format("\\{:03o}", int{c});
    else if (c == '\'' || c == '\\')
      (word += '\\') += c;
    else
      word += c;
  }
  return word + "'";
}

// Returns the size of the first word of `command`.
size_t SizeOfWord(std::string_view command) {
  bool is_quoted = false;
  bool has_escapes = true;  // of the current part of the word
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && has_escapes) {
      ++i;
    } else if (c == '\'') {
      is_quoted = !is_quoted;
      has_escapes = !is_quoted || command.substr(0, i).ends_with('$');
    } else if (c == ' ' && !is_quoted) {
      return i;
    }
  }
  return command.size();
}

}  // namespace

std::string QuotedWord(std::string_view text) {
  constexpr std::string_view kHarmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      "_-+=:,./@%";
  if (!text.empty() && text.find_first_not_of(kHarmless) == text.npos)
    return std::string(text);
  if (std::ranges::any_of(text, IsControl)) return EscapedWord(text);
  std::string word = "'";
  for (const char c : text) {
    if (c == '\'')
      word += "'\\''";
    else
      word += c;
  }
  return word + "'";
}

std::vector<std::string> QuotedWords(std::string_view command) {
  std::vector<std::string> words;
  while (!command.empty()) {
    const size_t size = SizeOfWord(command);
    words.emplace_back(command.substr(0, size));
    command.remove_prefix(std::min(size + 1, command.size()));
  }
  return words;
}

}  // namespace heapprof
