// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/function_walk.h"

#include <algorithm>
#include <utility>

#include <dwarf.h>

#include "dwarf/read/range_list.h"
#include "dwarf/units/code_attributes.h"

namespace heapprof {
namespace {

// More list entries than any compiler writes for a unit of that size. A file
// may have a unit per dozen bytes.
uint64_t RangeBudgetOf(const CompilationUnit& unit) {
  return 4096 + 2 * (unit.end - unit.offset);
}

constexpr std::string_view kDamaged =
    "its entries are damaged; the rest is not read";

bool IsNamespace(const Abbreviation& abbreviation) {
  return abbreviation.tag == DW_TAG_namespace ||
         abbreviation.tag == DW_TAG_module;
}

// The first of several copies counts.
std::vector<FunctionEntry> OnePerOrigin(std::vector<FunctionEntry> entries) {
  std::ranges::stable_sort(entries, {}, &FunctionEntry::origin);
  const auto rest = std::ranges::unique(entries, {}, &FunctionEntry::origin);
  entries.erase(rest.begin(), rest.end());
  return entries;
}

class Walker {
 public:
  Walker(const UnitReader& reader, const AbbreviationTable& abbreviations,
         const ElfImage& binary, uint64_t range_budget, CodeSink* sink)
      : reader_(reader),
        abbreviations_(abbreviations),
        sink_(sink),
        ranges_(reader, binary, range_budget) {}

  UnitScan Run();
  ScannedPart RunPart(UnitPart place);
  std::vector<FunctionEntry> ReadDeferred(
      std::span<const DeferredEntries> deferred);
  ScopeTree ScopesOf(const DeferredEntries& deferred);
  std::vector<AddressRange> CollectRanges();
  uint64_t range_budget() const { return ranges_.budget(); }
  const std::string& problem() const { return result_.problem; }

 private:
  // What encloses the entries at one depth.
  struct Level {
    uint32_t node = AddressOwners::kNone;
    bool is_scope = false;
    bool is_in_function = false;
    bool is_top = false;   // the root, or a namespace at the top of it
    uint64_t sibling = 0;  // where the entry says it ends; 0 if it does not
    // The function that is deferred with these entries; 0 if they are not.
    uint64_t postponed = 0;
  };

  void WalkEntries(const DeferredEntries& part, bool is_root);
  void StartAt(const DeferredEntries& part);
  void ReadEntries(bool is_root);
  bool IsAtTop() const { return levels_.empty() || levels_.back().is_top; }
  std::optional<WalkCut> FindCut(uint64_t offset);
  bool SkipChildren(const Abbreviation& abbreviation);
  void Resume(const WalkCut& cut);
  void CloseLevel(uint64_t end);
  Level InheritLevel() const;
  void SkipCallSite(const Abbreviation& abbreviation);
  void VisitEntry(const Abbreviation& abbreviation, uint64_t entry);
  bool VisitScope(const Abbreviation& abbreviation, uint64_t entry,
                  Level& level);
  std::optional<uint64_t> SiblingOf(const Abbreviation& abbreviation) const;
  void Prefetch(uint64_t offset);
  bool Defer(const Abbreviation& abbreviation, uint64_t entry);
  std::vector<FunctionEntry> TakeEntries() {
    return OnePerOrigin(std::exchange(result_.entries, {}));
  }
  CodeAttributes ReadCode(const Abbreviation& abbreviation,
                          FunctionNode& node) {
    return ReadCodeAttributes(reader_, abbreviations_, abbreviation, cursor_,
                              node);
  }
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
  std::vector<Level> levels_;   // of the entries that are open
  std::vector<uint64_t> top_;   // the entries of those that are at the top
  uint64_t stop_ = UINT64_MAX;  // a cut at or behind it ends the walk
  bool defers_ = false;
  // The entries jumped over last end here, but for some without children.
  bool is_run_open_ = false;
  bool continues_run_ = false;  // see ScannedPart
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
  if (sink_ != nullptr && !sink_->IsComplete(result_.code)) {
    std::string problem = std::exchange(result_.problem, {});
    result_.deferred_entries = ReadDeferred(result_.deferred);
    result_.deferred_problem = std::exchange(result_.problem, problem);
  }
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
  StartAt(part);
  ReadEntries(is_root);
}

void Walker::StartAt(const DeferredEntries& part) {
  cursor_ =
      LittleEndianCursor(reader_.sections().info.first(part.end), part.start);
  scopes_ = {};
  levels_.clear();
  top_.clear();
}

void Walker::ReadEntries(bool is_root) {
  while (!cursor_.AtEnd()) {
    const uint64_t entry = cursor_.offset();
    if (entry >= stop_ && IsAtTop()) break;
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
      if (abbreviation->kind == EntryKind::kOther &&
          !abbreviation->has_children)
        abbreviations_.Skip(*abbreviation, cursor_);
      else if (abbreviation->is_call_site && !IsAtTop())
        SkipCallSite(*abbreviation);
      else
        VisitEntry(*abbreviation, entry);
    }
    if (is_root && levels_.empty()) break;
    // Most entries are of no interest.
    abbreviations_.SkipLeaves(cursor_, IsAtTop() ? stop_ : UINT64_MAX);
  }
  if (!is_root && !levels_.empty()) result_.problem = kDamaged;
  if (result_.problem.empty() && !cursor_.ok())
    result_.problem = "its entries are cut off";
  if (ranges_.budget() == 0) result_.problem = kTooManyRanges;
}

ScannedPart Walker::RunPart(UnitPart place) {
  ScannedPart part;
  const CompilationUnit& unit = reader_.unit();
  const bool is_first = place.start <= unit.root;
  defers_ = true;
  stop_ = place.end;
  StartAt({unit.root, unit.end});
  const std::optional<WalkCut> start =
      is_first ? WalkCut{unit.root, {}} : FindCut(place.start);
  if (!start) {
    part.scan.problem = kDamaged;
    return part;
  }
  part.start = *start;
  Resume(part.start);
  if (is_first || !levels_.empty()) ReadEntries(/*is_root=*/true);
  part.end = {cursor_.offset(), top_};
  part.continues_run = continues_run_;
  part.is_run_open = is_run_open_;
  part.ranges_read = RangeBudgetOf(unit) - ranges_.budget();
  result_.scopes = scopes_.Take();
  part.scan = std::move(result_);
  return part;
}

// Steps to the first cut at or behind `offset`, or to the end of the unit.
std::optional<WalkCut> Walker::FindCut(uint64_t offset) {
  WalkCut cut;
  while (!cursor_.AtEnd() && (cursor_.offset() < offset || cut.open.empty())) {
    const uint64_t entry = cursor_.offset();
    const uint64_t code = cursor_.Uleb();
    if (code == 0) {
      if (cut.open.empty()) return std::nullopt;
      cut.open.pop_back();
      if (cut.open.empty()) break;
      continue;
    }
    const Abbreviation* abbreviation = abbreviations_.Find(code);
    if (abbreviation == nullptr) return std::nullopt;
    const bool is_root = cut.open.empty();
    if (is_root && (abbreviation->kind != EntryKind::kOther ||
                    !abbreviation->has_children))
      return std::nullopt;
    abbreviations_.Skip(*abbreviation, cursor_);
    if (!abbreviation->has_children) continue;
    if (is_root || IsNamespace(*abbreviation))
      cut.open.push_back(entry);
    else if (!SkipChildren(*abbreviation))
      return std::nullopt;
  }
  if (!cursor_.ok()) return std::nullopt;
  cut.offset = cursor_.offset();
  return cut;
}

// Moves on from the attributes of an entry to what follows its children.
bool Walker::SkipChildren(const Abbreviation& abbreviation) {
  if (const auto sibling = SiblingOf(abbreviation)) {
    cursor_.Skip(*sibling - cursor_.offset());
    Prefetch(*sibling);
    return true;
  }
  for (size_t depth = 1; depth > 0 && !cursor_.AtEnd();) {
    const uint64_t code = cursor_.Uleb();
    if (code == 0) {
      --depth;
      continue;
    }
    const Abbreviation* child = abbreviations_.Find(code);
    if (child == nullptr) return false;
    abbreviations_.Skip(*child, cursor_);
    if (child->has_children) ++depth;
  }
  return true;
}

// Goes on as if what is in front of `cut`, where the cursor is, had been read.
void Walker::Resume(const WalkCut& cut) {
  top_ = cut.open;
  for (const uint64_t entry : cut.open)
    levels_.push_back({.is_scope = entry != cut.open.front(), .is_top = true});
  if (cut.open.empty()) return;
  scopes_.Resume(std::span(cut.open).subspan(1));
  is_run_open_ = true;
}

// `end` is that of the children, where the cursor has been before.
void Walker::CloseLevel(uint64_t end) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.is_top) top_.pop_back();
  if (level.is_scope) scopes_.Leave(end);
  // What jumps over it must end up here, too.
  if (level.sibling != 0 && level.sibling != cursor_.offset())
    result_.problem = kDamaged;
  is_run_open_ = false;
  const bool is_inside = !levels_.empty() && levels_.back().postponed != 0;
  if (level.postponed != 0 && !is_inside)
    result_.deferred.push_back({level.postponed, cursor_.offset()});
}

// What an entry passes on to its children, unless it is of interest itself.
Walker::Level Walker::InheritLevel() const {
  Level level;
  if (!levels_.empty()) level = levels_.back();
  level.is_scope = false;
  level.is_top = levels_.empty();
  level.sibling = 0;
  return level;
}

// Most entries in functions are call sites with children.
void Walker::SkipCallSite(const Abbreviation& abbreviation) {
  abbreviations_.Skip(abbreviation, cursor_);
  if (!abbreviation.has_children) return;
  is_run_open_ = false;
  if (const auto sibling = SiblingOf(abbreviation))
    cursor_.Skip(*sibling - cursor_.offset());
  else
    levels_.push_back(InheritLevel());
}

void Walker::VisitEntry(const Abbreviation& abbreviation, uint64_t entry) {
  Level level = InheritLevel();
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
  if (level.is_top) top_.push_back(entry);
  levels_.push_back(level);
}

std::optional<uint64_t> Walker::SiblingOf(
    const Abbreviation& abbreviation) const {
  return reader_.SiblingOf(abbreviation, cursor_);
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
  const bool is_first = result_.deferred.empty();
  if (is_run_open_ && !is_first)
    result_.deferred.back().end = *sibling;
  else
    result_.deferred.push_back({entry, *sibling});
  continues_run_ = continues_run_ || (is_run_open_ && is_first);
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
                                     : !IsNamespace(abbreviation);
  const bool is_deferred = may_defer && Defer(abbreviation, entry);
  scopes_.Enter(entry, abbreviation.has_children && !is_deferred);
  if (is_deferred) return false;
  level.is_scope = true;
  if (!is_function) {
    if (IsNamespace(abbreviation)) level.is_top = IsAtTop();
    return true;
  }
  level.is_in_function = true;
  if (defers_) level.sibling = SiblingOf(abbreviation).value_or(0);
  if (is_nested && abbreviation.has_children)
    level.postponed = entry;
  else if (is_nested)
    result_.deferred.push_back({entry, cursor_.offset()});
  return true;
}

void Walker::ReadRanges(const CodeAttributes& code) {
  scratch_.clear();
  const CodeValue& ranges = code[AttributeField::kRanges];
  const CodeValue& low_pc = code[AttributeField::kLowPc];
  const CodeValue& high_pc = code[AttributeField::kHighPc];
  if (ranges.has_value()) {
    ranges_.ReadList(ranges.value(), scratch_);
  } else if (low_pc.has_value() && high_pc.has_value()) {
    if (const auto start = reader_.AddressOf(low_pc.value()))
      ranges_.ReadPair(*start, high_pc.value(), scratch_);
  }
}

// Where the function with the ranges in scratch_ starts. The first range
// holds the entry of a split function; the others, like its cold part, may
// lie before it.
uint64_t Walker::FindEntry(const CodeAttributes& code) const {
  const CodeValue& entry_pc = code[AttributeField::kEntryPc];
  const CodeValue& recorded =
      entry_pc.has_value() ? entry_pc : code[AttributeField::kLowPc];
  const auto address = reader_.AddressOf(recorded.value());
  if (address && ranges_.IsCode(*address)) return *address;
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

// `later` comes behind what `scan` is of. `in_run`, if the last entries that
// were jumped over are still open, is that of `scan`.
void AppendScan(UnitScan& scan, const ScannedPart& later, bool& in_run) {
  const UnitScan& more = later.scan;
  scan.scopes.Append(more.scopes, later.start.offset);
  scan.entries.insert(scan.entries.end(), more.entries.begin(),
                      more.entries.end());
  scan.code.insert(scan.code.end(), more.code.begin(), more.code.end());
  std::span<const DeferredEntries> deferred = more.deferred;
  if (in_run && later.continues_run) {
    scan.deferred.back().end = deferred.front().end;
    deferred = deferred.subspan(1);
  }
  // A part without any may lie in the middle of a run.
  in_run = later.is_run_open && (in_run || !more.deferred.empty());
  scan.deferred.insert(scan.deferred.end(), deferred.begin(), deferred.end());
}

}  // namespace

UnitScan ScanUnit(const UnitReader& reader,
                  const AbbreviationTable& abbreviations,
                  const ElfImage& binary, CodeSink* sink) {
  return Walker(reader, abbreviations, binary, RangeBudgetOf(reader.unit()),
                sink)
      .Run();
}

ScannedPart ScanPart(UnitPart place, const UnitReader& reader,
                     const AbbreviationTable& abbreviations,
                     const ElfImage& binary, CodeSink& sink) {
  return Walker(reader, abbreviations, binary, RangeBudgetOf(reader.unit()),
                &sink)
      .RunPart(place);
}

std::optional<UnitScan> JoinScans(std::span<ScannedPart> parts,
                                  const UnitReader& reader,
                                  const AbbreviationTable& abbreviations,
                                  const ElfImage& binary, CodeSink& sink,
                                  bool check_deferred) {
  uint64_t ranges_left = RangeBudgetOf(reader.unit());
  const ScannedPart* last = nullptr;
  for (const ScannedPart& part : parts) {
    const bool fits = last == nullptr || part.start == last->end;
    if (!fits || !part.scan.problem.empty() || part.ranges_read >= ranges_left)
      return std::nullopt;
    ranges_left -= part.ranges_read;
    last = &part;
  }
  UnitScan scan = std::move(parts.front().scan);
  bool in_run = parts.front().is_run_open;
  for (const ScannedPart& part : parts.subspan(1))
    AppendScan(scan, part, in_run);
  scan.entries = OnePerOrigin(std::move(scan.entries));
  const bool is_complete = sink.IsComplete(scan.code);
  if (is_complete && !check_deferred) return scan;
  EntrySink check;
  CodeSink* deferred_sink = is_complete ? &check : &sink;
  Walker walker(reader, abbreviations, binary, ranges_left, deferred_sink);
  std::vector<FunctionEntry> entries = walker.ReadDeferred(scan.deferred);
  if (!walker.problem().empty()) return std::nullopt;
  if (!is_complete) scan.deferred_entries = std::move(entries);
  return scan;
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
