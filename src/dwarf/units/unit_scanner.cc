// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_scanner.h"

#include <algorithm>

#include <dwarf.h>

#include "dwarf/shared/problem_log.h"
#include "dwarf/shared/unit_ranges.h"

namespace heapprof {
namespace {

bool IsNamespace(const Abbreviation& abbreviation) {
  return abbreviation.tag == DW_TAG_namespace ||
         abbreviation.tag == DW_TAG_module;
}

}  // namespace

uint64_t RangeBudgetOf(const CompilationUnit& unit) {
  return RangeBudgetOfUnit(unit.end - unit.offset);
}

std::vector<EntryPc> OnePerOrigin(std::vector<EntryPc> entry_pcs) {
  std::ranges::stable_sort(entry_pcs, {}, &EntryPc::origin);
  const auto rest = std::ranges::unique(entry_pcs, {}, &EntryPc::origin);
  entry_pcs.erase(rest.begin(), rest.end());
  return entry_pcs;
}

UnitScan UnitScanner::Run() {
  const CompilationUnit& unit = reader_.unit();
  if (sink_ != nullptr) skipping_ = Skipping::kMost;
  ScanDies({unit.root, unit.end}, /*is_root=*/true);
  result_.scopes = scopes_.Take();
  std::vector<EntryPc> entry_pcs = TakeEntryPcs();
  if (sink_ != nullptr && !sink_->IsComplete(result_.code)) {
    std::string problem = std::exchange(result_.problem, {});
    result_.skipped_entry_pcs = ReadSkipped(result_.skipped);
    result_.skipped_problem = std::exchange(result_.problem, problem);
  }
  result_.entry_pcs = std::move(entry_pcs);
  return std::move(result_);
}

std::vector<EntryPc> UnitScanner::ReadSkipped(
    std::span<const SkippedDies> skipped) {
  std::vector<SkippedDies> declarations;
  std::swap(result_.skipped, declarations);
  skipping_ = Skipping::kDeclarations;
  for (const SkippedDies& dies : skipped) ScanDies(dies, /*is_root=*/false);
  std::swap(result_.skipped, declarations);
  std::vector<EntryPc> entry_pcs = TakeEntryPcs();
  if (sink_->HasAllCode()) return entry_pcs;
  skipping_ = Skipping::kNothing;
  for (const SkippedDies& dies : declarations)
    ScanDies(dies, /*is_root=*/false);
  // Which entry PCs are known must not depend on what the sink needs.
  result_.entry_pcs.clear();
  return entry_pcs;
}

ScopeTree UnitScanner::ScopesOf(const SkippedDies& skipped) {
  ScanDies(skipped, /*is_root=*/false);
  return scopes_.Take();
}

// Scans the root DIE of the unit with all of its children (`is_root`), or a run
// of skipped DIEs inside of it.
void UnitScanner::ScanDies(const SkippedDies& dies, bool is_root) {
  StartAt(dies);
  ReadDies(is_root);
}

void UnitScanner::StartAt(const SkippedDies& dies) {
  cursor_ =
      LittleEndianCursor(reader_.sections().info.first(dies.end), dies.start);
  starts_in_function_ = dies.is_in_function;
  extends_last_skip_ = false;
  scopes_ = {};
  levels_.clear();
  top_.clear();
}

void UnitScanner::ReadDies(bool is_root) {
  while (!cursor_.AtEnd()) {
    const uint64_t die = cursor_.offset();
    if (die >= stop_ && IsAtTop()) break;
    const uint64_t code = cursor_.Uleb();
    if (code == 0) {
      if (levels_.empty()) continue;  // padding
      CloseLevel(die);
    } else {
      const Abbreviation* abbreviation = abbreviations_.Find(code);
      if (abbreviation == nullptr || !cursor_.ok()) {
        result_.problem = kDamagedDies;
        break;
      }
      if (abbreviation->kind == DieKind::kOther && !abbreviation->has_children)
        abbreviations_.Skip(*abbreviation, cursor_);
      else if (abbreviation->is_call_site && !IsAtTop())
        SkipCallSite(*abbreviation);
      else
        VisitDie(*abbreviation, die);
    }
    if (is_root && levels_.empty()) break;
    // This is a fast path, because most DIEs have no children and need not be
    // read.
    abbreviations_.SkipLeaves(cursor_, IsAtTop() ? stop_ : UINT64_MAX);
  }
  if (!is_root && !levels_.empty()) result_.problem = kDamagedDies;
  if (result_.problem.empty() && !cursor_.ok())
    result_.problem = "its DIEs are cut off";
  if (ranges_.budget() == 0) result_.problem = kTooManyRanges;
}

ScannedChunk UnitScanner::RunChunk(UnitChunk chunk) {
  ScannedChunk scanned;
  const CompilationUnit& unit = reader_.unit();
  const bool is_first = chunk.start <= unit.root;
  skipping_ = Skipping::kMost;
  stop_ = chunk.end;
  StartAt({unit.root, unit.end});
  const std::optional<ChunkBoundary> start =
      is_first ? ChunkBoundary{unit.root, {}} : FindBoundary(chunk.start);
  if (!start) {
    scanned.scan.problem = kDamagedDies;
    return scanned;
  }
  scanned.start = *start;
  Resume(scanned.start);
  if (is_first || !levels_.empty()) ReadDies(/*is_root=*/true);
  scanned.end = {cursor_.offset(), top_};
  scanned.continues_skip = continues_skip_;
  scanned.ends_in_skip = extends_last_skip_;
  scanned.ranges_read = RangeBudgetOf(unit) - ranges_.budget();
  result_.scopes = scopes_.Take();
  scanned.scan = std::move(result_);
  return scanned;
}

// Steps to the first boundary at or after `offset`, or to the end of the unit.
// Returns nothing if the DIEs before it are damaged.
std::optional<ChunkBoundary> UnitScanner::FindBoundary(uint64_t offset) {
  ChunkBoundary boundary;
  while (!cursor_.AtEnd() &&
         (cursor_.offset() < offset || boundary.open.empty())) {
    const uint64_t die = cursor_.offset();
    const uint64_t code = cursor_.Uleb();
    if (code == 0) {
      if (boundary.open.empty()) return std::nullopt;
      boundary.open.pop_back();
      if (boundary.open.empty()) break;
      continue;
    }
    const Abbreviation* abbreviation = abbreviations_.Find(code);
    if (abbreviation == nullptr) return std::nullopt;
    const bool is_root = boundary.open.empty();
    if (is_root &&
        (abbreviation->kind != DieKind::kOther || !abbreviation->has_children))
      return std::nullopt;
    abbreviations_.Skip(*abbreviation, cursor_);
    if (!abbreviation->has_children) continue;
    if (is_root || IsNamespace(*abbreviation))
      boundary.open.push_back(die);
    else if (!SkipChildren(*abbreviation))
      return std::nullopt;
  }
  if (!cursor_.ok()) return std::nullopt;
  boundary.offset = cursor_.offset();
  return boundary;
}

// Moves from the end of a DIE's attributes to the end of its children. If they
// are damaged, returns false, and does not move.
bool UnitScanner::SkipChildren(const Abbreviation& abbreviation) {
  if (const auto sibling = SiblingOf(abbreviation)) {
    cursor_.Skip(*sibling - cursor_.offset());
    Prefetch(*sibling);
    return true;
  }
  // Without this check, a scan might read to the same damage from each of the
  // DIEs that enclose it.
  if (has_damaged_children_) return false;
  const LittleEndianCursor start = cursor_;
  if (abbreviations_.SkipChildren(cursor_)) return true;
  cursor_ = start;
  has_damaged_children_ = true;
  return false;
}

// Continues at `boundary`, where the cursor is, as if all DIEs before
// `boundary` had been read.
void UnitScanner::Resume(const ChunkBoundary& boundary) {
  top_ = boundary.open;
  for (const uint64_t die : boundary.open)
    levels_.push_back(
        {.is_scope = die != boundary.open.front(), .is_top = true});
  if (boundary.open.empty()) return;
  scopes_.Resume(std::span(boundary.open).subspan(1));
  extends_last_skip_ = true;
}

// Called at the end of a DIE's children. `end` is the offset of the null entry
// that ends them.
void UnitScanner::CloseLevel(uint64_t end) {
  const Level level = levels_.back();
  levels_.pop_back();
  if (level.is_top) top_.pop_back();
  if (level.is_scope) scopes_.Leave(end);
  // DW_AT_sibling must point to where the children really end. Otherwise a scan
  // that skips the children of this DIE would continue at a different offset.
  if (level.sibling != 0 && level.sibling != cursor_.offset())
    result_.problem = kDamagedDies;
  extends_last_skip_ = false;
  const bool is_inside =
      !levels_.empty() && levels_.back().skipped_function != 0;
  if (level.skipped_function != 0 && !is_inside)
    result_.skipped.push_back({level.skipped_function, cursor_.offset(),
                               scopes_.Innermost(), /*is_in_function=*/true});
}

// Returns the level for the children of a DIE that is not a scope and has no
// code.
UnitScanner::Level UnitScanner::InheritLevel() const {
  Level level;
  if (!levels_.empty())
    level = levels_.back();
  else
    level.is_in_function = starts_in_function_;
  level.is_scope = false;
  level.is_top = levels_.empty();
  level.sibling = 0;
  return level;
}

// Skips a call site in a function. This is a fast path, because most DIEs in
// functions are call sites with children.
void UnitScanner::SkipCallSite(const Abbreviation& abbreviation) {
  abbreviations_.Skip(abbreviation, cursor_);
  if (!abbreviation.has_children) return;
  extends_last_skip_ = false;
  if (const auto sibling = SiblingOf(abbreviation))
    cursor_.Skip(*sibling - cursor_.offset());
  else
    levels_.push_back(InheritLevel());
}

void UnitScanner::VisitDie(const Abbreviation& abbreviation, uint64_t die) {
  Level level = InheritLevel();
  if (abbreviation.kind == DieKind::kOther || level.skipped_function != 0) {
    abbreviations_.Skip(abbreviation, cursor_);
  } else if (abbreviation.kind == DieKind::kInlinedSubroutine) {
    if (level.node == InnermostFunctions::kNone)
      abbreviations_.Skip(abbreviation, cursor_);
    else
      level.node = EnterInlinedSubroutine(abbreviation, die, level.node);
    if (level.node == InnermostFunctions::kNone && skips_most() &&
        SkipSubtree(abbreviation, die))
      return;
    if (skips_most()) level.sibling = SiblingOf(abbreviation).value_or(0);
  } else if (!VisitScope(abbreviation, die, level)) {
    return;
  }
  if (!abbreviation.has_children) return;
  extends_last_skip_ = false;
  if (level.is_top) top_.push_back(die);
  levels_.push_back(level);
}

std::optional<uint64_t> UnitScanner::SiblingOf(
    const Abbreviation& abbreviation) const {
  return reader_.SiblingOf(abbreviation, cursor_);
}

// Prefetches the DIEs at `offset`, to which the scan jumps. The jumps are too
// irregular for the processor to prefetch on its own.
void UnitScanner::Prefetch(uint64_t offset) {
  constexpr uint64_t kAhead = 1024;
  constexpr uint64_t kCacheLine = 64;
  const std::span<const uint8_t> info = reader_.sections().info;
  const uint64_t end = std::min<uint64_t>(offset + kAhead, info.size());
  prefetched_end_ = std::max(prefetched_end_, offset);
  for (; prefetched_end_ < end; prefetched_end_ += kCacheLine)
    __builtin_prefetch(info.data() + prefetched_end_);
}

// Skips the children of the DIE that was read last, unless they are damaged.
// Returns true if it skipped them.
bool UnitScanner::SkipSubtree(const Abbreviation& abbreviation, uint64_t die) {
  if (!abbreviation.has_children || !SkipChildren(abbreviation)) return false;
  const uint64_t end = cursor_.offset();
  // If only DIEs without children came after the last run of skipped DIEs, this
  // skip extends that run, which is usually the case.
  const bool is_first = result_.skipped.empty();
  if (extends_last_skip_ && !is_first)
    result_.skipped.back().end = end;
  else
    result_.skipped.push_back(
        {die, end, scopes_.Innermost(), InheritLevel().is_in_function});
  continues_skip_ = continues_skip_ || (extends_last_skip_ && is_first);
  extends_last_skip_ = true;
  return true;
}

std::vector<AddressRange> UnitScanner::CollectRanges() {
  const CompilationUnit& unit = reader_.unit();
  cursor_ =
      LittleEndianCursor(reader_.sections().info.first(unit.end), unit.root);
  std::vector<AddressRange> all;
  while (!cursor_.AtEnd()) {
    abbreviations_.SkipQuickly(cursor_, /*depth=*/UINT64_MAX / 2);
    const uint64_t code = cursor_.Uleb();
    if (code == 0) continue;
    const Abbreviation* abbreviation = abbreviations_.Find(code);
    if (abbreviation == nullptr) break;
    if (abbreviation->kind == DieKind::kFunction && abbreviation->has_code) {
      FunctionNode node;
      ReadRanges(ReadCode(*abbreviation, node));
      all.insert(all.end(), ranges_of_die_.begin(), ranges_of_die_.end());
    } else {
      abbreviations_.Skip(*abbreviation, cursor_);
    }
  }
  return all;
}

// Reads a scope or a function, and sets `level` for its children. Returns false
// if the children were skipped.
bool UnitScanner::VisitScope(const Abbreviation& abbreviation, uint64_t die,
                             Level& level) {
  const bool is_function = abbreviation.kind == DieKind::kFunction;
  const bool is_nested = is_function && level.is_in_function && skips_most();
  if (is_function && abbreviation.has_code && sink_ != nullptr && !is_nested) {
    level.node = EnterFunction(abbreviation, die);
  } else {
    abbreviations_.Skip(abbreviation, cursor_);
    if (is_function) level.node = InnermostFunctions::kNone;
  }
  const bool is_skipped =
      MaySkipScope(abbreviation, level) && SkipSubtree(abbreviation, die);
  scopes_.Enter(die, abbreviation.has_children && !is_skipped);
  if (is_skipped) return false;
  level.is_scope = true;
  if (!is_function) {
    if (IsNamespace(abbreviation)) level.is_top = IsAtTop();
    return true;
  }
  level.is_in_function = true;
  if (skips_most()) level.sibling = SiblingOf(abbreviation).value_or(0);
  if (is_nested && abbreviation.has_children)
    level.skipped_function = die;
  else if (is_nested)
    result_.skipped.push_back({die, cursor_.offset(), scopes_.Innermost(),
                               /*is_in_function=*/true});
  return true;
}

// `level` is that of the scope itself, before VisitScope() has changed it for
// the children, except its node.
bool UnitScanner::MaySkipScope(const Abbreviation& abbreviation,
                               const Level& level) const {
  const bool is_function = abbreviation.kind == DieKind::kFunction;
  switch (skipping_) {
    case Skipping::kNothing:
      return false;
    case Skipping::kDeclarations:
      return is_function ? abbreviation.is_declaration
                         : !level.is_in_function && !IsNamespace(abbreviation);
    case Skipping::kMost:
      return is_function ? level.node == InnermostFunctions::kNone
                         : !IsNamespace(abbreviation);
  }
  return false;
}

void UnitScanner::ReadRanges(const CodeAttributes& code) {
  ranges_of_die_.clear();
  const CodeValue& ranges = code[KnownAttribute::kRanges];
  const CodeValue& low_pc = code[KnownAttribute::kLowPc];
  const CodeValue& high_pc = code[KnownAttribute::kHighPc];
  if (ranges.has_value()) {
    ranges_.ReadList(ranges.value(), ranges_of_die_);
  } else if (low_pc.has_value() && high_pc.has_value()) {
    if (const auto start = reader_.AddressOf(low_pc.value()))
      ranges_.ReadPair(*start, high_pc.value(), ranges_of_die_);
  }
}

// Returns the entry PC of the function whose ranges are in ranges_of_die_. If
// the DIE does not record the entry PC, returns the start of the first range.
// Compilers put the range with the entry first, although other ranges, such as
// that of the cold part, may have lower addresses.
uint64_t UnitScanner::FindEntryPc(const CodeAttributes& code) const {
  const CodeValue& entry_pc = code[KnownAttribute::kEntryPc];
  const CodeValue& recorded =
      entry_pc.has_value() ? entry_pc : code[KnownAttribute::kLowPc];
  const auto address = reader_.AddressOf(recorded.value());
  if (address && ranges_.IsCode(*address)) return *address;
  return ranges_of_die_.front().start;
}

uint32_t UnitScanner::EnterFunction(const Abbreviation& abbreviation,
                                    uint64_t die) {
  FunctionNode node{.die = die};
  const CodeAttributes code = ReadCode(abbreviation, node);
  ReadRanges(code);
  if (ranges_of_die_.empty()) return InnermostFunctions::kNone;
  if (skips_most())
    result_.code.insert(result_.code.end(), ranges_of_die_.begin(),
                        ranges_of_die_.end());
  node.entry_pc = FindEntryPc(code);
  if (code.abstract_origin)
    result_.entry_pcs.push_back({*code.abstract_origin, node.entry_pc});

  return sink_->AddFunction(node, ranges_of_die_);
}

// Appends to ranges_of_die_ the ranges of all subroutines inlined into the DIE
// that was read last. DWARF 2 has no range lists, so gcc -gstrict-dwarf records
// only the first piece of a subroutine whose code is in several pieces.
void UnitScanner::AddRangesInside(const Abbreviation& abbreviation) {
  // The DIEs are read again at each level, and a malicious file may nest them
  // deeply.
  constexpr size_t kMaxDepth = 64;
  if (levels_.size() > kMaxDepth) return;
  const LittleEndianCursor start = cursor_;
  std::vector<AddressRange> ranges = ranges_of_die_;
  for (size_t depth = abbreviation.has_children ? 1 : 0;
       depth > 0 && !cursor_.AtEnd();) {
    const uint64_t code = cursor_.Uleb();
    const Abbreviation* inside = abbreviations_.Find(code);
    if (code != 0 && inside == nullptr) break;
    if (code == 0) {
      --depth;
    } else {
      FunctionNode node;
      ranges_of_die_.clear();
      if (inside->kind == DieKind::kInlinedSubroutine)
        ReadRanges(ReadCode(*inside, node));
      else
        abbreviations_.Skip(*inside, cursor_);
      ranges.insert(ranges.end(), ranges_of_die_.begin(), ranges_of_die_.end());
      if (inside->has_children) ++depth;
    }
  }
  ranges_of_die_ = std::move(ranges);
  cursor_ = start;
}

uint32_t UnitScanner::EnterInlinedSubroutine(const Abbreviation& abbreviation,
                                             uint64_t die, uint32_t parent) {
  FunctionNode node{.die = die, .parent = parent};
  ReadRanges(ReadCode(abbreviation, node));
  if (reader_.unit().encoding.version == 2) AddRangesInside(abbreviation);
  // The name and the declaration of an inlined subroutine are not in its own
  // DIE, but in its abstract origin or a DIE to which that refers.
  node.die = node.origin;
  return sink_->AddInlinedSubroutine(node, ranges_of_die_);
}

}  // namespace heapprof
