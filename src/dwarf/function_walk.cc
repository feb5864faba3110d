// SPDX-License-Identifier: Apache-2.0
#include "dwarf/function_walk.h"

#include <algorithm>
#include <utility>

#include <dwarf.h>

#include "dwarf/range_list.h"

namespace heapprof {
namespace {

// More list entries than any compiler writes for a unit of that size. A file
// may have a unit per dozen bytes.
uint64_t RangeBudgetOf(const CompilationUnit& unit) {
  return 4096 + 2 * (unit.end - unit.offset);
}

constexpr std::string_view kDamaged =
    "its entries are damaged; the rest is not read";

// The attributes of a function or inlined call that say where its code is.
struct CodeAttributes {
  std::optional<FormValue> low_pc;
  std::optional<FormValue> high_pc;
  std::optional<FormValue> ranges;
  std::optional<FormValue> entry_pc;
  std::optional<uint64_t> abstract_origin;
  std::optional<uint64_t> specification;
};

class Walker {
 public:
  Walker(const UnitReader& reader, const AbbreviationTable& abbreviations,
         const ElfImage& binary, uint64_t range_budget, CodeSink* sink)
      : reader_(reader),
        abbreviations_(abbreviations),
        sink_(sink),
        ranges_(reader, binary, range_budget) {}

  UnitScan Run();
  std::vector<FunctionEntry> ReadDeferred(
      std::span<const DeferredEntries> deferred);
  ScopeTree ScopesOf(const DeferredEntries& deferred);
  std::vector<AddressRange> CollectRanges();
  uint64_t range_budget() const { return ranges_.budget(); }

 private:
  // What encloses the entries at one depth.
  struct Level {
    uint32_t node = AddressOwners::kNone;
    bool is_scope = false;
    bool is_in_function = false;
    uint64_t sibling = 0;  // where the entry says it ends; 0 if it does not
    // The function that is deferred with these entries; 0 if they are not.
    uint64_t postponed = 0;
  };

  void WalkEntries(const DeferredEntries& part, bool is_root);
  void CloseLevel(uint64_t end);
  void VisitEntry(const Abbreviation& abbreviation, uint64_t entry);
  bool VisitScope(const Abbreviation& abbreviation, uint64_t entry,
                  Level& level);
  std::optional<uint64_t> SiblingOf(const Abbreviation& abbreviation) const;
  void Prefetch(uint64_t offset);
  bool Defer(const Abbreviation& abbreviation, uint64_t entry);
  std::vector<FunctionEntry> TakeEntries();
  CodeAttributes ReadCode(const Abbreviation& abbreviation, FunctionNode& node);
  void ReadRanges(const CodeAttributes& code);
  uint32_t EnterFunction(const Abbreviation& abbreviation, uint64_t entry);
  uint32_t EnterInlinedCall(const Abbreviation& abbreviation, uint64_t entry,
                            uint32_t parent);
  uint64_t FindEntry(const CodeAttributes& code) const;

  const UnitReader& reader_;
  const AbbreviationTable& abbreviations_;
  CodeSink* sink_;
  RangeListReader ranges_;
  LittleEndianCursor cursor_;
  ScopeRecorder scopes_;
  std::vector<Level> levels_;  // of the entries that are open
  bool defers_ = false;
  // The entries jumped over last end here, but for some without children.
  bool is_run_open_ = false;
  uint64_t prefetched_ = 0;
  UnitScan result_;
  std::vector<AddressRange> scratch_;  // ranges of the entry at hand
};

UnitScan Walker::Run() {
  const CompilationUnit& unit = reader_.unit();
  defers_ = sink_ != nullptr;
  WalkEntries({unit.root, unit.end}, /*is_root=*/true);
  result_.scopes = scopes_.Take();
  std::vector<FunctionEntry> entries = TakeEntries();
  if (sink_ != nullptr && !sink_->is_complete())
    result_.deferred_entries = ReadDeferred(result_.deferred);
  result_.entries = std::move(entries);
  return std::move(result_);
}

std::vector<FunctionEntry> Walker::ReadDeferred(
    std::span<const DeferredEntries> deferred) {
  // Nothing in them is deferred again.
  defers_ = false;
  for (const DeferredEntries& part : deferred)
    WalkEntries(part, /*is_root=*/false);
  return TakeEntries();
}

ScopeTree Walker::ScopesOf(const DeferredEntries& deferred) {
  WalkEntries(deferred, /*is_root=*/false);
  return scopes_.Take();
}

// Walks over the root of the unit, or over entries inside of it.
void Walker::WalkEntries(const DeferredEntries& part, bool is_root) {
  cursor_ =
      LittleEndianCursor(reader_.sections().info.first(part.end), part.start);
  scopes_ = {};
  levels_.clear();
  while (!cursor_.AtEnd()) {
    const uint64_t entry = cursor_.offset();
    const uint64_t code = cursor_.Uleb();
    if (code == 0) {
      if (levels_.empty()) continue;  // padding
      CloseLevel(entry);
    } else {
      const Abbreviation* abbreviation = abbreviations_.Find(code);
      if (abbreviation == nullptr || !cursor_.ok()) {
        result_.problem = kDamaged;
        break;
      }
      // Most entries are of no interest.
      if (abbreviation->kind == EntryKind::kOther &&
          !abbreviation->has_children)
        abbreviations_.Skip(*abbreviation, cursor_);
      else
        VisitEntry(*abbreviation, entry);
    }
    if (is_root && levels_.empty()) break;
  }
  if (!is_root && !levels_.empty()) result_.problem = kDamaged;
  if (result_.problem.empty() && !cursor_.ok())
    result_.problem = "its entries are cut off";
  if (ranges_.budget() == 0) result_.problem = kTooManyRanges;
}

// `end` is that of the children, where the cursor has been before.
void Walker::CloseLevel(uint64_t end) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.is_scope) scopes_.Leave(end);
  // What jumps over it must end up here, too.
  if (level.sibling != 0 && level.sibling != cursor_.offset())
    result_.problem = kDamaged;
  is_run_open_ = false;
  const bool is_inside = !levels_.empty() && levels_.back().postponed != 0;
  if (level.postponed != 0 && !is_inside)
    result_.deferred.push_back({level.postponed, cursor_.offset()});
}

void Walker::VisitEntry(const Abbreviation& abbreviation, uint64_t entry) {
  Level level;
  if (!levels_.empty()) level = levels_.back();
  level.is_scope = false;
  level.sibling = 0;
  if (abbreviation.kind == EntryKind::kOther || level.postponed != 0) {
    abbreviations_.Skip(abbreviation, cursor_);
  } else if (abbreviation.kind == EntryKind::kInlinedCall) {
    if (level.node == AddressOwners::kNone)
      abbreviations_.Skip(abbreviation, cursor_);
    else
      level.node = EnterInlinedCall(abbreviation, entry, level.node);
  } else if (!VisitScope(abbreviation, entry, level)) {
    return;
  }
  if (!abbreviation.has_children) return;
  is_run_open_ = false;
  levels_.push_back(level);
}

// The first of several copies counts.
std::vector<FunctionEntry> Walker::TakeEntries() {
  std::vector<FunctionEntry> entries = std::exchange(result_.entries, {});
  std::ranges::stable_sort(entries, {}, &FunctionEntry::origin);
  const auto rest = std::ranges::unique(entries, {}, &FunctionEntry::origin);
  entries.erase(rest.begin(), rest.end());
  return entries;
}

// Where the entry goes on behind its children, if it says so in the bytes in
// front of the cursor.
std::optional<uint64_t> Walker::SiblingOf(
    const Abbreviation& abbreviation) const {
  const uint64_t size = abbreviation.sibling_size;
  if (size == 0 || !cursor_.ok()) return std::nullopt;
  const uint64_t value =
      LittleEndianCursor(reader_.sections().info, cursor_.offset() - size)
          .Unsigned(size);
  const CompilationUnit& unit = reader_.unit();
  if (value > unit.end - unit.offset || unit.offset + value < cursor_.offset())
    return std::nullopt;
  return unit.offset + value;
}

// Jumps are too irregular for the processor to foresee.
void Walker::Prefetch(uint64_t offset) {
  constexpr uint64_t kAhead = 1024;
  constexpr uint64_t kCacheLine = 64;
  const std::span<const uint8_t> info = reader_.sections().info;
  const uint64_t end = std::min<uint64_t>(offset + kAhead, info.size());
  prefetched_ = std::max(prefetched_, offset);
  for (; prefetched_ < end; prefetched_ += kCacheLine)
    __builtin_prefetch(info.data() + prefetched_);
}

// Jumps over the children of the entry that was read last.
bool Walker::Defer(const Abbreviation& abbreviation, uint64_t entry) {
  if (!defers_ || !abbreviation.has_children) return false;
  const auto sibling = SiblingOf(abbreviation);
  if (!sibling) return false;
  cursor_.Skip(*sibling - cursor_.offset());
  Prefetch(*sibling);
  // Most follow each other, but for entries without children.
  if (is_run_open_)
    result_.deferred.back().end = *sibling;
  else
    result_.deferred.push_back({entry, *sibling});
  is_run_open_ = true;
  return true;
}

std::vector<AddressRange> Walker::CollectRanges() {
  const CompilationUnit& unit = reader_.unit();
  cursor_ =
      LittleEndianCursor(reader_.sections().info.first(unit.end), unit.root);
  std::vector<AddressRange> all;
  while (!cursor_.AtEnd()) {
    const uint64_t code = cursor_.Uleb();
    if (code == 0) continue;
    const Abbreviation* abbreviation = abbreviations_.Find(code);
    if (abbreviation == nullptr) break;
    if (abbreviation->kind == EntryKind::kFunction && abbreviation->has_code) {
      FunctionNode node;
      ReadRanges(ReadCode(*abbreviation, node));
      all.insert(all.end(), scratch_.begin(), scratch_.end());
    } else {
      abbreviations_.Skip(*abbreviation, cursor_);
    }
  }
  return all;
}

// Makes `level` that of the children. False if they are jumped over.
bool Walker::VisitScope(const Abbreviation& abbreviation, uint64_t entry,
                        Level& level) {
  const bool is_function = abbreviation.kind == EntryKind::kFunction;
  const bool is_nested = is_function && level.is_in_function && defers_;
  if (is_function && abbreviation.has_code && sink_ != nullptr && !is_nested) {
    level.node = EnterFunction(abbreviation, entry);
  } else {
    abbreviations_.Skip(abbreviation, cursor_);
    if (is_function) level.node = AddressOwners::kNone;
  }
  const bool may_defer = is_function ? level.node == AddressOwners::kNone
                                     : abbreviation.tag != DW_TAG_namespace &&
                                           abbreviation.tag != DW_TAG_module;
  const bool is_deferred = may_defer && Defer(abbreviation, entry);
  scopes_.Enter(entry, abbreviation.has_children && !is_deferred);
  if (is_deferred) return false;
  level.is_scope = true;
  if (!is_function) return true;
  level.is_in_function = true;
  if (defers_) level.sibling = SiblingOf(abbreviation).value_or(0);
  if (is_nested && abbreviation.has_children)
    level.postponed = entry;
  else if (is_nested)
    result_.deferred.push_back({entry, cursor_.offset()});
  return true;
}

CodeAttributes Walker::ReadCode(const Abbreviation& abbreviation,
                                FunctionNode& node) {
  CodeAttributes code;
  for (const AttributeSpec& spec : abbreviations_.AttributesOf(abbreviation)) {
    const FormValue value = reader_.Read(spec, cursor_);
    switch (spec.attribute) {
      case DW_AT_low_pc:
        code.low_pc = value;
        break;
      case DW_AT_high_pc:
        code.high_pc = value;
        break;
      case DW_AT_ranges:
        code.ranges = value;
        break;
      case DW_AT_entry_pc:
        code.entry_pc = value;
        break;
      case DW_AT_abstract_origin:
        code.abstract_origin = reader_.ReferenceOf(value);
        break;
      case DW_AT_specification:
        code.specification = reader_.ReferenceOf(value);
        break;
      case DW_AT_call_file:
        node.call_file = value.number;
        break;
      case DW_AT_call_line:
        node.call_line = static_cast<uint32_t>(value.number);
        break;
      case DW_AT_call_column:
        node.call_column = static_cast<uint32_t>(value.number);
        break;
      default:
        break;
    }
  }
  node.origin =
      code.abstract_origin.value_or(code.specification.value_or(node.entry));
  return code;
}

void Walker::ReadRanges(const CodeAttributes& code) {
  scratch_.clear();
  if (code.ranges) {
    ranges_.ReadList(*code.ranges, scratch_);
  } else if (code.low_pc && code.high_pc) {
    if (const auto low_pc = reader_.AddressOf(*code.low_pc))
      ranges_.ReadPair(*low_pc, *code.high_pc, scratch_);
  }
}

// Where the function with the ranges in scratch_ starts. The first range
// holds the entry of a split function; the others, like its cold part, may
// lie before it.
uint64_t Walker::FindEntry(const CodeAttributes& code) const {
  const auto& recorded = code.entry_pc ? code.entry_pc : code.low_pc;
  if (recorded) {
    const auto address = reader_.AddressOf(*recorded);
    if (address && ranges_.IsCode(*address)) return *address;
  }
  return scratch_.front().start;
}

uint32_t Walker::EnterFunction(const Abbreviation& abbreviation,
                               uint64_t entry) {
  FunctionNode node{.entry = entry};
  const CodeAttributes code = ReadCode(abbreviation, node);
  ReadRanges(code);
  if (scratch_.empty()) return AddressOwners::kNone;
  if (defers_)
    result_.code.insert(result_.code.end(), scratch_.begin(), scratch_.end());
  node.entry_address = FindEntry(code);
  if (code.abstract_origin)
    result_.entries.push_back({*code.abstract_origin, node.entry_address});

  return sink_->AddFunction(node, scratch_);
}

uint32_t Walker::EnterInlinedCall(const Abbreviation& abbreviation,
                                  uint64_t entry, uint32_t parent) {
  FunctionNode node{.entry = entry, .parent = parent};
  ReadRanges(ReadCode(abbreviation, node));
  // All copies of a function are described alike.
  node.entry = node.origin;
  return sink_->AddInlinedCall(node, scratch_);
}

// Drops the nodes that neither own an address nor enclose one that does: a
// function of which one address is asked may have hundreds of calls.
void KeepOwners(FunctionWalk& walk) {
  constexpr uint32_t kDropped = AddressOwners::kNone;
  std::vector<uint32_t> numbers(walk.nodes.size(), kDropped);
  for (uint32_t node : walk.innermost)
    for (; node != AddressOwners::kNone && numbers[node] == kDropped;
         node = walk.nodes[node].parent)
      numbers[node] = 0;
  std::vector<FunctionNode> kept;
  for (uint32_t i = 0; i < walk.nodes.size(); ++i) {
    if (numbers[i] == kDropped) continue;
    numbers[i] = static_cast<uint32_t>(kept.size());
    FunctionNode& node = kept.emplace_back(walk.nodes[i]);
    // Parents come first.
    if (node.parent != AddressOwners::kNone) node.parent = numbers[node.parent];
  }
  for (uint32_t& node : walk.innermost)
    if (node != AddressOwners::kNone) node = numbers[node];
  walk.nodes = std::move(kept);
}

}  // namespace

UnitScan ScanUnit(const UnitReader& reader,
                  const AbbreviationTable& abbreviations,
                  const ElfImage& binary, CodeSink* sink) {
  return Walker(reader, abbreviations, binary, RangeBudgetOf(reader.unit()),
                sink)
      .Run();
}

std::vector<FunctionEntry> ScanDeferred(
    const UnitReader& reader, const AbbreviationTable& abbreviations,
    const ElfImage& binary, CodeSink& sink,
    std::span<const DeferredEntries> deferred) {
  return Walker(reader, abbreviations, binary, RangeBudgetOf(reader.unit()),
                &sink)
      .ReadDeferred(deferred);
}

ScopeTree ScopesOfDeferred(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           const ElfImage& binary,
                           const DeferredEntries& deferred) {
  return Walker(reader, abbreviations, binary, 0, nullptr).ScopesOf(deferred);
}

uint32_t OwnerSink::AddFunction(const FunctionNode& function,
                                std::span<const AddressRange> ranges) {
  const uint32_t number = owners_.AddFunction(ranges);
  if (number != AddressOwners::kNone) nodes_.push_back(function);
  return number;
}

uint32_t OwnerSink::AddInlinedCall(const FunctionNode& call,
                                   std::span<const AddressRange> ranges) {
  const uint32_t number = owners_.AddInlinedCall(call.parent, ranges);
  if (number != call.parent) nodes_.push_back(call);
  return number;
}

FunctionWalk WalkFunctions(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           std::span<const uint64_t> addresses,
                           const ElfImage& binary) {
  OwnerSink sink(addresses);
  FunctionWalk walk;
  walk.scan = ScanUnit(reader, abbreviations, binary, &sink);
  if (sink.exhausted()) walk.scan.problem = kTooManyRanges;
  walk.nodes = sink.TakeNodes();
  walk.innermost = sink.TakeInnermost();
  KeepOwners(walk);
  return walk;
}

std::vector<AddressRange> FunctionRanges(const UnitReader& reader,
                                         const AbbreviationTable& abbreviations,
                                         const ElfImage& binary,
                                         uint64_t& budget) {
  Walker walker(reader, abbreviations, binary, budget, nullptr);
  std::vector<AddressRange> ranges = walker.CollectRanges();
  budget = walker.range_budget();
  return ranges;
}

}  // namespace heapprof
