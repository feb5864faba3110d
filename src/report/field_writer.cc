// SPDX-License-Identifier: Apache-2.0
#include "report/field_writer.h"

#include <algorithm>

#include <fmt/core.h>

#include "heapprof/base/char_class.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/text_columns.h"

namespace heapprof {
namespace {

constexpr size_t kFieldIndent = 2;

std::string_view FirstWord(std::string_view text) {
  return text.substr(0, std::min(text.find(' '), text.size()));
}

// True for a unit of bytes, also before a comma or in "MiB/h".
bool StartsWithUnit(std::string_view text) {
  constexpr std::string_view kUnits[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  const size_t letters = static_cast<size_t>(
      std::ranges::find_if_not(text, IsLetter) - text.begin());
  return std::ranges::find(kUnits, text.substr(0, letters)) != std::end(kUnits);
}

// Returns the first words that stay on one line: a word, or an amount with its
// unit and its error.
std::string_view FirstUnbroken(std::string_view text) {
  constexpr std::string_view kError = "±";
  size_t size = FirstWord(text).size();
  for (std::string_view last = text.substr(0, size); size < text.size();) {
    const std::string_view next = FirstWord(text.substr(size + 1));
    const bool stays =
        last == kError || next == kError ||
        (!last.empty() && IsDigit(last.back()) && StartsWithUnit(next));
    if (!stays) break;
    size += 1 + next.size();
    last = next;
  }
  return text.substr(0, size);
}

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
  std::string line = std::string(2 * kFieldIndent, ' ') + Printable(command);
  for (const std::string& argument : arguments) {
    const std::string word = Printable(argument);
    constexpr std::string_view kContinued = " \\";
    if (Columns(line) + 1 + Columns(word) + kContinued.size() > width_) {
      out_ += line + std::string(kContinued) + '\n';
      line.assign(3 * kFieldIndent, ' ');
      line += word;
    } else {
      line += ' ' + word;
    }
  }
  out_ += line + '\n';
}

void FieldWriter::FieldCommand(std::string_view command) {
  out_.append(kFieldIndent + key_width_, ' ');
  out_ += Printable(command) + '\n';
}

// Appends `text` to a line that already has `indent` columns, and ends the
// line. If the text is too long, it continues on lines that are indented by
// `indent` columns.
void FieldWriter::Wrap(std::string_view text, size_t indent) {
  const std::string printable = Printable(text);
  size_t column = indent;
  for (size_t at = 0; at < printable.size();) {
    const std::string_view word =
        FirstUnbroken(std::string_view(printable).substr(at));
    const bool is_first = at == 0;
    at += word.size() + 1;
    if (!is_first && column + 1 + Columns(word) > width_) {
      out_ += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      out_ += ' ';
      ++column;
    }
    out_ += word;
    column += Columns(word);
  }
  out_.resize(out_.find_last_not_of(' ') + 1);
  out_ += '\n';
}

}  // namespace heapprof
