// SPDX-License-Identifier: Apache-2.0
#include "dwarf/unit_map.h"

#include <algorithm>
#include <utility>

namespace heapprof {
namespace {

// Keeps what a walk finds, so that addresses can be asked for when all
// boundaries are known.
class CodeRecorder : public CodeSink {
 public:
  uint32_t AddFunction(const FunctionNode& function,
                       std::span<const AddressRange> ranges) override {
    return Add(function, ranges);
  }
  uint32_t AddInlinedCall(const FunctionNode& call,
                          std::span<const AddressRange> ranges) override {
    return Add(call, ranges);
  }

  std::span<const AddressRange> ranges() const { return ranges_; }

  // Tells `sink` all that was recorded.
  void Replay(CodeSink& sink) const;

 private:
  struct Item {
    FunctionNode node;
    uint32_t range_count = 0;
  };

  uint32_t Add(const FunctionNode& node, std::span<const AddressRange> ranges) {
    items_.push_back({node, static_cast<uint32_t>(ranges.size())});
    ranges_.insert(ranges_.end(), ranges.begin(), ranges.end());
    return static_cast<uint32_t>(items_.size() - 1);
  }

  std::vector<Item> items_;
  std::vector<AddressRange> ranges_;  // of all items, one after the other
};

void CodeRecorder::Replay(CodeSink& sink) const {
  std::vector<uint32_t> numbers;  // of the items, as the sink gave them
  numbers.reserve(items_.size());
  std::span<const AddressRange> rest = ranges_;
  for (const Item& item : items_) {
    const auto ranges = rest.first(item.range_count);
    rest = rest.subspan(item.range_count);
    FunctionNode node = item.node;
    if (node.parent == AddressOwners::kNone) {
      numbers.push_back(sink.AddFunction(node, ranges));
      continue;
    }
    node.parent = numbers[node.parent];
    numbers.push_back(node.parent == AddressOwners::kNone
                          ? AddressOwners::kNone
                          : sink.AddInlinedCall(node, ranges));
  }
}

// Sorts `boundaries`, each once, and keeps those in `claimed`.
void KeepClaimed(std::span<const AddressRange> claimed,
                 std::vector<uint64_t>& boundaries) {
  std::ranges::sort(boundaries);
  const auto end = std::ranges::unique(boundaries).begin();
  auto kept = boundaries.begin();
  auto at = boundaries.begin();
  for (const AddressRange& range : claimed) {
    at = std::lower_bound(at, end, range.start);
    for (; at != end && *at < range.end; ++at) *kept++ = *at;
  }
  boundaries.erase(kept, boundaries.end());
}

bool HaveSameAnswer(const UnitSegment& a, const UnitSegment& b) {
  return a.node == b.node && a.row.found == b.row.found &&
         a.row.file == b.row.file && a.row.line == b.row.line &&
         a.row.column == b.row.column;
}

// Makes segments of the answers at `boundaries`.
void FillSegments(std::span<const AddressRange> claimed,
                  std::span<const uint64_t> boundaries,
                  std::span<const uint32_t> innermost,
                  std::span<const LinePosition> rows, UnitMap& map) {
  auto range = claimed.begin();
  for (size_t i = 0; i < boundaries.size(); ++i) {
    while (range->end <= boundaries[i]) ++range;
    uint64_t end = range->end;
    if (i + 1 < boundaries.size()) end = std::min(end, boundaries[i + 1]);
    const UnitSegment segment = {
        .range = {boundaries[i], end}, .node = innermost[i], .row = rows[i]};
    if (segment.node == AddressOwners::kNone && !segment.row.found) continue;
    if (!map.segments.empty() &&
        map.segments.back().range.end == boundaries[i] &&
        HaveSameAnswer(map.segments.back(), segment))
      map.segments.back().range.end = end;
    else
      map.segments.push_back(segment);
  }
}

}  // namespace

UnitMap MapUnit(UnitStore& units, uint32_t unit,
                std::span<const AddressRange> claimed, const ElfImage& binary) {
  UnitMap map;
  std::string problem;
  const AbbreviationTable* table = units.Abbreviations(unit, problem);
  if (table != nullptr) {
    CodeRecorder code;
    map.scan = ScanUnit(units.reader(unit), *table, binary, &code);
    map.lines = units.Lines(unit, problem);
    std::vector<uint64_t> boundaries;
    boundaries.reserve(2 * code.ranges().size());
    for (const AddressRange& range : code.ranges()) {
      boundaries.push_back(range.start);
      boundaries.push_back(range.end);
    }
    if (map.lines != nullptr) map.lines->FindBoundaries(binary, boundaries);
    for (const AddressRange& range : claimed) boundaries.push_back(range.start);
    KeepClaimed(claimed, boundaries);
    OwnerSink owners(boundaries);
    code.Replay(owners);
    std::vector<LinePosition> rows(boundaries.size());
    if (map.lines != nullptr &&
        !map.lines->FindPositions(boundaries, binary, rows))
      map.is_sound = false;
    map.nodes = owners.TakeNodes();
    FillSegments(claimed, boundaries, owners.TakeInnermost(), rows, map);
    if (owners.exhausted()) map.is_sound = false;
  }
  if (!problem.empty() || !map.scan.problem.empty()) map.is_sound = false;
  return map;
}

}  // namespace heapprof
