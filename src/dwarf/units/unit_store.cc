// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_store.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "dwarf/read/range_list.h"
#include "dwarf/shared/interval_set.h"
#include "dwarf/units/scope_search.h"
#include "dwarf/units/type_units.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/part_of.h"

namespace heapprof {
namespace {

// For each kind of table, the number of bytes read is limited to a constant
// plus kReadsOfEachByte times the size of the section. In a valid file, each
// byte of a table is read only once or twice.
constexpr uint64_t kBaseBytes = 1 << 20;
constexpr uint64_t kReadsOfEachByte = 4;

// Each unit raises the limit on reading .debug_abbrev for root DIEs by this
// many bytes. The abbreviation of a root DIE is usually near the start of its
// table, so that fewer bytes are read.
constexpr uint64_t kRootBytesPerUnit = 256;

constexpr uint64_t kBaseHeaderBytes = 16 << 20;

std::string ProblemOf(const CompilationUnit& unit, std::string_view problem) {
  return fmt::format("unit at {:#x} of .debug_info: {}", unit.offset, problem);
}

// Returns the entry PC of the function with the origin `origin`; 0 if there is
// none. `entry_pcs` must be sorted by origin.
uint64_t FindEntryPc(const std::vector<EntryPc>& entry_pcs, uint64_t origin) {
  const auto found =
      std::ranges::lower_bound(entry_pcs, origin, {}, &EntryPc::origin);
  return found != entry_pcs.end() && found->origin == origin ? found->address
                                                             : 0;
}

}  // namespace

UnitStore::UnitStore(const DebugSections& sections, const ElfImage& binary,
                     unsigned jobs, UnitList types)
    : sections_(sections),
      binary_(binary),
      jobs_(jobs),
      abbreviation_budget_(kBaseBytes +
                           kReadsOfEachByte * sections.abbreviations.size()),
      root_budget_(abbreviation_budget_.left()),
      line_header_budget_(kBaseHeaderBytes +
                          kReadsOfEachByte * sections.line.size()),
      range_budget_(RangeBudgetOfRoots(sections.ranges.size() +
                                       sections.range_lists.size())) {
  AddUnits(std::move(types));
  is_read_ = true;
}

UnitStore::UnitStore(const DebugSections& sections, const ElfImage& binary,
                     unsigned jobs, const CompilationUnit* skeleton)
    : UnitStore(sections, binary, jobs, UnitList()) {
  if (sections.info_stream != nullptr) {
    is_read_ = false;
    has_window_ = sections.info.size() > sections.streaming.most_kept &&
                  !MayReferToOtherUnits(sections.abbreviations);
    return;
  }
  UnitList list = ReadUnitHeaders(sections);
  problem_ = std::move(list.problem);
  AddUnits(std::move(list));
  if (skeleton == nullptr)
    ReadRoots(0);
  else
    ReadSplitRoot(*skeleton);
  ranges_.Sort();
}

std::optional<UnitRanges> UnitStore::ReadMore() {
  const uint64_t size = sections_.info.size();
  if (is_read_ || !problem_.empty()) return std::nullopt;
  if (next_offset_ >= size) {
    ranges_.Sort();
    is_read_ = true;
    return std::nullopt;
  }
  InflateStream& stream = *sections_.info_stream;
  const uint64_t end = std::min(size, next_offset_ + sections_.streaming.step);
  UnitList list;
  if (stream.WaitFor(std::min(size, end + kMaxUnitHeaderSize)))
    list = ReadUnitHeaders(sections_, {next_offset_, end});
  problem_ = std::move(list.problem);
  if (problem_.empty() && (list.end == 0 || !stream.WaitFor(list.end)))
    problem_ = ".debug_info is damaged";
  if (!problem_.empty()) return std::nullopt;
  next_offset_ = list.end;
  const size_t first = units_.size();
  const size_t known_ranges = ranges_.size();
  AddUnits(std::move(list));
  ReadRoots(first);
  if (!problem_.empty() || !FitWindow(first)) return std::nullopt;
  return ranges_.AddedSince(known_ranges);
}

// Adjusts the window to the units from `first` on, which were just read. A file
// with skeleton units is read without a window, because what a skeleton says
// about an address counts only if its split unit says nothing about it. Returns
// false if DIEs were discarded before the first skeleton was found.
bool UnitStore::FitWindow(size_t first) {
  const auto new_units = std::ranges::subrange(
      units_.begin() + static_cast<ptrdiff_t>(first), units_.end());
  if (has_window_ && std::ranges::any_of(new_units, [](const auto& unit) {
        return unit.split.has_value();
      })) {
    if (!has_all_dies()) return false;
    has_window_ = false;
  }
  if (!has_window_) return true;
  readable_.end = next_offset_;
  for (CompilationUnit& unit : new_units) unit.directory = Keep(unit.directory);
  return true;
}

// Returns `text` at a place that stays valid when its DIE is discarded.
std::string_view UnitStore::Keep(std::string_view text) {
  if (!IsPartOf(text, sections_.info)) return text;
  if (kept_texts_.empty() || kept_texts_.back() != text)
    kept_texts_.emplace_back(text);
  return kept_texts_.back();
}

void UnitStore::DiscardRead() {
  readable_.start = next_offset_;
  sections_.info_stream->Discard(readable_.start);
}

bool UnitStore::MoveWindow(uint32_t first, uint32_t last) {
  if (!has_window_ || sections_.info_stream == nullptr) return true;
  readable_ = {units_[first].offset, units_[last].end};
  if (!sections_.info_stream->WaitFor(readable_.end)) return false;
  sections_.info_stream->Discard(readable_.start);
  return true;
}

void UnitStore::StartAgain() {
  readable_ = {0, sections_.info_stream == nullptr ? UINT64_MAX : 0};
  has_missed_dies_ = false;
}

unsigned UnitStore::free_threads() const {
  const InflateStream* stream = sections_.info_stream;
  const bool is_inflating = stream != nullptr && stream->is_inflating();
  return is_inflating && jobs_ > 1 ? jobs_ - 1 : jobs_;
}

void UnitStore::AddUnits(UnitList list) {
  for (CompilationUnit& unit : list.units) {
    offsets_.push_back(unit.offset);
    readers_.emplace_back(sections_, units_.emplace_back(std::move(unit)));
    tables_of_units_.emplace_back();
    scans_.emplace_back();
  }
  root_budget_.Add(kRootBytesPerUnit * list.units.size());
}

void UnitStore::ReadRoots(size_t first) {
  constexpr size_t kUnitsAtOnce = 64;
  const size_t count = units_.size() - first;
  std::vector<UnitCode> codes(count);
  ForEach((count + kUnitsAtOnce - 1) / kUnitsAtOnce, free_threads(),
          [&](size_t block) {
            const size_t start = block * kUnitsAtOnce;
            const size_t end = std::min(start + kUnitsAtOnce, count);
            for (size_t i = start; i < end; ++i)
              codes[i] = ReadRoot(static_cast<uint32_t>(first + i));
          });
  if (root_budget_.is_used_up())
    problem_ = "too many units share their abbreviations";
  for (size_t i = 0; i < count && problem_.empty(); ++i) {
    const auto unit = static_cast<uint32_t>(first + i);
    if (!codes[i].problem.empty())
      problem_ = ProblemOf(units_[unit], codes[i].problem);
    for (const AddressRange& range : codes[i].ranges) ranges_.Add(range, unit);
  }
}

UnitStore::UnitCode UnitStore::ReadRoot(uint32_t index) {
  CompilationUnit& unit = units_[index];
  RootCode code;
  if (unit.problem.empty()) {
    const uint64_t granted = root_budget_.left();
    uint64_t left = granted;
    code = ReadRootDie(sections_, left, unit);
    root_budget_.Take(granted - left);
  }
  if (!unit.problem.empty()) return {.problem = unit.problem};
  return unit.is_compile_unit ? CodeOf(index, code) : UnitCode();
}

// Reads the root DIEs of the split unit of `skeleton` and of the type units,
// which are the other units in the file.
void UnitStore::ReadSplitRoot(const CompilationUnit& skeleton) {
  uint64_t budget = root_budget_.left();
  bool is_found = false;
  for (uint32_t i = 0; i < units_.size(); ++i) {
    CompilationUnit& unit = units_[i];
    if (!unit.problem.empty() || (is_found && unit.type == 0)) continue;
    ReadRootDie(sections_, budget, unit);
    if (!unit.problem.empty() || !unit.is_compile_unit ||
        unit.id != skeleton.id)
      continue;
    unit.base_address = skeleton.base_address;
    unit.address_base = skeleton.address_base;
    unit.line_program_offset = skeleton.line_program_offset;
    unit.directory = skeleton.directory;
    ranges_.Add({0, UINT64_MAX}, i);
    is_found = true;
  }
  if (!is_found) problem_ = fmt::format("no unit with id {:#x}", skeleton.id);
}

UnitStore::UnitCode UnitStore::CodeOf(uint32_t index, const RootCode& root) {
  UnitCode code;
  const uint64_t granted = range_budget_.left();
  RangeListReader ranges(readers_[index], binary_, granted);
  bool is_complete = false;
  if (root.ranges) {
    is_complete = ranges.ReadList(*root.ranges, code.ranges);
  } else if (root.low_pc && root.high_pc) {
    ranges.ReadPair(*root.low_pc, *root.high_pc, code.ranges);
    // DWARF 2 has no DW_AT_ranges: this is only one of the ranges of a unit.
    is_complete = units_[index].encoding.version > 2;
  }
  range_budget_.Take(granted - ranges.budget());
  if (!is_complete) AddFunctionRanges(index, code);
  return code;
}

// Adds the ranges of all functions of a unit. This is for units whose root DIE
// does not say where the unit's code is.
void UnitStore::AddFunctionRanges(uint32_t index, UnitCode& code) {
  // Without the unit's ranges, no lookup would find the unit, so a problem here
  // makes the store unusable.
  const AbbreviationTable* table = Abbreviations(index, code.problem);
  // A unit may describe functions without having code of its own: link-time
  // optimization moves the code to other units.
  if (table == nullptr || !table->has_functions_with_code()) return;
  const uint64_t granted = range_budget_.left();
  uint64_t left = granted;
  const std::vector<AddressRange> ranges =
      FunctionRanges(readers_[index], *table, binary_, left);
  range_budget_.Take(granted - left);
  code.ranges.insert(code.ranges.end(), ranges.begin(), ranges.end());
}

std::optional<uint32_t> UnitStore::FindUnit(uint64_t offset,
                                            uint32_t guess) const {
  if (offset < readable_.start || offset >= readable_.end) {
    has_missed_dies_ = true;
    return std::nullopt;
  }
  if (guess < units_.size() && offset >= units_[guess].root &&
      offset < units_[guess].end)
    return guess;
  const auto next = std::ranges::upper_bound(offsets_, offset);
  if (next == offsets_.begin()) return std::nullopt;
  const auto found = static_cast<uint32_t>(next - 1 - offsets_.begin());
  const CompilationUnit& unit = units_[found];
  if (offset < unit.root || offset >= unit.end) return std::nullopt;
  return found;
}

UnitStore* UnitStore::type_units() const {
  return type_units_ == nullptr ? nullptr : &type_units_->Units();
}

std::optional<uint64_t> UnitStore::FindType(uint64_t signature) {
  std::call_once(types_once_, [this] {
    for (const CompilationUnit& unit : units_)
      if (unit.type != 0) types_.try_emplace(unit.id, unit.type);
  });
  const auto found = types_.find(signature);
  if (found != types_.end()) return found->second;
  UnitStore* others = type_units();
  std::optional<uint64_t> type;
  if (others != nullptr) type = others->FindType(signature);
  if (type) *type |= kInTypeUnits;
  return type;
}

bool UnitStore::HasSplitUnits() const {
  return std::ranges::any_of(units_, [](const CompilationUnit& unit) {
    return unit.split.has_value();
  });
}

UnitStore::TableKey UnitStore::KeyOf(const CompilationUnit& unit) {
  return {unit.abbreviations, unit.encoding.version, unit.encoding.address_size,
          unit.encoding.offset_size};
}

// Returns the value of `key` in `map`. Adds an empty value if the key is new.
// The reference stays valid when other keys are added, so the caller can fill
// in the value without holding the lock.
template <typename Map>
Map::mapped_type& UnitStore::CachedIn(Map& map, const Map::key_type& key) {
  const std::scoped_lock lock(mutex_);
  return map[key];
}

const AbbreviationTable* UnitStore::Abbreviations(uint32_t index,
                                                  std::string& problem) {
  const CompilationUnit& unit = units_[index];
  UnitTables& known = tables_of_units_[index];
  if (const AbbreviationTable* table = known.abbreviations) return table;
  problem = unit.problem;
  if (!problem.empty()) return nullptr;
  CachedTable& cached = CachedIn(tables_, KeyOf(unit));
  std::call_once(cached.once, [&] {
    LittleEndianCursor cursor(PartOf(sections_.abbreviations,
                                     unit.abbreviations,
                                     abbreviation_budget_.left()));
    cached.table =
        AbbreviationTable::Read(cursor, unit.encoding, cached.problem);
    abbreviation_budget_.Take(cursor.offset());
  });
  problem = cached.problem;
  known.abbreviations = cached.table.get();
  return cached.table.get();
}

uint64_t UnitStore::LineProgramSize(uint32_t index) const {
  const CompilationUnit& unit = units_[index];
  if (!unit.line_program_offset) return 0;
  LittleEndianCursor cursor(sections_.line, *unit.line_program_offset);
  uint8_t offset_size = 0;
  return std::min(ReadInitialLength(cursor, offset_size), cursor.remaining());
}

// Only malicious files exceed this limit: thousands of units in a small file
// may share one long line program. In valid files, line programs do not
// overlap.
uint64_t UnitStore::LineBudget() const {
  constexpr uint64_t kBaseProgramBytes = 64 << 20;
  constexpr uint64_t kReadsOfEachProgramByte = 8;
  return kBaseProgramBytes + kReadsOfEachProgramByte * sections_.line.size();
}

bool UnitStore::CanReadAllLines() const {
  uint64_t budget = LineBudget();
  for (uint32_t i = 0; i < units_.size(); ++i) {
    if (!units_[i].is_compile_unit) continue;
    const uint64_t size = LineProgramSize(i);
    if (size > budget) return false;
    budget -= size;
  }
  return true;
}

const LineProgram* UnitStore::FindLineProgram(uint32_t index,
                                              std::string& problem) {
  const CompilationUnit& unit = units_[index];
  UnitTables& known = tables_of_units_[index];
  if (const LineProgram* line_program = known.line_program) return line_program;
  problem = unit.problem;
  if (!problem.empty() || !unit.line_program_offset) return nullptr;
  CachedLineProgram& cached = CachedIn(
      line_programs_, LineProgramKey{*unit.line_program_offset, unit.directory,
                                     unit.string_offsets_base, KeyOf(unit)});
  std::call_once(cached.once, [&] {
    const uint64_t granted = line_header_budget_.left();
    uint64_t left = granted;
    cached.table = LineProgram::Read(readers_[index], left, cached.problem);
    line_header_budget_.Take(granted - left);
  });
  problem = cached.problem;
  if (!cached.table) return nullptr;
  known.line_program = &*cached.table;
  return known.line_program;
}

const UnitStore::CachedScan& UnitStore::ScanOf(uint32_t index) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.scopes_once, [&] {
    std::string problem;
    const AbbreviationTable* table = Abbreviations(index, problem);
    if (table != nullptr)
      cached.scopes =
          ScanUnit(readers_[index], *table, binary_, nullptr).scopes;
  });
  return cached;
}

std::optional<uint64_t> UnitStore::FindScope(uint32_t index, uint64_t offset) {
  const CachedScan& scan = ScanOf(index);
  const auto after =
      std::ranges::upper_bound(scan.skipped, offset, {}, &SkippedDies::start);
  if (after == scan.skipped.begin() || (after - 1)->end <= offset)
    return scan.scopes.FindScope(offset);
  const SkippedDies& skipped = *(after - 1);
  if (const auto scope = FindScopeInSkipped(index, skipped, offset))
    return scope;
  return skipped.scope;
}

// Searches for the DIE with SearchScope(). If that fails, reads all scopes in
// `skipped` into a tree. SearchScope() is tried first even if the tree already
// exists, because the two ways may disagree on damaged DIEs, and the answer
// must not depend on which thread was first.
std::optional<uint64_t> UnitStore::FindScopeInSkipped(
    uint32_t index, const SkippedDies& skipped, uint64_t offset) {
  std::string problem;
  const AbbreviationTable* table = Abbreviations(index, problem);
  if (table == nullptr) return std::nullopt;
  if (const auto found = SearchScope(readers_[index], *table, skipped, offset))
    return found->scope;
  {
    const std::scoped_lock lock(scopes_mutex_);
    const auto known = skipped_scopes_.find(skipped.start);
    if (known != skipped_scopes_.end()) return known->second.FindScope(offset);
  }
  ScopeTree tree = ScopesOfSkipped(readers_[index], *table, binary_, skipped);
  const std::scoped_lock lock(scopes_mutex_);
  return skipped_scopes_.try_emplace(skipped.start, std::move(tree))
      .first->second.FindScope(offset);
}

void UnitStore::PutScan(uint32_t index, UnitScan scan) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.scopes_once, [&] {
    cached.is_complete = scan.problem.empty();
    cached.scopes = std::move(scan.scopes);
    cached.skipped = std::move(scan.skipped);
  });
  std::call_once(cached.entry_pcs_once, [&] {
    cached.entry_pcs = std::move(scan.entry_pcs);
    cached.code = std::move(scan.code);
  });
  // A scan that was stored before, for other addresses, may not have read the
  // skipped DIEs. Then this scan adds their entry PCs, if it has read them.
  if (!cached.skipped_entry_pcs)
    cached.skipped_entry_pcs = std::move(scan.skipped_entry_pcs);
}

uint64_t UnitStore::EntryPcOf(uint32_t index, uint64_t origin) const {
  return FindEntryPc(scans_[index].entry_pcs, origin);
}

uint64_t UnitStore::SkippedEntryPc(uint32_t index, uint64_t origin,
                                   const SymbolTable& symbols) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.uncovered_entry_pcs_once,
                 [&] { ReadUncoveredEntryPcs(index, symbols); });
  return FindEntryPc(cached.uncovered_entry_pcs, origin);
}

// Usually returns no names, because the uncovered code is padding, in which no
// symbol starts.
std::span<const std::string_view> UnitStore::SymbolsInUncoveredCode(
    uint32_t index, const SymbolTable& symbols) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.symbols_in_uncovered_code_once, [&] {
    if (cached.skipped.empty()) return;
    for (const AddressRange& range : UncoveredCode(index))
      for (const Symbol& symbol : symbols.StartingIn(range.start, range.end)) {
        if (cached.symbols_in_uncovered_code.size() == kManySymbols) return;
        cached.symbols_in_uncovered_code.push_back(symbol.name);
      }
  });
  return cached.symbols_in_uncovered_code;
}

void UnitStore::ReadUncoveredEntryPcs(uint32_t index,
                                      const SymbolTable& symbols) {
  CachedScan& cached = scans_[index];
  std::string problem;
  const AbbreviationTable* table = Abbreviations(index, problem);
  if (table == nullptr) return;
  const std::vector<AddressRange> uncovered = UncoveredCode(index);
  EntryPcSink sink;
  cached.uncovered_entry_pcs =
      cached.skipped_entry_pcs
          ? *cached.skipped_entry_pcs
          : ScanSkipped(readers_[index], *table, binary_, sink, cached.skipped);
  std::erase_if(cached.uncovered_entry_pcs, [&](const EntryPc& entry_pc) {
    const auto after = std::ranges::upper_bound(uncovered, entry_pc.address, {},
                                                &AddressRange::start);
    return after == uncovered.begin() || (after - 1)->end <= entry_pc.address ||
           !symbols.FindStart(entry_pc.address);
  });
}

// Returns the code of a unit that no function covers, except perhaps functions
// in skipped DIEs (see unit_scan.h). The result is sorted by address.
std::vector<AddressRange> UnitStore::UncoveredCode(uint32_t index) const {
  IntervalSet code;
  std::vector<AddressRange> added;
  for (const AddressRange& range : scans_[index].code) code.Add(range, added);
  std::vector<AddressRange> uncovered;
  for (const AddressRange& range : ranges_.RangesOf(index))
    code.FindMissing(range, uncovered);
  std::ranges::sort(uncovered, {}, &AddressRange::start);
  return uncovered;
}

std::vector<EntryPc> UnitStore::ReadForeignEntryPcs(uint32_t index) {
  std::string problem;
  const AbbreviationTable* table =
      units_[index].is_compile_unit ? Abbreviations(index, problem) : nullptr;
  if (table == nullptr || !table->has_functions_with_code()) return {};
  const CachedScan& cached = scans_[index];
  EntryPcSink sink;
  std::vector<EntryPc> entry_pcs;
  std::optional<std::vector<EntryPc>> more;
  if (cached.is_complete) {
    entry_pcs = cached.entry_pcs;
    more = cached.skipped_entry_pcs
               ? cached.skipped_entry_pcs
               : ScanSkipped(readers_[index], *table, binary_, sink,
                             cached.skipped);
  } else {
    UnitScan scan = ScanUnit(readers_[index], *table, binary_, &sink);
    entry_pcs = std::move(scan.entry_pcs);
    more = std::move(scan.skipped_entry_pcs);
  }
  if (more) entry_pcs.insert(entry_pcs.end(), more->begin(), more->end());
  const CompilationUnit& unit = units_[index];
  std::erase_if(entry_pcs, [&unit](const EntryPc& entry_pc) {
    return entry_pc.origin >= unit.offset && entry_pc.origin < unit.end;
  });
  return entry_pcs;
}

uint64_t UnitStore::EntryPcInAnyUnit(uint64_t origin) {
  if (!has_all_dies()) {
    has_missed_dies_ = true;
    return 0;
  }
  std::call_once(foreign_entry_pcs_once_, [&] {
    std::vector<std::vector<EntryPc>> entry_pcs(units_.size());
    ForEach(units_.size(), jobs_, [&](size_t i) {
      entry_pcs[i] = ReadForeignEntryPcs(static_cast<uint32_t>(i));
    });
    for (const auto& of_unit : entry_pcs)
      for (const EntryPc& entry_pc : of_unit)
        foreign_entry_pcs_.try_emplace(entry_pc.origin, entry_pc.address);
  });
  const auto found = foreign_entry_pcs_.find(origin);
  return found == foreign_entry_pcs_.end() ? 0 : found->second;
}

}  // namespace heapprof
