// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/unit_map.h"

#include <algorithm>
#include <utility>

#include "dwarf/map/code_pieces.h"
#include "dwarf/units/padding.h"

namespace heapprof {
namespace {

// Makes segments of pieces and spans, both by address. Called with ascending
// ranges.
class SegmentMaker {
 public:
  SegmentMaker(std::span<const CodePiece> pieces,
               std::span<const LineSpan> spans, std::vector<UnitSegment>& out)
      : pieces_(pieces), spans_(spans), out_(out) {}

  void Fill(const AddressRange& wanted) {
    for (uint64_t at = wanted.start; at < wanted.end;) {
      AddressRange range = {at, wanted.end};
      const CodePiece* piece = Next(pieces_, range);
      const LineSpan* span = Next(spans_, range);
      if (piece != nullptr || span != nullptr)
        Append(range, piece != nullptr ? piece->node : AddressOwners::kNone,
               span != nullptr ? span->row : LinePosition());
      at = range.end;
    }
  }

 private:
  // The first of `items` that ends behind the start of `range`, if it covers
  // that; `range` is cut where that changes.
  template <typename Item>
  static const Item* Next(std::span<const Item>& items, AddressRange& range) {
    while (!items.empty() && items.front().range.end <= range.start)
      items = items.subspan(1);
    if (items.empty() || items.front().range.start >= range.end) return nullptr;
    const AddressRange& next = items.front().range;
    const bool covers = next.start <= range.start;
    range.end = std::min(range.end, covers ? next.end : next.start);
    return covers ? &items.front() : nullptr;
  }

  void Append(const AddressRange& range, uint32_t node,
              const LinePosition& row) {
    if (!out_.empty() && out_.back().range.end == range.start &&
        out_.back().node == node && out_.back().row == row) {
      out_.back().range.end = range.end;
      return;
    }
    UnitSegment& added = out_.emplace_back();
    added.range.start = range.start;
    added.range.end = range.end;
    added.node = node;
    added.row = row;
  }

  std::span<const CodePiece> pieces_;
  std::span<const LineSpan> spans_;
  std::vector<UnitSegment>& out_;
};

// Does without deferred entries where all that has no owner is padding. They
// are most of the unit, and no more than a few units have code there.
class UnitCodeFinder : public CodePieceFinder {
 public:
  // All must outlive this object. `rows` are those of what is wanted.
  UnitCodeFinder(std::span<const AddressRange> wanted,
                 std::span<const LineSpan> rows, const SymbolTable& symbols,
                 const PaddingSearch& find_padding)
      : CodePieceFinder(wanted),
        rows_(rows),
        symbols_(symbols),
        find_padding_(find_padding) {}

  bool IsComplete(std::span<const AddressRange> code) override {
    bool is_complete = symbols_.size() != 0;
    std::vector<AddressRange> padding;
    const auto take = [&](const AddressRange& range, uint64_t end) {
      padding.push_back({range.start, end});
      if (end != range.end) is_complete = false;
    };
    std::vector<AddressRange> cut;
    for (const AddressRange& range : FindUnowned()) {
      if (StartsWanted(range))
        cut.push_back(range);
      else
        take(range, PaddingEnd(range.start, range, rows_, symbols_));
    }
    if (!cut.empty()) {
      // The function in front of these is not wanted, nor are its rows.
      const std::vector<uint64_t> ends = find_padding_(cut, code);
      for (size_t i = 0; i < cut.size(); ++i) take(cut[i], ends[i]);
    }
    if (!is_complete)
      for (const AddressRange& range : padding) Withhold(range);
    return is_complete;
  }

 private:
  std::span<const LineSpan> rows_;
  const SymbolTable& symbols_;
  const PaddingSearch& find_padding_;
};

}  // namespace

UnitMap MapUnit(UnitStore& units, uint32_t unit,
                std::span<const AddressRange> wanted, const ElfImage& binary,
                const SymbolTable& symbols) {
  UnitMap map;
  std::string problem;
  const AbbreviationTable* table = units.Abbreviations(unit, problem);
  if (table != nullptr) {
    map.line_program = units.FindLineProgram(unit, problem);
    std::vector<LineSpan> spans;
    if (map.line_program != nullptr &&
        !map.line_program->FindSpans(binary, wanted, spans))
      map.is_sound = false;
    constexpr uint64_t kBytesPerNode = 256;
    const PaddingSearch find_padding =
        [&](std::span<const AddressRange> ranges,
            std::span<const AddressRange> functions) {
          return FindPadding(ranges, functions, map.line_program, binary,
                             symbols);
        };
    UnitCodeFinder code(wanted, spans, symbols, find_padding);
    code.Reserve((units.unit(unit).end - units.unit(unit).offset) /
                 kBytesPerNode);
    map.scan = ScanUnit(units.reader(unit), *table, binary, &code);
    const std::vector<CodePiece> pieces = code.Find();
    map.nodes = code.TakeNodes();
    if (code.exhausted()) map.is_sound = false;
    SegmentMaker maker(pieces, spans, map.segments);
    for (const AddressRange& range : wanted) maker.Fill(range);
  }
  if (!problem.empty() || !map.scan.problem.empty() ||
      !map.scan.deferred_problem.empty())
    map.is_sound = false;
  return map;
}

}  // namespace heapprof
