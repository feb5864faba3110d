// SPDX-License-Identifier: Apache-2.0
//
// Iterates over the lines of a text without copying.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

namespace heapprof {

class LineCursor {
 public:
  explicit LineCursor(std::string_view text) : text_(text) {}

  // Returns the next line without its "\n" or "\r\n"; nothing at the end of the
  // text.
  std::optional<std::string_view> Next() {
    if (position_ >= text_.size()) return std::nullopt;
    const char* begin = text_.data() + position_;
    const size_t left = text_.size() - position_;
    const void* newline = std::memchr(begin, '\n', left);
    line_offset_ = position_;
    ++line_number_;
    terminated_ = newline != nullptr;
    const size_t length =
        terminated_
            ? static_cast<size_t>(static_cast<const char*>(newline) - begin)
            : left;
    position_ += length + (terminated_ ? 1 : 0);
    std::string_view line(begin, length);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  // Number of the line that Next() returned last.
  size_t line_number() const { return line_number_; }  // from 1
  size_t line_offset() const { return line_offset_; }
  // True if the line that Next() returned last ended in a newline.
  bool terminated() const { return terminated_; }

  // The text that Next() has not returned yet.
  std::string_view rest() const { return text_.substr(position_); }

 private:
  std::string_view text_;
  size_t position_ = 0;
  size_t line_offset_ = 0;
  size_t line_number_ = 0;
  bool terminated_ = true;
};

}  // namespace heapprof
