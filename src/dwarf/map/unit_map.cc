// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/unit_map.h"

#include <algorithm>

#include "dwarf/map/inline_ranges.h"
#include "dwarf/units/padding.h"

namespace heapprof {
namespace {

// Combines inline ranges and line spans into rows. Both must be sorted by
// address. Call Fill() with ascending ranges.
class UnitMapRowMaker {
 public:
  UnitMapRowMaker(std::span<const InlineRange> inline_ranges,
                  std::span<const LineSpan> spans, std::vector<UnitMapRow>& out)
      : inline_ranges_(inline_ranges), spans_(spans), out_(out) {}

  void Fill(const AddressRange& wanted) {
    for (uint64_t at = wanted.start; at < wanted.end;) {
      AddressRange range = {at, wanted.end};
      const InlineRange* inline_range = Next(inline_ranges_, range);
      const LineSpan* span = Next(spans_, range);
      if (inline_range != nullptr || span != nullptr)
        Append(range,
               inline_range != nullptr ? inline_range->node
                                       : InnermostFunctions::kNone,
               span != nullptr ? span->row : LinePosition());
      at = range.end;
    }
  }

 private:
  // Returns the item that covers the start of `range`; nullptr if there is
  // none. Shortens `range` so that this answer is right for all of it. Removes
  // the items that end before `range` from `items`.
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
              const LinePosition& line_row) {
    if (!out_.empty() && out_.back().range.end == range.start &&
        out_.back().node == node && out_.back().line_row == line_row) {
      out_.back().range.end = range.end;
      return;
    }
    UnitMapRow& added = out_.emplace_back();
    added.range.start = range.start;
    added.range.end = range.end;
    added.node = node;
    added.line_row = line_row;
  }

  std::span<const InlineRange> inline_ranges_;
  std::span<const LineSpan> spans_;
  std::vector<UnitMapRow>& out_;
};

// Decides whether the DIEs that the scan has skipped (see unit_scan.h) must be
// read, too. That is not necessary if all code without a function is padding
// (see padding.h). This check saves time, because most DIEs of a unit are
// skipped, and they rarely have code.
class UnitInlineRangeFinder : public InlineRangeFinder {
 public:
  // All arguments must outlive this object. `rows` are the line rows of
  // `wanted`.
  UnitInlineRangeFinder(std::span<const AddressRange> wanted,
                        std::span<const LineSpan> rows,
                        const SymbolTable& symbols,
                        const PaddingSearch& find_padding)
      : InlineRangeFinder(wanted),
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
    std::vector<AddressRange> at_start;
    for (const AddressRange& range : FindUncovered()) {
      if (StartsWanted(range))
        at_start.push_back(range);
      else
        take(range, PaddingEnd(range.start, range, rows_, symbols_));
    }
    if (!at_start.empty()) {
      // The function before each of these ranges is not in the wanted code, so
      // the line rows of that function are not in `rows_`.
      const std::vector<uint64_t> ends = find_padding_(at_start, code);
      for (size_t i = 0; i < at_start.size(); ++i) take(at_start[i], ends[i]);
    }
    if (!is_complete)
      for (const AddressRange& range : padding) Exclude(range);
    return is_complete;
  }
  bool HasAllCode() const override { return FindUncovered().empty(); }

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
      map.is_complete = false;
    constexpr uint64_t kBytesPerNode = 256;
    const PaddingSearch find_padding =
        [&](std::span<const AddressRange> ranges,
            std::span<const AddressRange> functions) {
          return FindPadding(ranges, functions, map.line_program, binary,
                             symbols);
        };
    UnitInlineRangeFinder code(wanted, spans, symbols, find_padding);
    code.Reserve((units.unit(unit).end - units.unit(unit).offset) /
                 kBytesPerNode);
    map.scan = ScanUnit(units.reader(unit), *table, binary, &code);
    const std::vector<InlineRange> inline_ranges = code.Find();
    map.nodes = code.TakeNodes();
    if (code.exhausted()) map.is_complete = false;
    UnitMapRowMaker maker(inline_ranges, spans, map.rows);
    for (const AddressRange& range : wanted) maker.Fill(range);
  }
  if (!problem.empty() || !map.scan.problem.empty() ||
      !map.scan.skipped_problem.empty())
    map.is_complete = false;
  return map;
}

}  // namespace heapprof
