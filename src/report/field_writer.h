// SPDX-License-Identifier: Apache-2.0
//
// Lines of "key  text" for people, wrapped to a width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

class FieldWriter {
 public:
  explicit FieldWriter(size_t width) : width_(width) {}

  // A line of its own, not wrapped. Control characters become "?", as in all
  // that follows.
  void Line(std::string_view text);
  // "  key   text", broken between words where it is longer than a line. A
  // word that is longer than a line, such as a path, stays whole.
  void Field(std::string_view key, std::string_view text);
  // "text", "  text" and "  - text", the same way.
  void Paragraph(std::string_view text) { Wrap(text, 0); }
  void Sentence(std::string_view text);
  void Item(std::string_view text);
  // On lines of their own, for a shell: breaks between arguments are escaped.
  void Command(std::string_view command,
               const std::vector<std::string>& arguments = {});
  void Blank() { out_ += '\n'; }

  std::string Finish() && { return std::move(out_); }

 private:
  void Wrap(std::string_view text, size_t indent);

  size_t width_;
  std::string out_;
};

}  // namespace heapprof
