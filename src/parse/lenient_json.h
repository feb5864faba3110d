// SPDX-License-Identifier: Apache-2.0
//
// Reads JSON as jemalloc writes it: strings are not escaped, so that a thread
// called  main "q"  appears as  "main "q""  and no JSON parser takes the file.
// Here a quote ends a string only if what follows it can follow a string.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace heapprof {

class LenientJson {
 public:
  explicit LenientJson(std::string_view text) : text_(text) {}

  size_t offset() const { return at_; }
  bool AtEnd() {
    SkipBlanks();
    return at_ == text_.size();
  }
  char Peek() { return AtEnd() ? '\0' : text_[at_]; }
  bool Eat(char expected) {
    if (Peek() != expected) return false;
    ++at_;
    return true;
  }

  std::optional<std::string_view> String() {
    if (!Eat('"')) return std::nullopt;
    const size_t start = at_;
    for (size_t end = text_.find('"', at_); end != text_.npos;
         end = text_.find('"', end + 1)) {
      at_ = end + 1;
      if (std::string_view(",:]}").contains(Peek()) && !AtEnd())
        return text_.substr(start, end - start);
    }
    at_ = text_.size();
    return std::nullopt;
  }

  std::optional<uint64_t> Number() {
    SkipBlanks();
    uint64_t value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] =
        std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || end == text_.data() + text_.size())
      return std::nullopt;
    at_ += static_cast<size_t>(end - begin);
    return value;
  }

  // Passes over one value of any kind.
  bool Skip() {
    size_t depth = 0;
    do {
      const char c = Peek();
      if (c == '"') {
        if (!String()) return false;
      } else if (c == '{' || c == '[') {
        ++at_;
        ++depth;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return false;
        ++at_;
        --depth;
      } else if (depth > 0 && (c == ',' || c == ':')) {
        ++at_;
      } else if (!SkipWord()) {
        return false;
      }
    } while (depth > 0);
    return true;
  }

  // Calls `read(key)` in front of each member's value, which it must consume.
  // False if it returns false or the object is damaged.
  template <typename Read>
  bool Members(Read read) {
    if (!Eat('{')) return false;
    if (Eat('}')) return true;
    do {
      const auto key = String();
      if (!key || !Eat(':') || !read(*key)) return false;
    } while (Eat(','));
    return Eat('}');
  }

  // The same for the elements of an array.
  template <typename Read>
  bool Elements(Read read) {
    if (!Eat('[')) return false;
    if (Eat(']')) return true;
    do {
      if (!read()) return false;
    } while (Eat(','));
    return Eat(']');
  }

 private:
  void SkipBlanks() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
  }
  // A number, true, false or null, with what ends it behind it.
  bool SkipWord() {
    const size_t end = text_.find_first_of(",:]} \t\r\n", at_);
    if (end == text_.npos || end == at_) return false;
    at_ = end;
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace heapprof
