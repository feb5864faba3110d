// SPDX-License-Identifier: Apache-2.0
#include "check/dotted_keys.h"

#include <algorithm>

namespace heapprof {
namespace {

// Returns the length of the string at the start of `text`, with its quotes.
size_t StringLength(std::string_view text) {
  const char quote = text.front();
  const bool has_escapes = quote == '"';
  const std::string_view three = quote == '"' ? "\"\"\"" : "'''";
  const bool is_long = text.starts_with(three);
  const std::string_view end = is_long ? three : three.substr(0, 1);
  for (size_t at = end.size(); at < text.size(); ++at) {
    if (has_escapes && text[at] == '\\') {
      ++at;
    } else if (text.substr(at).starts_with(end)) {
      at += end.size();
      // A long string may end with up to two quotes of its own.
      for (int i = 0; is_long && i < 2; ++i)
        if (text.substr(at).starts_with(quote)) ++at;
      return at;
    }
  }
  return text.size();
}

}  // namespace

std::optional<size_t> LineOfManyDots(std::string_view toml, size_t most) {
  size_t line = 1;
  size_t dots = 0;
  for (size_t at = 0; at < toml.size();) {
    const std::string_view rest = toml.substr(at);
    size_t length = 1;
    if (rest.starts_with('"') || rest.starts_with('\''))
      length = StringLength(rest);
    else if (rest.starts_with('#'))
      length = std::min(rest.find('\n'), rest.size());
    else if (rest.starts_with('.') && ++dots > most)
      return line;
    const std::string_view read = rest.substr(0, length);
    const auto lines = std::ranges::count(read, '\n');
    if (lines > 0) dots = 0;
    line += static_cast<size_t>(lines);
    at += length;
  }
  return std::nullopt;
}

}  // namespace heapprof
