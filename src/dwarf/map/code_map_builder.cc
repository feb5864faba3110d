// SPDX-License-Identifier: Apache-2.0
#include "dwarf/map/code_map_builder.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "heapprof/base/clone_suffix.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/hash.h"
#include "heapprof/base/no_index.h"

namespace heapprof {
namespace {

// How much of .debug_info is read before the units are merged into the map: so
// many bytes, and so many more for each thread. Smaller batches leave threads
// idle, because a large unit is read by one thread. Larger batches need more
// memory: until a unit is merged, it takes about as many bytes of memory as of
// .debug_info. Larger batches also cost more time, because several units of one
// batch may map the same code.
constexpr uint64_t kBatchBytes = 14 << 20;
constexpr uint64_t kBatchBytesPerThread = 1 << 20;
constexpr size_t kBatchUnitsPerThread = 64;

// How many bytes the names of functions may have: so many, and so many more for
// each byte of .debug_info. A function takes a dozen bytes there or more, and
// its name, which may be put together from those of its scopes, rarely a
// hundred. But a small file can say that all its functions have one long name.
constexpr uint64_t kNameBytes = 64 << 20;
constexpr uint64_t kNameBytesPerByte = 16;

// Loops prefetch the data that they will read this many steps later.
constexpr size_t kAhead = 8;

uint64_t SizeOf(const CodeMapBuilder::Source& source) {
  const CompilationUnit& unit = source.units->unit(source.unit);
  return unit.end - unit.offset;
}

// Returns the order in which threads should read the units of a batch: the
// largest ones first, so that no thread still reads one when all others have
// nothing left to do.
std::vector<size_t> LargestFirst(
    std::span<const CodeMapBuilder::Source> batch) {
  std::vector<size_t> order(batch.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](size_t i) { return SizeOf(batch[i]); });
  return order;
}

}  // namespace

CodeMapBuilder::CodeMapBuilder(const ElfImage& binary,
                               const SymbolTable& symbols, unsigned jobs)
    : binary_(binary),
      symbols_(symbols),
      jobs_(jobs),
      most_batch_bytes_(kBatchBytes + jobs * kBatchBytesPerThread),
      name_budget_(kNameBytes) {}

bool CodeMapBuilder::AddUnits(UnitStore& units) {
  if (!units.CanReadAllLines()) return false;
  if (!units.has_all_dies()) {
    windowed_info_ = units.sections().info;
    most_batch_bytes_ = units.sections().streaming.step;
  }
  std::vector<Source> sources;
  for (UnitRanges::UnitCode& unit_code : units.ranges().ByUnit())
    sources.push_back({.units = &units,
                       .unit = unit_code.unit,
                       .ranges = std::move(unit_code.ranges)});
  return Add(sources);
}

// Returns the sources at the start of `rest` that make a batch.
std::span<const CodeMapBuilder::Source> CodeMapBuilder::BatchOf(
    std::span<const Source> rest) const {
  const size_t most_units = jobs_ * kBatchUnitsPerThread;
  uint64_t bytes = 0;
  size_t count = 0;
  while (count < rest.size() && count < most_units && bytes < most_batch_bytes_)
    bytes += SizeOf(rest[count++]);
  return rest.first(count);
}

// Each round reads a batch of units. While some threads read them, others
// complete the units of the batch before, whose code is claimed by then.
bool CodeMapBuilder::Add(std::span<const Source> sources) {
  names_.Reserve(symbols_.size());
  std::vector<MappedUnit> claimed;
  do {
    const std::span<const Source> batch = BatchOf(sources);
    for (const Source& source : batch)
      name_budget_.Add(kNameBytesPerByte * SizeOf(source));
    const std::vector<size_t> order = LargestFirst(batch);
    if (!MakeReadable(batch, claimed)) return false;
    const unsigned jobs =
        batch.empty() ? jobs_ : std::min(jobs_, batch[0].units->free_threads());
    std::vector<MappedUnit> added(batch.size());
    ForEachInTurn(
        claimed.size() + added.size(), jobs,
        [&](size_t i) {
          if (i < claimed.size()) return ReadFunctions(claimed[i]);
          const size_t unit = order[i - claimed.size()];
          added[unit] = ReadUnit(batch[unit]);
        },
        [&](size_t i) {
          if (i < claimed.size() && !name_budget_.is_used_up())
            Merge(std::exchange(claimed[i], {}));
          return true;
        });
    if (name_budget_.is_used_up()) return false;
    for (MappedUnit& mapped : added) {
      if (!mapped.map.is_complete) return false;
      const Source& source = *mapped.source;
      source.units->PutScan(source.unit, std::move(mapped.map.scan));
      ClaimCode(mapped);
    }
    claimed = std::move(added);
    sources = sources.subspan(batch.size());
  } while (!claimed.empty());
  return true;
}

// Makes the DIEs of `claimed` and `batch` readable, and discards earlier ones
// if their store has a window. A store with a window is the only one.
bool CodeMapBuilder::MakeReadable(std::span<const Source> batch,
                                  std::span<const MappedUnit> claimed) {
  if (batch.empty()) return true;
  const Source& first = claimed.empty() ? batch[0] : *claimed[0].source;
  return batch[0].units->MoveWindow(first.unit, batch.back().unit);
}

// Reads a unit, but only for code that no unit of an earlier batch has claimed.
CodeMapBuilder::MappedUnit CodeMapBuilder::ReadUnit(
    const Source& source) const {
  std::vector<AddressRange> wanted;
  for (const AddressRange& range : source.ranges)
    claimed_.FindMissing(range, wanted);
  MappedUnit mapped;
  mapped.source = &source;
  mapped.map = MapUnit(*source.units, source.unit, wanted, binary_, symbols_);
  return mapped;
}

// Claims the code of the unit's functions, except code that an earlier unit has
// claimed. Keeps the rows of the claimed code and, if wanted, those outside of
// functions. Marks the nodes of the rows as used.
void CodeMapBuilder::ClaimCode(MappedUnit& mapped) {
  mapped.is_used.resize(mapped.map.nodes.size());
  const std::span<const UnitMapRow> all = mapped.map.rows;
  mapped.rows.reserve(all.size());
  std::vector<AddressRange> added;
  for (size_t first = 0; first < all.size();) {
    size_t end = first + 1;
    if (all[first].node == InnermostFunctions::kNone) {
      if (mapped.source->with_rows_outside_functions)
        mapped.rows.push_back(all[first]);
    } else {
      while (end < all.size() && all[end].node != InnermostFunctions::kNone &&
             all[end].range.start == all[end - 1].range.end)
        ++end;
      added.clear();
      claimed_.Add({all[first].range.start, all[end - 1].range.end}, added);
      KeepRows(all.subspan(first, end - first), added, mapped);
    }
    first = end;
  }
  mapped.map.rows = {};
  // Marks the parents of used nodes as used, too. Starts with the last node,
  // because parents have lower indices.
  for (size_t i = mapped.map.nodes.size(); i-- > 0;) {
    const uint32_t parent = mapped.map.nodes[i].parent;
    if (mapped.is_used[i] && parent != InnermostFunctions::kNone)
      mapped.is_used[parent] = true;
  }
}

void CodeMapBuilder::KeepRows(std::span<const UnitMapRow> run,
                              std::span<const AddressRange> claimed,
                              MappedUnit& mapped) {
  auto next = claimed.begin();
  for (const UnitMapRow& row : run) {
    while (next != claimed.end() && next->end <= row.range.start) ++next;
    for (auto at = next; at != claimed.end() && at->start < row.range.end;
         ++at) {
      UnitMapRow& kept = mapped.rows.emplace_back(row);
      kept.range.start = std::max(row.range.start, at->start);
      kept.range.end = std::min(row.range.end, at->end);
      mapped.is_used[row.node] = true;
    }
  }
}

// Reads the names and declarations of the functions of all used nodes. All
// inlined copies of a function share one UnitFunction.
void CodeMapBuilder::ReadFunctions(MappedUnit& mapped) const {
  FunctionInfoReader reader(*mapped.source->units, symbols_);
  NumberMap origins;
  // For each origin, by its number: the UnitFunction that its inlined copies
  // share.
  std::vector<uint32_t> inlined;
  mapped.function_of.assign(mapped.map.nodes.size(), kNoIndex);
  for (size_t i = 0; i < mapped.map.nodes.size(); ++i) {
    if (!mapped.is_used[i] || name_budget_.is_used_up()) continue;
    const FunctionNode& node = mapped.map.nodes[i];
    if (i + kAhead < mapped.map.nodes.size())
      reader.Prefetch(mapped.source->unit, mapped.map.nodes[i + kAhead]);
    const auto next = static_cast<uint32_t>(mapped.functions.size());
    const auto [number, is_new] = origins.Add(node.origin);
    if (is_new) inlined.push_back(kNoIndex);
    mapped.function_of[i] = next;
    if (node.parent != InnermostFunctions::kNone) {
      if (inlined[number] == kNoIndex) inlined[number] = next;
      mapped.function_of[i] = inlined[number];
      if (inlined[number] != next) continue;
    }
    mapped.functions.push_back({.info = reader.Read(mapped.source->unit, node),
                                .node = static_cast<uint32_t>(i),
                                .origin_number = number});
    name_budget_.Take(mapped.functions.back().info.name.scoped_name.size());
  }
  for (UnitFunction& function : mapped.functions)
    reader.Recheck(mapped.source->unit, mapped.map.nodes[function.node],
                   function.info);
  mapped.origin_count = origins.size();
}

// Marks the functions that need a group (see MapNode::group). A function needs
// one if this unit describes it in several ways. It also needs one if its
// origin DIE is in another unit, because other units may then describe it
// differently.
void CodeMapBuilder::FindGroups(MappedUnit& mapped) {
  const UnitStore& units = *mapped.source->units;
  if (group_units_ != &units) {
    group_units_ = &units;
    group_count_ += static_cast<uint32_t>(groups_.size());
    groups_ = {};
  }
  const CompilationUnit& unit = units.unit(mapped.source->unit);
  const auto is_same = [this](FunctionInfo& a, FunctionInfo& b) {
    return a.unbounded_name.data() == b.unbounded_name.data() &&
           a.name.linkage_name == b.name.linkage_name &&
           a.name.scoped_name == b.name.scoped_name &&
           a.start_line == b.start_line &&
           FileOf(a.line_program, a.file) == FileOf(b.line_program, b.file);
  };
  std::vector<UnitFunction*> first_of(mapped.origin_count);
  for (UnitFunction& function : mapped.functions) {
    UnitFunction*& first = first_of[function.origin_number];
    if (first == nullptr) {
      first = &function;
      const uint64_t origin = mapped.map.nodes[function.node].origin;
      function.is_grouped = origin < unit.offset || origin >= unit.end;
    } else if (!is_same(first->info, function.info)) {
      first->is_grouped = true;
    }
  }
  for (UnitFunction& function : mapped.functions)
    function.is_grouped = first_of[function.origin_number]->is_grouped;
}

void CodeMapBuilder::Merge(MappedUnit mapped) {
  FindGroups(mapped);
  MergeRows(mapped, MergeNodes(mapped));
}

// Adds the used nodes of a unit to the map. Returns, for each node of the unit,
// its index in the map.
std::vector<uint32_t> CodeMapBuilder::MergeNodes(MappedUnit& mapped) {
  struct Named {
    uint32_t function = 0;
    uint32_t group = 0;
  };
  std::vector<Named> named;
  named.reserve(mapped.functions.size());
  for (size_t i = 0; i < mapped.functions.size(); ++i) {
    if (i + kAhead < mapped.functions.size()) {
      const char* next =
          mapped.functions[i + kAhead].info.unbounded_name.data();
      __builtin_prefetch(next);
      unbounded_names_.Prefetch(reinterpret_cast<uintptr_t>(next));
    }
    UnitFunction& function = mapped.functions[i];
    const uint64_t origin = mapped.map.nodes[function.node].origin;
    named.push_back({FunctionOf(function.info),
                     function.is_grouped
                         ? group_count_ + groups_.Add(origin).first + 1
                         : 0});
  }
  std::vector<uint32_t> nodes(mapped.map.nodes.size(), MapNode::kNone);
  for (size_t i = 0; i < mapped.map.nodes.size(); ++i) {
    if (!mapped.is_used[i]) continue;
    const FunctionNode& node = mapped.map.nodes[i];
    nodes[i] = static_cast<uint32_t>(map_.nodes.size());
    MapNode& added = map_.nodes.emplace_back();
    added.function = named[mapped.function_of[i]].function;
    added.group = named[mapped.function_of[i]].group;
    if (added.group != 0) grouped_nodes_.push_back(nodes[i]);
    if (node.parent == InnermostFunctions::kNone) {
      added.entry_pc = node.entry_pc;
      continue;
    }
    added.parent = nodes[node.parent];
    if (node.call_file)
      added.file = FileOf(mapped.map.line_program, *node.call_file);
    added.line = node.call_line;
    added.column = node.call_column;
  }
  return nodes;
}

void CodeMapBuilder::MergeRows(const MappedUnit& mapped,
                               std::span<const uint32_t> nodes) {
  for (const UnitMapRow& row : mapped.rows) {
    const LinePosition& position = row.line_row;
    const uint32_t file =
        position.found ? FileOf(mapped.map.line_program, position.file) : 0;
    if (row.node == InnermostFunctions::kNone) {
      rows_outside_functions_.push_back(
          {row.range, file, position.line, position.column});
      continue;
    }
    MapRow& added = AppendRow(row.range, nodes[row.node]);
    added.file = file;
    added.line = position.line;
    added.column = position.column;
  }
}

MapRow& CodeMapBuilder::AppendRow(const AddressRange& range, uint32_t node) {
  std::vector<MapRange>& ranges = map_.ranges;
  if (ranges.empty() || ranges.back().end != range.start)
    ranges.push_back({.start = range.start,
                      .end = range.start,
                      .first_row = static_cast<uint32_t>(map_.rows.size()),
                      .row_count = 0});
  ranges.back().end = range.end;
  ++ranges.back().row_count;
  MapRow& added = map_.rows.emplace_back();
  added.start = range.start;
  added.node = node;
  return added;
}

// Drops each group whose nodes all turned out to have the same function.
void CodeMapBuilder::DissolveGroups() {
  constexpr uint32_t kSeveral = kNoIndex - 1;
  std::vector<uint32_t> function_of(group_count_ + groups_.size() + 1,
                                    kNoIndex);
  for (const uint32_t i : grouped_nodes_) {
    const MapNode& node = map_.nodes[i];
    uint32_t& function = function_of[node.group];
    if (function == kNoIndex)
      function = node.function;
    else if (function != node.function)
      function = kSeveral;
  }
  for (const uint32_t i : grouped_nodes_) {
    uint32_t& group = map_.nodes[i].group;
    if (function_of[group] != kSeveral) group = 0;
  }
}

// Adds the code that no function covers to the map: with the name of its
// symbol, and with the line row of the first unit that has a row there. Returns
// the map.
CodeMap CodeMapBuilder::Finish() {
  DissolveGroups();
  rows_outside_functions_ = CutOverlaps<LineRowRange>(rows_outside_functions_);
  const std::vector<uint64_t> boundaries = symbols_.Boundaries();
  std::vector<AddressRange> uncovered;
  for (size_t i = 0; i + 1 < boundaries.size(); ++i) {
    const std::optional<Symbol> symbol = symbols_.Find(boundaries[i]);
    if (!symbol) continue;
    uncovered.clear();
    claimed_.FindMissing({boundaries[i], boundaries[i + 1]}, uncovered);
    if (uncovered.empty()) continue;
    const auto node = static_cast<uint32_t>(map_.nodes.size());
    MapNode& added = map_.nodes.emplace_back();
    added.function = FunctionOf({.name = NameOf(CutCloneSuffix(symbol->name))});
    added.entry_pc = symbol->address;
    for (const AddressRange& range : uncovered) AddSymbolRows(range, node);
  }
  std::ranges::sort(map_.ranges, {}, &MapRange::start);
  return std::move(map_);
}

void CodeMapBuilder::AddSymbolRows(AddressRange range, uint32_t node) {
  auto row = std::ranges::upper_bound(
      rows_outside_functions_, range.start, {},
      [](const LineRowRange& r) { return r.range.end; });
  while (range.start < range.end) {
    const bool has_row =
        row != rows_outside_functions_.end() && row->range.start <= range.start;
    uint64_t end = range.end;
    if (row != rows_outside_functions_.end())
      end = std::min(end, has_row ? row->range.end : row->range.start);
    MapRow& added = AppendRow({range.start, end}, node);
    if (has_row) {
      added.file = row->file;
      added.line = row->line;
      added.column = row->column;
      ++row;
    }
    range.start = end;
  }
}

// Returns the index, in the map's files, of the file with this number in
// `line_program`. Returns 0 if `line_program` is null or has no such file.
uint32_t CodeMapBuilder::FileOf(const LineProgram* line_program,
                                uint64_t number) {
  if (line_program == nullptr || number >= line_program->file_count()) return 0;
  if (line_program != last_line_program_) {
    last_line_program_ = line_program;
    last_files_ = &files_of_programs_[line_program];
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

// Returns the index of `name` in the map's names. If `text` is null, `name`
// points into an open file. Otherwise, `name` points into `*text`, which is
// moved into the map if the name is new.
uint32_t CodeMapBuilder::NameOf(std::string_view name, std::string* text) {
  const uint32_t number = names_.FindOrAddIndex(
      HashOfText(name), map_.names.size(),
      [&](uint32_t known) { return map_.names[known] == name; });
  if (number < map_.names.size()) return number;
  if (text != nullptr)
    name = map_.texts.emplace_back(std::move(*text));
  else if (IsPartOf(name, windowed_info_))
    name = map_.texts.emplace_back(name);
  map_.names.push_back(name);
  return number;
}

uint32_t CodeMapBuilder::NameOf(FunctionInfo& function) {
  FunctionName& name = function.name;
  if (function.unbounded_name.empty())
    return name.linkage_name.empty()
               ? NameOf(name.scoped_name, &name.scoped_name)
               : NameOf(name.linkage_name);
  const auto [number, is_new] = unbounded_names_.Add(
      reinterpret_cast<uintptr_t>(function.unbounded_name.data()));
  if (is_new) {
    // A map without all names is not used.
    if (!name_budget_.is_used_up()) function.FindNameEnd();
    name_budget_.Take(name.linkage_name.size());
    names_of_unbounded_.push_back(NameOf(name.linkage_name));
  }
  return names_of_unbounded_[number];
}

uint32_t CodeMapBuilder::FunctionOf(FunctionInfo& function) {
  const bool is_scoped =
      function.unbounded_name.empty() && function.name.linkage_name.empty();
  return FunctionOf({.name = NameOf(function),
                     .is_scoped = is_scoped,
                     .file = FileOf(function.line_program, function.file),
                     .start_line = function.start_line});
}

uint32_t CodeMapBuilder::FunctionOf(const MapFunction& function) {
  // A fast path for the first function with this name. Nearly every name has
  // only one function.
  function_of_name_.resize(map_.names.size(), kNoIndex);
  uint32_t& first = function_of_name_[function.name];
  if (first == kNoIndex) {
    first = static_cast<uint32_t>(map_.functions.size());
    map_.functions.push_back(function);
  }
  if (map_.functions[first] == function) return first;
  const uint64_t place = uint64_t{function.file} << 32 | function.start_line;
  uint64_t key = (place * kHashMultiplier) ^
                 (uint64_t{function.name} << 1 | uint64_t{function.is_scoped});
  // Different functions may have the same key. Then the next key is tried.
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
