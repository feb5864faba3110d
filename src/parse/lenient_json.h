// SPDX-License-Identifier: Apache-2.0
//
// Reads JSON as jemalloc writes it. jemalloc does not escape strings: if a
// thread is called `main "q"`, jemalloc writes `"main "q""`, which no JSON
// parser accepts. Here, a quote ends a string only if the text after the quote
// can follow a string in JSON.
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

  // Skips one value of any kind.
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

  // Calls `read(key)` for each member of an object; `read` must consume the
  // member's value. Returns false if a call returns false or if the object is
  // damaged.
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

  // Calls `read()` for each element of an array; `read` must consume the
  // element. Returns false if a call returns false or if the array is damaged.
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
  // Skips a number, true, false or null. Returns false if the text ends there,
  // because the word may then be incomplete.
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
