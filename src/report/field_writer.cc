// SPDX-License-Identifier: Apache-2.0
#include "report/field_writer.h"

#include <algorithm>

#include <fmt/core.h>

#include "heapprof/base/printable.h"
#include "heapprof/base/wrapped_text.h"

namespace heapprof {
namespace {

constexpr size_t kFieldIndent = 2;

}  // namespace

void FieldWriter::Line(std::string_view text) {
  out_ += Printable(text) + '\n';
}

void FieldWriter::Field(std::string_view key, std::string_view text) {
  out_ += fmt::format("{:{}}{:{}}", "", kFieldIndent, key, key_width_);
  Wrap(text, kFieldIndent + key_width_);
}

void FieldWriter::Sentence(std::string_view text) {
  out_.append(kFieldIndent, ' ');
  Wrap(text, kFieldIndent);
}

void FieldWriter::Item(std::string_view text) {
  out_.append(kFieldIndent, ' ');
  out_ += "- ";
  Wrap(text, 2 * kFieldIndent);
}

void FieldWriter::Command(std::string_view command,
                          const std::vector<std::string>& arguments) {
  constexpr size_t kIndent = 2 * kFieldIndent;
  std::vector<std::string> parts = {Printable(command)};
  for (const std::string& argument : arguments)
    parts.push_back(Printable(argument));
  for (const std::string& line :
       WrappedCommand(parts, width_ - std::min(width_, kIndent)))
    out_ += std::string(kIndent, ' ') + line + '\n';
}

void FieldWriter::FieldCommand(std::string_view command) {
  out_.append(kFieldIndent + key_width_, ' ');
  out_ += Printable(command) + '\n';
}

// Appends `text` to a line that already has `indent` columns, and ends the
// line. If the text is too long, it continues on lines that are indented by
// `indent` columns.
void FieldWriter::Wrap(std::string_view text, size_t indent) {
  const std::vector<std::string> lines =
      WrappedText(Printable(text), width_ - std::min(width_, indent));
  for (size_t i = 0; i < lines.size(); ++i)
    out_ += (i == 0 ? "" : '\n' + std::string(indent, ' ')) + lines[i];
  out_.resize(out_.find_last_not_of(' ') + 1);
  out_ += '\n';
}

}  // namespace heapprof
