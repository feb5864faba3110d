// SPDX-License-Identifier: Apache-2.0
#include "dwarf/code_map_builder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dwarf/answer_builder.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// Units are read until they take this much of .debug_info: what is kept of
// one until it is merged takes about as much memory.
constexpr uint64_t kBatchBytes = 16 << 20;
constexpr size_t kBatchUnits = 256;

constexpr uint32_t kNotDescribed = UINT32_MAX;

// The end of the batch of shares that starts at `first`.
size_t BatchEnd(const UnitStore& units,
                std::span<const UnitClaims::Share> shares, size_t first) {
  uint64_t bytes = 0;
  size_t end = first;
  while (end < shares.size() && end - first < kBatchUnits &&
         bytes < kBatchBytes) {
    const CompilationUnit& unit = units.unit(shares[end].unit);
    bytes += unit.end - unit.offset;
    ++end;
  }
  return end;
}

}  // namespace

bool CodeMapBuilder::AddUnits(UnitStore& units) {
  if (!units.CanReadAllLines()) return false;
  FunctionDescriber describer(units, symbols_);
  groups_.clear();
  const std::vector<UnitClaims::Share> shares = units.claims().Shares();
  for (size_t first = 0; first < shares.size();) {
    const size_t end = BatchEnd(units, shares, first);
    std::vector<Part> parts(end - first);
    ForEach(parts.size(), jobs_, [&](size_t i) {
      parts[i].unit = shares[first + i].unit;
      parts[i].map =
          MapUnit(units, parts[i].unit, shares[first + i].ranges, binary_);
    });
    for (Part& part : parts) {
      if (!part.map.is_sound) return false;
      units.PutScan(part.unit, std::move(part.map.scan));
      Possess(part);
    }
    ForEach(parts.size(), jobs_,
            [&](size_t i) { Describe(units, describer, parts[i]); });
    for (const Part& part : parts) Merge(part);
    first = end;
  }
  return true;
}

// Takes the code that no unit before has a function for.
void CodeMapBuilder::Possess(Part& part) {
  part.is_used.resize(part.map.nodes.size());
  const std::span<const UnitSegment> all = part.map.segments;
  for (size_t first = 0; first < all.size();) {
    size_t end = first + 1;
    if (all[first].node == AddressOwners::kNone) {
      part.segments.push_back(all[first]);
    } else {
      while (end < all.size() && all[end].node != AddressOwners::kNone &&
             all[end].range.start == all[end - 1].range.end)
        ++end;
      const std::vector<AddressRange> pieces =
          possessed_.Add({all[first].range.start, all[end - 1].range.end});
      KeepPieces(all.subspan(first, end - first), pieces, part);
    }
    first = end;
  }
  part.map.segments = {};
  // Callers have lower indices.
  for (size_t i = part.map.nodes.size(); i-- > 0;) {
    const uint32_t parent = part.map.nodes[i].parent;
    if (part.is_used[i] && parent != AddressOwners::kNone)
      part.is_used[parent] = true;
  }
}

void CodeMapBuilder::KeepPieces(std::span<const UnitSegment> stretch,
                                std::span<const AddressRange> pieces,
                                Part& part) {
  auto piece = pieces.begin();
  for (const UnitSegment& segment : stretch) {
    while (piece != pieces.end() && piece->end <= segment.range.start) ++piece;
    for (auto at = piece; at != pieces.end() && at->start < segment.range.end;
         ++at) {
      UnitSegment kept = segment;
      kept.range.start = std::max(kept.range.start, at->start);
      kept.range.end = std::min(kept.range.end, at->end);
      part.segments.push_back(kept);
      part.is_used[segment.node] = true;
    }
  }
}

// Describes the functions and files that are used. Inlined calls of one
// function have one description.
void CodeMapBuilder::Describe(UnitStore& units, FunctionDescriber& describer,
                              Part& part) const {
  const auto add_file = [&part](uint64_t number) {
    if (part.map.lines == nullptr) return;
    const auto next = static_cast<uint32_t>(part.files.size());
    if (part.file_of.try_emplace(number, next).second)
      part.files.push_back(part.map.lines->FileName(number));
  };
  std::unordered_map<uint64_t, uint32_t> inlined;  // by origin
  part.description_of.assign(part.map.nodes.size(), kNotDescribed);
  for (size_t i = 0; i < part.map.nodes.size(); ++i) {
    if (!part.is_used[i]) continue;
    const FunctionNode& node = part.map.nodes[i];
    const auto next = static_cast<uint32_t>(part.descriptions.size());
    part.description_of[i] = next;
    if (node.call_file) add_file(*node.call_file);
    if (node.parent != AddressOwners::kNone) {
      auto [at, is_new] = inlined.try_emplace(node.origin, next);
      part.description_of[i] = at->second;
      if (!is_new) continue;
    }
    part.descriptions.push_back(
        {.function = describer.Describe(part.unit, node),
         .origin = node.origin});
  }
  for (const UnitSegment& segment : part.segments)
    if (segment.row.found) add_file(segment.row.file);
  FindGroups(units, part);
}

// Marks the descriptions of origins that have several, or may have in another
// unit.
void CodeMapBuilder::FindGroups(const UnitStore& units, Part& part) {
  const CompilationUnit& unit = units.unit(part.unit);
  const auto is_same = [](const SourceFunction& a, const SourceFunction& b) {
    return a.linkage_name == b.linkage_name && a.scoped_name == b.scoped_name &&
           a.file == b.file && a.start_line == b.start_line;
  };
  struct Known {
    size_t first = 0;
    bool is_grouped = false;
  };
  std::unordered_map<uint64_t, Known> known;
  for (size_t i = 0; i < part.descriptions.size(); ++i) {
    const Description& at = part.descriptions[i];
    const bool is_foreign = at.origin < unit.offset || at.origin >= unit.end;
    auto [found, is_new] = known.try_emplace(at.origin, Known{i, is_foreign});
    if (!is_new &&
        !is_same(part.descriptions[found->second.first].function, at.function))
      found->second.is_grouped = true;
  }
  for (Description& at : part.descriptions)
    at.is_grouped = known.at(at.origin).is_grouped;
}

void CodeMapBuilder::Merge(const Part& part) {
  std::vector<uint32_t> files;
  for (const std::string& file : part.files) files.push_back(FileOf(file));
  struct Named {
    uint32_t function = 0;
    uint32_t group = 0;
  };
  std::vector<Named> named;
  for (const Description& at : part.descriptions)
    named.push_back(
        {FunctionOf(at.function), at.is_grouped ? GroupOf(at.origin) : 0});
  std::vector<uint32_t> nodes(part.map.nodes.size(), MapNode::kNone);
  for (size_t i = 0; i < part.map.nodes.size(); ++i) {
    if (!part.is_used[i]) continue;
    const FunctionNode& node = part.map.nodes[i];
    nodes[i] = static_cast<uint32_t>(map_.nodes.size());
    MapNode& added = map_.nodes.emplace_back();
    added.function = named[part.description_of[i]].function;
    added.group = named[part.description_of[i]].group;
    if (node.parent == AddressOwners::kNone) {
      added.entry_address = node.entry_address;
      continue;
    }
    added.parent = nodes[node.parent];
    if (node.call_file && part.map.lines != nullptr)
      added.file = files[part.file_of.at(*node.call_file)];
    added.line = node.call_line;
    added.column = node.call_column;
  }
  AddSegments(part, nodes, files);
}

void CodeMapBuilder::AddSegments(const Part& part,
                                 std::span<const uint32_t> nodes,
                                 std::span<const uint32_t> files) {
  uint64_t number = UINT64_MAX;  // of the file at hand
  uint32_t file = 0;
  for (const UnitSegment& segment : part.segments) {
    if (segment.row.found && segment.row.file != number) {
      number = segment.row.file;
      file = files[part.file_of.at(number)];
    }
    MapSegment added = {.start = segment.range.start};
    if (segment.row.found) {
      added.file = file;
      added.line = segment.row.line;
      added.column = segment.row.column;
    }
    if (segment.node == AddressOwners::kNone) {
      rows_.push_back({segment.range, added.file, added.line, added.column});
    } else {
      added.node = nodes[segment.node];
      AppendSegment(segment.range, added);
    }
  }
}

void CodeMapBuilder::AppendSegment(const AddressRange& range,
                                   const MapSegment& segment) {
  std::vector<MapStretch>& stretches = map_.stretches;
  if (stretches.empty() || stretches.back().end != range.start)
    stretches.push_back(
        {.start = range.start,
         .end = range.start,
         .first_segment = static_cast<uint32_t>(map_.segments.size()),
         .segment_count = 0});
  stretches.back().end = range.end;
  ++stretches.back().segment_count;
  map_.segments.push_back(segment);
}

// Where no function is, a symbol is the answer, at the position that the first
// unit with a row there has for it.
CodeMap CodeMapBuilder::Finish() {
  IntervalSet covered;
  std::vector<RowSegment> rows;
  for (const RowSegment& row : rows_)
    for (const AddressRange& piece : covered.Add(row.range))
      rows.push_back({piece, row.file, row.line, row.column});
  std::ranges::sort(rows, {},
                    [](const RowSegment& r) { return r.range.start; });
  rows_ = std::move(rows);

  const std::vector<uint64_t> boundaries = symbols_.Boundaries();
  for (size_t i = 0; i + 1 < boundaries.size(); ++i) {
    const std::optional<Symbol> symbol = symbols_.Find(boundaries[i]);
    if (!symbol) continue;
    const std::vector<AddressRange> pieces =
        possessed_.Missing({boundaries[i], boundaries[i + 1]});
    if (pieces.empty()) continue;
    const auto node = static_cast<uint32_t>(map_.nodes.size());
    MapNode& added = map_.nodes.emplace_back();
    added.function = FunctionOf(FunctionOfSymbol(*symbol));
    added.entry_address = symbol->address;
    for (const AddressRange& piece : pieces) AddSymbolPiece(piece, node);
  }
  std::ranges::sort(map_.stretches, {}, &MapStretch::start);
  return std::move(map_);
}

void CodeMapBuilder::AddSymbolPiece(AddressRange piece, uint32_t node) {
  auto row = std::ranges::upper_bound(
      rows_, piece.start, {}, [](const RowSegment& r) { return r.range.end; });
  while (piece.start < piece.end) {
    const bool has_row = row != rows_.end() && row->range.start <= piece.start;
    MapSegment segment = {.start = piece.start, .node = node};
    uint64_t end = piece.end;
    if (has_row) {
      segment.file = row->file;
      segment.line = row->line;
      segment.column = row->column;
      end = std::min(end, row->range.end);
      ++row;
    } else if (row != rows_.end()) {
      end = std::min(end, row->range.start);
    }
    AppendSegment({piece.start, end}, segment);
    piece.start = end;
  }
}

uint32_t CodeMapBuilder::FileOf(const std::string& file) {
  if (file.empty()) return 0;
  const auto next = static_cast<uint32_t>(map_.files.size());
  auto [at, is_new] = files_.try_emplace(file, next);
  if (is_new) map_.files.push_back(file);
  return at->second;
}

uint32_t CodeMapBuilder::FunctionOf(const SourceFunction& function) {
  const bool is_scoped = function.linkage_name.empty();
  const std::string& name =
      is_scoped ? function.scoped_name : function.linkage_name;
  const uint32_t file = FileOf(function.file);
  std::string key = name;
  fmt::format_to(std::back_inserter(key), "\n{}\n{}\n{}", file,
                 function.start_line, is_scoped);
  const auto next = static_cast<uint32_t>(map_.functions.size());
  auto [at, is_new] = functions_.try_emplace(std::move(key), next);
  if (is_new)
    map_.functions.push_back({name, is_scoped, file, function.start_line});
  return at->second;
}

uint32_t CodeMapBuilder::GroupOf(uint64_t origin) {
  auto [at, is_new] = groups_.try_emplace(origin, group_count_ + 1);
  if (is_new) ++group_count_;
  return at->second;
}

}  // namespace heapprof
