// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/code_map_builder.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "heapprof/base/clone_suffix.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// Each thread reads units until they take this much of .debug_info: what is
// kept of one until it is merged takes about as much memory, and units read
// side by side do not know what they need not read.
constexpr uint64_t kBatchBytes = 1 << 20;
constexpr size_t kBatchUnits = 64;

// What is going to be read is fetched so many steps ahead.
constexpr size_t kAhead = 8;
constexpr uint32_t kNotDescribed = UINT32_MAX;

// The end of the batch of sources that starts at `first`.
size_t BatchEnd(std::span<const CodeMapBuilder::Source> sources, size_t first,
                unsigned jobs) {
  uint64_t bytes = 0;
  size_t end = first;
  while (end < sources.size() && end - first < jobs * kBatchUnits &&
         bytes < jobs * kBatchBytes) {
    const CompilationUnit& unit = sources[end].units->unit(sources[end].unit);
    bytes += unit.end - unit.offset;
    ++end;
  }
  return end;
}

}  // namespace

bool CodeMapBuilder::AddUnits(UnitStore& units) {
  if (!units.CanReadAllLines()) return false;
  std::vector<Source> sources;
  for (UnitClaims::Share& share : units.claims().Shares())
    sources.push_back({.units = &units,
                       .unit = share.unit,
                       .ranges = std::move(share.ranges)});
  return Add(sources);
}

bool CodeMapBuilder::Add(std::span<const Source> sources) {
  names_.Reserve(symbols_.size());
  for (size_t first = 0; first < sources.size();) {
    const size_t end = BatchEnd(sources, first, jobs_);
    std::vector<Part> parts(end - first);
    ForEach(parts.size(), jobs_,
            [&](size_t i) { parts[i] = ReadPart(sources[first + i]); });
    for (Part& part : parts) {
      if (!part.map.is_sound) return false;
      const Source& source = *part.source;
      source.units->PutScan(source.unit, std::move(part.map.scan));
      Possess(part);
    }
    ForEach(parts.size(), jobs_, [&](size_t i) { Describe(parts[i]); });
    for (Part& part : parts) {
      FindGroups(part);
      Merge(part);
    }
    first = end;
  }
  return true;
}

// What earlier units possess need not be read any more.
CodeMapBuilder::Part CodeMapBuilder::ReadPart(const Source& source) const {
  std::vector<AddressRange> wanted;
  for (const AddressRange& range : source.ranges)
    possessed_.FindMissing(range, wanted);
  Part part;
  part.source = &source;
  part.map = MapUnit(*source.units, source.unit, wanted, binary_, symbols_);
  return part;
}

// Takes the code that no unit before has a function for.
void CodeMapBuilder::Possess(Part& part) {
  part.is_used.resize(part.map.nodes.size());
  const std::span<const UnitSegment> all = part.map.segments;
  part.segments.reserve(all.size());
  std::vector<AddressRange> pieces;
  for (size_t first = 0; first < all.size();) {
    size_t end = first + 1;
    if (all[first].node == AddressOwners::kNone) {
      if (part.source->with_rows) part.segments.push_back(all[first]);
    } else {
      while (end < all.size() && all[end].node != AddressOwners::kNone &&
             all[end].range.start == all[end - 1].range.end)
        ++end;
      pieces.clear();
      possessed_.Add({all[first].range.start, all[end - 1].range.end}, pieces);
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
      UnitSegment& kept = part.segments.emplace_back(segment);
      kept.range.start = std::max(segment.range.start, at->start);
      kept.range.end = std::min(segment.range.end, at->end);
      part.is_used[segment.node] = true;
    }
  }
}

// Describes the functions that are used. Inlined calls of one function have
// one description.
void CodeMapBuilder::Describe(Part& part) const {
  FunctionDescriber describer(*part.source->units, symbols_);
  NumberMap origins;
  std::vector<uint32_t> inlined;  // descriptions, by number of the origin
  part.description_of.assign(part.map.nodes.size(), kNotDescribed);
  for (size_t i = 0; i < part.map.nodes.size(); ++i) {
    if (!part.is_used[i]) continue;
    const FunctionNode& node = part.map.nodes[i];
    if (i + kAhead < part.map.nodes.size())
      describer.Prefetch(part.source->unit, part.map.nodes[i + kAhead]);
    const auto next = static_cast<uint32_t>(part.descriptions.size());
    const auto [number, is_new] = origins.Add(node.origin);
    if (is_new) inlined.push_back(kNotDescribed);
    part.description_of[i] = next;
    if (node.parent != AddressOwners::kNone) {
      if (inlined[number] == kNotDescribed) inlined[number] = next;
      part.description_of[i] = inlined[number];
      if (inlined[number] != next) continue;
    }
    part.descriptions.push_back(
        {.function = describer.Describe(part.source->unit, node),
         .node = static_cast<uint32_t>(i),
         .origin_number = number});
  }
  for (Description& at : part.descriptions)
    describer.Check(part.source->unit, part.map.nodes[at.node], at.function);
  part.origin_count = origins.size();
}

// Marks the descriptions of origins that have several, or may have in another
// unit.
void CodeMapBuilder::FindGroups(Part& part) {
  const UnitStore& units = *part.source->units;
  if (group_units_ != &units) {
    group_units_ = &units;
    group_count_ += static_cast<uint32_t>(groups_.size());
    groups_ = {};
  }
  const CompilationUnit& unit = units.unit(part.source->unit);
  const auto is_same = [this](FunctionDescription& a, FunctionDescription& b) {
    return a.open_name.data() == b.open_name.data() &&
           a.name.linkage_name == b.name.linkage_name &&
           a.name.scoped_name == b.name.scoped_name &&
           a.start_line == b.start_line &&
           FileOf(a.line_program, a.file) == FileOf(b.line_program, b.file);
  };
  std::vector<Description*> first_of(part.origin_count);
  for (Description& at : part.descriptions) {
    Description*& first = first_of[at.origin_number];
    if (first == nullptr) {
      first = &at;
      const uint64_t origin = part.map.nodes[at.node].origin;
      at.is_grouped = origin < unit.offset || origin >= unit.end;
    } else if (!is_same(first->function, at.function)) {
      first->is_grouped = true;
    }
  }
  for (Description& at : part.descriptions)
    at.is_grouped = first_of[at.origin_number]->is_grouped;
}

void CodeMapBuilder::Merge(Part& part) {
  MergeSegments(part, MergeNodes(part));
}

// The nodes' indices in the map.
std::vector<uint32_t> CodeMapBuilder::MergeNodes(Part& part) {
  struct Named {
    uint32_t function = 0;
    uint32_t group = 0;
  };
  std::vector<Named> named;
  named.reserve(part.descriptions.size());
  for (size_t i = 0; i < part.descriptions.size(); ++i) {
    if (i + kAhead < part.descriptions.size()) {
      const char* next =
          part.descriptions[i + kAhead].function.open_name.data();
      __builtin_prefetch(next);
      open_names_.Prefetch(reinterpret_cast<uintptr_t>(next));
    }
    Description& at = part.descriptions[i];
    const uint64_t origin = part.map.nodes[at.node].origin;
    named.push_back(
        {FunctionOf(at.function),
         at.is_grouped ? group_count_ + groups_.Add(origin).first + 1 : 0});
  }
  std::vector<uint32_t> nodes(part.map.nodes.size(), MapNode::kNone);
  for (size_t i = 0; i < part.map.nodes.size(); ++i) {
    if (!part.is_used[i]) continue;
    const FunctionNode& node = part.map.nodes[i];
    nodes[i] = static_cast<uint32_t>(map_.nodes.size());
    MapNode& added = map_.nodes.emplace_back();
    added.function = named[part.description_of[i]].function;
    added.group = named[part.description_of[i]].group;
    if (added.group != 0) grouped_nodes_.push_back(nodes[i]);
    if (node.parent == AddressOwners::kNone) {
      added.entry_address = node.entry_address;
      continue;
    }
    added.parent = nodes[node.parent];
    if (node.call_file)
      added.file = FileOf(part.map.line_program, *node.call_file);
    added.line = node.call_line;
    added.column = node.call_column;
  }
  return nodes;
}

void CodeMapBuilder::MergeSegments(const Part& part,
                                   std::span<const uint32_t> nodes) {
  for (const UnitSegment& segment : part.segments) {
    const LinePosition& row = segment.row;
    const uint32_t file =
        row.found ? FileOf(part.map.line_program, row.file) : 0;
    if (segment.node == AddressOwners::kNone) {
      rows_.push_back({segment.range, file, row.line, row.column});
      continue;
    }
    MapSegment& added = AppendSegment(segment.range, nodes[segment.node]);
    added.file = file;
    added.line = row.line;
    added.column = row.column;
  }
}

MapSegment& CodeMapBuilder::AppendSegment(const AddressRange& range,
                                          uint32_t node) {
  std::vector<MapStretch>& stretches = map_.stretches;
  if (stretches.empty() || stretches.back().end != range.start)
    stretches.push_back(
        {.start = range.start,
         .end = range.start,
         .first_segment = static_cast<uint32_t>(map_.segments.size()),
         .segment_count = 0});
  stretches.back().end = range.end;
  ++stretches.back().segment_count;
  MapSegment& added = map_.segments.emplace_back();
  added.start = range.start;
  added.node = node;
  return added;
}

// Forgets the groups whose functions all turned out to be one.
void CodeMapBuilder::DissolveGroups() {
  constexpr uint32_t kNone = UINT32_MAX;
  constexpr uint32_t kSeveral = UINT32_MAX - 1;
  std::vector<uint32_t> function_of(group_count_ + groups_.size() + 1, kNone);
  for (const uint32_t i : grouped_nodes_) {
    const MapNode& node = map_.nodes[i];
    uint32_t& function = function_of[node.group];
    if (function == kNone)
      function = node.function;
    else if (function != node.function)
      function = kSeveral;
  }
  for (const uint32_t i : grouped_nodes_) {
    uint32_t& group = map_.nodes[i].group;
    if (function_of[group] != kSeveral) group = 0;
  }
}

// Where no function is, a symbol is the answer, at the position that the first
// unit with a row there has for it.
CodeMap CodeMapBuilder::Finish() {
  DissolveGroups();
  rows_ = CutOverlaps<RowSegment>(rows_);
  const std::vector<uint64_t> boundaries = symbols_.Boundaries();
  std::vector<AddressRange> pieces;
  for (size_t i = 0; i + 1 < boundaries.size(); ++i) {
    const std::optional<Symbol> symbol = symbols_.Find(boundaries[i]);
    if (!symbol) continue;
    pieces.clear();
    possessed_.FindMissing({boundaries[i], boundaries[i + 1]}, pieces);
    if (pieces.empty()) continue;
    const auto node = static_cast<uint32_t>(map_.nodes.size());
    MapNode& added = map_.nodes.emplace_back();
    added.function = FunctionOf({.name = NameOf(CutCloneSuffix(symbol->name))});
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
    uint64_t end = piece.end;
    if (row != rows_.end())
      end = std::min(end, has_row ? row->range.end : row->range.start);
    MapSegment& added = AppendSegment({piece.start, end}, node);
    if (has_row) {
      added.file = row->file;
      added.line = row->line;
      added.column = row->column;
      ++row;
    }
    piece.start = end;
  }
}

// The file `number` of `line_program`, which may be null.
uint32_t CodeMapBuilder::FileOf(const LineProgram* line_program,
                                uint64_t number) {
  if (line_program == nullptr || number >= line_program->file_count()) return 0;
  if (line_program != last_line_program_) {
    last_line_program_ = line_program;
    last_files_ = &files_of_tables_[line_program];
    if (last_files_->empty()) last_files_->resize(line_program->file_count());
  }
  uint32_t& file = (*last_files_)[number];
  if (file == 0) file = FileOf(line_program->FileName(number)) + 1;
  return file - 1;
}

uint32_t CodeMapBuilder::FileOf(std::string file) {
  const auto next = static_cast<uint32_t>(map_.files.size());
  const auto [at, is_new] = files_.try_emplace(std::move(file), next);
  if (is_new) map_.files.push_back(at->first);
  return at->second;
}

// `text` is the string that `name` points into, if nobody else keeps it.
uint32_t CodeMapBuilder::NameOf(std::string_view name, std::string* text) {
  const uint64_t hash = std::hash<std::string_view>()(name);
  const uint32_t known = names_.Find(
      hash, [&](uint32_t next) { return map_.names[next - 1] == name; });
  if (known != 0) return known - 1;
  if (text != nullptr) name = map_.texts.emplace_back(std::move(*text));
  map_.names.push_back(name);
  const auto next = static_cast<uint32_t>(map_.names.size());
  names_.Add(hash, next);
  return next - 1;
}

uint32_t CodeMapBuilder::NameOf(FunctionDescription& function) {
  FunctionName& name = function.name;
  if (function.open_name.empty())
    return name.linkage_name.empty()
               ? NameOf(name.scoped_name, &name.scoped_name)
               : NameOf(name.linkage_name);
  const auto [place, is_new] =
      open_names_.Add(reinterpret_cast<uintptr_t>(function.open_name.data()));
  if (is_new) {
    function.EndName();
    names_at_.push_back(NameOf(name.linkage_name));
  }
  return names_at_[place];
}

uint32_t CodeMapBuilder::FunctionOf(FunctionDescription& function) {
  const bool is_scoped =
      function.open_name.empty() && function.name.linkage_name.empty();
  return FunctionOf({.name = NameOf(function),
                     .is_scoped = is_scoped,
                     .file = FileOf(function.line_program, function.file),
                     .start_line = function.start_line});
}

uint32_t CodeMapBuilder::FunctionOf(const MapFunction& function) {
  constexpr uint32_t kNone = UINT32_MAX;
  // Nearly all names are of one function.
  function_of_name_.resize(map_.names.size(), kNone);
  uint32_t& first = function_of_name_[function.name];
  if (first == kNone) {
    first = static_cast<uint32_t>(map_.functions.size());
    map_.functions.push_back(function);
  }
  if (map_.functions[first] == function) return first;
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
  const uint64_t place = uint64_t{function.file} << 32 | function.start_line;
  uint64_t key = (place * kOdd) ^
                 (uint64_t{function.name} << 1 | uint64_t{function.is_scoped});
  // Functions may share a key.
  for (;; ++key) {
    const auto [other, is_new] = other_keys_.Add(key);
    if (is_new) {
      others_.push_back(static_cast<uint32_t>(map_.functions.size()));
      map_.functions.push_back(function);
    }
    if (map_.functions[others_[other]] == function) return others_[other];
  }
}

}  // namespace heapprof
