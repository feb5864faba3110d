// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/disassembly.h"

#include <algorithm>
#include <span>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/base_name.h"
#include "heapprof/base/printable.h"
#include "report/source_text.h"

namespace heapprof {
namespace {

class DisassemblyWriter {
 public:
  DisassemblyWriter(const ListedRoutine& routine, const SourceLines& source,
                    Unit unit, std::string_view columns, size_t width)
      : routine_(routine),
        source_(source),
        unit_(unit),
        columns_(columns),
        width_(width) {}

  std::string Write() && {
    out_ = RoutineLine(routine_.name, routine_.binary, width_);
    AppendFormat(out_, "{:>6} {:>6} {} ({}) {:.1f}% of total\n",
                 FormatValue(routine_.flat, unit_),
                 FormatValue(routine_.cumulative, unit_), UnitName(unit_),
                 columns_, routine_.percent);
    const InstructionBlock* last = nullptr;
    for (const InstructionBlock& block : routine_.blocks) {
      if (!block.places.empty() && (last == nullptr || !IsNear(*last, block)))
        WriteContext(block.places);
      if (!block.places.empty()) WriteSource(block);
      for (const ListedInstruction& instruction : block.instructions)
        WriteInstruction(instruction);
      last = &block;
    }
    return WithLinesCut(out_, width_);
  }

 private:
  std::string_view String(StringId id) const {
    return routine_.strings.Get(id);
  }
  std::string Value(double value) const {
    return value == 0 ? "." : FormatValue(value, unit_);
  }

  // True if the blocks have the same file, function and inlined calls; only
  // their source lines may differ. The second block then needs no heading of
  // its own.
  static bool IsNear(const InstructionBlock& a, const InstructionBlock& b) {
    if (a.places.size() != b.places.size()) return false;
    return a.places.front().file == b.places.front().file &&
           a.places.front().function == b.places.front().function &&
           std::ranges::equal(std::span(a.places).subspan(1),
                              std::span(b.places).subspan(1));
  }

  void WriteContext(const std::vector<CodePlace>& places) {
    const std::string_view file = String(places.front().file);
    AppendFormat(out_, "-------------------- {}",
                 file.empty() ? "??" : Printable(file));
    for (size_t i = 1; i < places.size(); ++i) {
      const std::string_view caller = BaseName(String(places[i].file));
      out_ += i == 1 ? fmt::format(" ({} inlined at ",
                                   Printable(String(places.front().function)))
                     : ", from ";
      AppendFormat(out_, "{}:{}", caller.empty() ? "??" : Printable(caller),
                   places[i].line);
    }
    out_ += places.size() > 1 ? ")\n" : "\n";
  }

  // Writes the source line of the block; nothing if the compiler gave no line
  // number.
  void WriteSource(const InstructionBlock& block) {
    const CodePlace& place = block.places.front();
    if (place.line == 0) return;
    const auto& lines = source_(std::string(String(place.file)));
    std::string text;
    if (place.line <= lines.size())
      text = Printable(WithoutTabs(lines[place.line - 1]));
    text.erase(0, text.find_first_not_of(' '));
    AppendFormat(out_, "{:>6} {:>6} {:>5}:{}{}\n", Value(block.flat),
                 Value(block.cumulative), place.line, text.empty() ? "" : " ",
                 text);
  }

  void WriteInstruction(const ListedInstruction& instruction) {
    AppendFormat(out_, "{:>6} {:>6}    {:8x}: {}\n", Value(instruction.flat),
                 Value(instruction.cumulative), instruction.address,
                 Printable(instruction.text));
  }

  const ListedRoutine& routine_;
  const SourceLines& source_;
  const Unit unit_;
  const std::string_view columns_;
  const size_t width_;
  std::string out_;
};

}  // namespace

std::string WriteDisassembly(const ListedRoutine& routine,
                             const SourceLines& source, Unit unit,
                             bool is_terminal, size_t width) {
  return DisassemblyWriter(
             routine, source, unit,
             is_terminal ? "self / with callees" : "flat, cumulative", width)
      .Write();
}

}  // namespace heapprof
