// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/padding.h"

#include <algorithm>
#include <optional>

namespace heapprof {
namespace {

// Returns, for each of `ranges`, the end of the last code before it; 0 if there
// is no code before it.
std::vector<uint64_t> CodeEndsBefore(std::span<const AddressRange> ranges,
                                     std::span<const AddressRange> code) {
  std::vector<uint64_t> ends;
  ends.reserve(code.size());
  for (const AddressRange& range : code) ends.push_back(range.end);
  std::ranges::sort(ends);
  std::vector<uint64_t> found;
  for (const AddressRange& range : ranges) {
    const auto after = std::ranges::upper_bound(ends, range.start);
    found.push_back(after == ends.begin() ? 0 : *(after - 1));
  }
  return found;
}

// Returns the code whose line rows are needed to recognize padding: each of
// `ranges`, extended down to the last byte of the function before it.
std::vector<AddressRange> RowsWanted(std::span<const AddressRange> ranges,
                                     std::span<const uint64_t> code_ends) {
  std::vector<AddressRange> wanted;
  for (size_t i = 0; i < ranges.size(); ++i) {
    if (code_ends[i] == 0) continue;
    const uint64_t start = code_ends[i] - 1;
    if (!wanted.empty() && start <= wanted.back().end)
      wanted.back().end = ranges[i].end;
    else
      wanted.push_back({start, ranges[i].end});
  }
  return wanted;
}

// Returns the end of a symbol that is a thunk; else 0.
uint64_t ThunkEnd(const Symbol& symbol) {
  // "_ZTh", "_ZTv" and "_ZTc" in the C++ ABI for Itanium, 5.1.4.1
  const bool is_thunk = symbol.name.starts_with("_ZTh") ||
                        symbol.name.starts_with("_ZTv") ||
                        symbol.name.starts_with("_ZTc");
  return is_thunk ? symbol.address + symbol.size : 0;
}

// Returns the end of the code at the start of `range` that has the line row of
// the code that ends at `code_end`, up to the first symbol.
uint64_t RowEnd(uint64_t code_end, const AddressRange& range,
                std::span<const LineSpan> rows, const SymbolTable& symbols) {
  const auto row = std::ranges::upper_bound(
      rows, range.start, {}, [](const LineSpan& r) { return r.range.end; });
  if (row == rows.end() || row->range.start >= code_end) return range.start;
  const uint64_t end = std::min(range.end, row->range.end);
  const std::span<const Symbol> starting = symbols.StartingIn(code_end, end);
  return starting.empty() ? end
                          : std::max(range.start, starting.front().address);
}

}  // namespace

uint64_t PaddingEnd(uint64_t code_end, const AddressRange& range,
                    std::span<const LineSpan> rows,
                    const SymbolTable& symbols) {
  // Without symbols, nothing counts as padding. A line row that continues after
  // a function does not prove padding, because one row may cover two functions.
  if (symbols.size() == 0) return range.start;
  uint64_t at = range.start;
  if (const auto before = symbols.StartingIn(code_end, at); !before.empty())
    code_end = std::max(code_end, std::min(at, ThunkEnd(before.back())));
  while (true) {
    at = RowEnd(code_end, {at, range.end}, rows, symbols);
    const std::optional<Symbol> symbol =
        at < range.end ? symbols.Find(at) : std::nullopt;
    if (!symbol || ThunkEnd(*symbol) <= at) return at;
    code_end = std::min(range.end, ThunkEnd(*symbol));
    at = code_end;
  }
}

std::vector<uint64_t> FindPadding(std::span<const AddressRange> ranges,
                                  std::span<const AddressRange> code,
                                  const LineProgram* line_program,
                                  const ElfImage& binary,
                                  const SymbolTable& symbols) {
  std::vector<uint64_t> ends;
  for (const AddressRange& range : ranges) ends.push_back(range.start);
  if (symbols.size() == 0 || line_program == nullptr) return ends;
  const std::vector<uint64_t> code_ends = CodeEndsBefore(ranges, code);
  std::vector<LineSpan> rows;
  if (!line_program->FindSpans(binary, RowsWanted(ranges, code_ends), rows))
    return ends;
  for (size_t i = 0; i < ranges.size(); ++i)
    if (code_ends[i] != 0)
      ends[i] = PaddingEnd(code_ends[i], ranges[i], rows, symbols);
  return ends;
}

}  // namespace heapprof
