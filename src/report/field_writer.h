// SPDX-License-Identifier: Apache-2.0
//
// Formats text for people: fields of the form "key  text", sentences, lists and
// commands, wrapped to a width.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// Returns the width of prose on a terminal of `columns` characters, or in a
// file if it is 0. It is limited because long lines are hard to read.
inline size_t ProseWidth(size_t columns) {
  constexpr size_t kUsual = 80, kWidest = 100;
  return columns == 0 ? kUsual : std::min(columns, kWidest);
}

class FieldWriter {
 public:
  // `width` is in characters; 0 = no limit. `key_width` is the width of the
  // column of keys in Field().
  explicit FieldWriter(size_t width, size_t key_width = 18)
      : width_(width == 0 ? std::numeric_limits<size_t>::max() : width),
        key_width_(key_width) {}

  // Writes a line without wrapping it. This function and those below replace
  // control characters by "?".
  void Line(std::string_view text);
  // Writes "  key   text". Breaks long lines between words, but not within an
  // amount such as "1.2 ± 0.3 MiB"; a word that is longer than a line, such as
  // a path, stays whole.
  void Field(std::string_view key, std::string_view text);
  // These functions write "text", "  text" and "  - text", and break long lines
  // as Field() does.
  void Paragraph(std::string_view text) { Wrap(text, 0); }
  void Sentence(std::string_view text);
  void Item(std::string_view text);
  // Writes a shell command on a line of its own. A long command continues on
  // further lines, after a backslash between two arguments.
  void Command(std::string_view command,
               const std::vector<std::string>& arguments = {});
  // Writes a shell command below the text of Field(), on one line.
  void FieldCommand(std::string_view command);
  void Blank() { out_ += '\n'; }

  std::string Finish() && { return std::move(out_); }

 private:
  void Wrap(std::string_view text, size_t indent);

  size_t width_;
  size_t key_width_;
  std::string out_;
};

}  // namespace heapprof
