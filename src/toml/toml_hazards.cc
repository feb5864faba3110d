// SPDX-License-Identifier: Apache-2.0
#include "toml/toml_hazards.h"

#include <algorithm>
#include <string>

#include "heapprof/base/byte_order_mark.h"
#include "heapprof/base/char_class.h"

namespace heapprof {
namespace {

bool StartsWithNonAscii(std::string_view text) {
  return !text.empty() && static_cast<unsigned char>(text.front()) >= 0x80;
}

// True if `text` begins with the bracket of a table's header, and neither a key
// nor the end of the header follows.
bool LacksKeyOfHeader(std::string_view text) {
  if (!text.starts_with('[')) return false;
  text.remove_prefix(text.starts_with("[[") ? 2 : 1);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  constexpr std::string_view kAllowed =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-\"']";
  return !text.empty() && !kAllowed.contains(text.front());
}

// True if `text` begins with a space and a word that is a single digit.
bool HasDigitAlone(std::string_view text) {
  constexpr std::string_view kEndOfWord = " \t\n\v\f\r,]}#";
  return text.size() > 2 && text[0] == ' ' && IsDigit(text[1]) &&
         kEndOfWord.contains(text[2]);
}

class Scanner {
 public:
  explicit Scanner(std::string_view toml) : rest_(WithoutByteOrderMark(toml)) {}

  std::optional<TomlHazard> Scan() {
    while (!rest_.empty() && hazard_.empty()) {
      if (rest_.starts_with('"') || rest_.starts_with('\''))
        SkipString();
      else if (rest_.starts_with('#'))
        Skip(std::min(rest_.find('\n'), rest_.size()));
      else
        SkipPlain();
    }
    if (hazard_.empty()) return std::nullopt;
    return TomlHazard{line_, hazard_};
  }

 private:
  void Skip(size_t length) {
    const auto lines = std::ranges::count(rest_.substr(0, length), '\n');
    if (lines > 0) {
      // A key cannot continue on the next line, a value only in brackets.
      dots_ = 0;
      in_word_ = false;
      in_value_ = in_value_ && !brackets_.empty();
    }
    line_ += static_cast<size_t>(lines);
    rest_.remove_prefix(std::min(length, rest_.size()));
  }

  void SkipPlain() {
    if (rest_.starts_with('.') && ++dots_ > kMostTomlDots)
      hazard_ = "keys with at most 16 dots";
    else if (StartsWithNonAscii(rest_))
      hazard_ = "only ASCII outside of strings and comments";
    else if (!in_value_ && brackets_.empty() && LacksKeyOfHeader(rest_))
      hazard_ = "a key after '['";
    else if (in_word_ && HasDigitAlone(rest_))
      hazard_ = "no digit alone after a value";
    else if (ClosesAnother(rest_.front()))
      hazard_ = "brackets in pairs";
    else
      NotePlain(rest_.front());
    if (hazard_.empty()) Skip(1);
  }

  // True if `c` closes a bracket, but another kind has been opened last.
  bool ClosesAnother(char c) const {
    return (c == '}' && brackets_.ends_with('[')) ||
           (c == ']' && brackets_.ends_with('{'));
  }

  // Keeps track of whether the next character is in a key or in a value, and
  // whether it continues a word of the value, such as a number.
  void NotePlain(char c) {
    const bool closes = c == ']' || c == '}';
    if (std::string_view(" \t\r\n").contains(c)) {
      in_word_ = false;
    } else if (!in_value_) {
      in_value_ = c == '=' || (closes && !brackets_.empty());
      if (closes && in_value_) brackets_.pop_back();
    } else if (closes || c == ',') {
      if (closes && !brackets_.empty()) brackets_.pop_back();
      in_word_ = false;
      in_value_ = closes || !brackets_.ends_with('{');
    } else if (!in_word_ && (c == '[' || c == '{')) {
      brackets_ += c;
      in_value_ = c == '[';
    } else {
      in_word_ = true;
    }
  }

  void SkipString() {
    if (in_value_ && in_word_) {
      hazard_ = "no quote inside a value";
      return;
    }
    const bool has_escapes = rest_.front() == '"';
    const std::string_view three = has_escapes ? "\"\"\"" : "'''";
    const bool is_long = rest_.starts_with(three);
    const std::string_view end = is_long ? three : three.substr(0, 1);
    Skip(end.size());
    while (!rest_.empty() && !rest_.starts_with(end)) {
      if (has_escapes && rest_.starts_with('\\'))
        SkipEscape();
      else
        Skip(1);
      if (!hazard_.empty()) return;
    }
    Skip(end.size());
    // A long string may end with up to two quotes of its own.
    for (int i = 0; is_long && i < 2; ++i)
      if (rest_.starts_with(end.front())) Skip(1);
  }

  // Skips a backslash and what it escapes, which is all white space at the end
  // of a line.
  void SkipEscape() {
    Skip(1);
    const size_t blanks =
        std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size());
    if (StartsWithNonAscii(rest_.substr(blanks)))
      hazard_ = "ASCII after a backslash";
    else
      Skip(std::max<size_t>(blanks, 1));
  }

  std::string_view rest_;
  size_t line_ = 1;
  size_t dots_ = 0;  // of this line, outside of strings and comments
  bool in_value_ = false;
  bool in_word_ = false;
  std::string brackets_;  // of the value that are open
  std::string_view hazard_;
};

}  // namespace

std::optional<TomlHazard> FindTomlHazard(std::string_view toml) {
  return Scanner(toml).Scan();
}

}  // namespace heapprof
