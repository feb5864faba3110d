// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/unit_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dwarf/read/range_list.h"
#include "dwarf/shared/interval_set.h"
#include "dwarf/units/scope_search.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// In a sound file each byte of a table is read once or twice.
constexpr uint64_t kSpareBytes = 1 << 20;
constexpr uint64_t kReadsOfEachByte = 4;

// To find its root's abbreviation, each unit reads the start of its table.
constexpr uint64_t kRootBytesPerUnit = 256;

constexpr uint64_t kSpareHeaderBytes = 16 << 20;
constexpr uint64_t kSpareRanges = 100'000;

// Of the function with that origin; 0 if it is not among `entries`.
uint64_t AddressIn(const std::vector<FunctionEntry>& entries, uint64_t origin) {
  const auto found =
      std::ranges::lower_bound(entries, origin, {}, &FunctionEntry::origin);
  return found != entries.end() && found->origin == origin ? found->address : 0;
}

}  // namespace

UnitStore::UnitStore(const DebugSections& sections, const ElfImage& binary,
                     unsigned jobs, const CompilationUnit* skeleton)
    : sections_(sections),
      binary_(binary),
      jobs_(jobs),
      abbreviation_budget_(kSpareBytes +
                           kReadsOfEachByte * sections.abbreviations.size()),
      root_budget_(abbreviation_budget_.left()),
      line_header_budget_(kSpareHeaderBytes +
                          kReadsOfEachByte * sections.line.size()),
      range_budget_(kSpareRanges + sections.ranges.size() +
                    sections.range_lists.size()) {
  if (sections.info_stream != nullptr) return;
  UnitList list = ReadUnitHeaders(sections);
  problem_ = std::move(list.problem);
  AddUnits(std::move(list));
  if (skeleton == nullptr)
    ReadRoots(0);
  else
    ReadSplitRoot(*skeleton);
  claims_.Sort();
  is_read_ = true;
}

std::optional<UnitClaims> UnitStore::ReadMore() {
  const uint64_t size = sections_.info.size();
  if (is_read_ || !problem_.empty()) return std::nullopt;
  if (next_offset_ >= size) {
    claims_.Sort();
    is_read_ = true;
    return std::nullopt;
  }
  InflateStream& stream = *sections_.info_stream;
  const uint64_t end = std::min(size, next_offset_ + sections_.info_step);
  UnitList list;
  if (stream.WaitFor(std::min(size, end + kMaxUnitHeaderSize)))
    list = ReadUnitHeaders(sections_, {next_offset_, end});
  problem_ = std::move(list.problem);
  if (problem_.empty() && (list.end == 0 || !stream.WaitFor(list.end)))
    problem_ = ".debug_info is damaged";
  if (!problem_.empty()) return std::nullopt;
  next_offset_ = list.end;
  const size_t first = units_.size();
  const size_t known_claims = claims_.size();
  AddUnits(std::move(list));
  ReadRoots(first);
  if (!problem_.empty()) return std::nullopt;
  return claims_.Since(known_claims);
}

unsigned UnitStore::free_threads() const {
  const InflateStream* stream = sections_.info_stream;
  const bool is_inflating = stream != nullptr && !stream->has_ended();
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
  std::vector<RootCode> codes(count);
  ForEach((count + kUnitsAtOnce - 1) / kUnitsAtOnce, free_threads(),
          [&](size_t block) {
            const size_t start = block * kUnitsAtOnce;
            const size_t end = std::min(start + kUnitsAtOnce, count);
            for (size_t i = start; i < end; ++i) {
              CompilationUnit& unit = units_[first + i];
              if (!unit.problem.empty()) continue;
              const uint64_t granted = root_budget_.left();
              uint64_t left = granted;
              codes[i] = ReadRoot(sections_, left, unit);
              root_budget_.Take(granted - left);
            }
          });
  if (root_budget_.is_used_up())
    problem_ = "too many units share their abbreviations";
  for (size_t i = 0; i < count && problem_.empty(); ++i) {
    const CompilationUnit& unit = units_[first + i];
    if (!unit.problem.empty())
      problem_ = fmt::format("unit at {:#x} of .debug_info: {}", unit.offset,
                             unit.problem);
    else if (unit.is_code_unit)
      AddClaims(static_cast<uint32_t>(first + i), codes[i]);
  }
}

// Of the other units in the file, which describe types, nothing is needed.
void UnitStore::ReadSplitRoot(const CompilationUnit& skeleton) {
  uint64_t budget = root_budget_.left();
  for (uint32_t i = 0; i < units_.size(); ++i) {
    CompilationUnit& unit = units_[i];
    if (!unit.problem.empty()) continue;
    ReadRoot(sections_, budget, unit);
    if (!unit.problem.empty() || !unit.is_code_unit ||
        unit.id != skeleton.split->id)
      continue;
    unit.base_address = skeleton.base_address;
    unit.address_base = skeleton.address_base;
    unit.line_program_offset = skeleton.line_program_offset;
    unit.directory = skeleton.directory;
    claims_.Add({0, UINT64_MAX}, i);
    return;
  }
  problem_ = fmt::format("it has no unit {:#x}", skeleton.split->id);
}

void UnitStore::AddClaims(uint32_t index, const RootCode& code) {
  std::vector<AddressRange> found;
  RangeListReader ranges(readers_[index], binary_, range_budget_);
  bool complete = false;
  if (code.ranges) {
    complete = ranges.ReadList(*code.ranges, found);
  } else if (code.low_pc && code.high_pc) {
    ranges.ReadPair(*code.low_pc, *code.high_pc, found);
    complete = true;
  }
  range_budget_ = ranges.budget();
  for (const AddressRange& range : found) claims_.Add(range, index);
  if (!complete) AddFunctionClaims(index);
}

// Some units do not say where their code is, but their functions do.
void UnitStore::AddFunctionClaims(uint32_t index) {
  std::string problem;
  const AbbreviationTable* table = Abbreviations(index, problem);
  if (table == nullptr) {
    // Units that were asked before may have used up the budget.
    if (sections_.info_stream != nullptr) problem_ = problem;
    return;
  }
  // Such units describe what link-time optimization has moved elsewhere.
  if (!table->has_functions_with_code()) return;
  for (const AddressRange& range :
       FunctionRanges(readers_[index], *table, binary_, range_budget_))
    claims_.Add(range, index);
}

std::optional<uint32_t> UnitStore::FindUnit(uint64_t offset,
                                            uint32_t guess) const {
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

bool UnitStore::HasSplitUnits() const {
  return std::ranges::any_of(units_, [](const CompilationUnit& unit) {
    return unit.split.has_value();
  });
}

UnitStore::TableKey UnitStore::KeyOf(const CompilationUnit& unit) {
  return {unit.abbreviations, unit.encoding.version, unit.encoding.address_size,
          unit.encoding.offset_size};
}

// Entries of a map stay where they are: they are filled without the lock.
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
  uint64_t length = cursor.U32();
  if (length == UINT32_MAX) length = cursor.U64();
  return std::min(length, cursor.remaining());
}

// Programs of sound files do not overlap, but a small file may let thousands
// of units share one.
uint64_t UnitStore::LineBudget() const {
  constexpr uint64_t kSpareProgramBytes = 64 << 20;
  constexpr uint64_t kReadsOfEachProgramByte = 8;
  return kSpareProgramBytes + kReadsOfEachProgramByte * sections_.line.size();
}

bool UnitStore::CanReadAllLines() const {
  uint64_t budget = LineBudget();
  for (uint32_t i = 0; i < units_.size(); ++i) {
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
  const auto behind = std::ranges::upper_bound(scan.deferred, offset, {},
                                               &DeferredEntries::start);
  if (behind == scan.deferred.begin() || (behind - 1)->end <= offset)
    return scan.scopes.FindScope(offset);
  const DeferredEntries& deferred = *(behind - 1);
  if (const auto scope = FindDeferredScope(index, deferred, offset))
    return scope;
  return scan.scopes.FindScope(deferred.start);
}

// If an entry cannot be found by itself, a tree is made for all. One that is
// known does not spare the search: of damaged entries both may tell different
// things, and which comes first depends on threads.
std::optional<uint64_t> UnitStore::FindDeferredScope(
    uint32_t index, const DeferredEntries& deferred, uint64_t offset) {
  std::string problem;
  const AbbreviationTable* table = Abbreviations(index, problem);
  if (table == nullptr) return std::nullopt;
  if (const auto found = SearchScope(readers_[index], *table, deferred, offset))
    return found->scope;
  {
    const std::scoped_lock lock(scopes_mutex_);
    const auto known = deferred_scopes_.find(deferred.start);
    if (known != deferred_scopes_.end()) return known->second.FindScope(offset);
  }
  ScopeTree tree = ScopesOfDeferred(readers_[index], *table, binary_, deferred);
  const std::scoped_lock lock(scopes_mutex_);
  return deferred_scopes_.try_emplace(deferred.start, std::move(tree))
      .first->second.FindScope(offset);
}

void UnitStore::PutScan(uint32_t index, UnitScan scan) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.scopes_once, [&] {
    cached.is_whole = scan.problem.empty();
    cached.scopes = std::move(scan.scopes);
    cached.deferred = std::move(scan.deferred);
  });
  std::call_once(cached.entries_once, [&] {
    cached.entries = std::move(scan.entries);
    cached.code = std::move(scan.code);
  });
  // A scan that was made for fewer addresses may not have read them.
  if (!cached.deferred_entries)
    cached.deferred_entries = std::move(scan.deferred_entries);
}

uint64_t UnitStore::EntryAddress(uint32_t index, uint64_t origin) const {
  return AddressIn(scans_[index].entries, origin);
}

uint64_t UnitStore::SpareEntryAddress(uint32_t index, uint64_t origin,
                                      const SymbolTable& symbols) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.spare_entries_once,
                 [&] { ReadSpareEntries(index, symbols); });
  return AddressIn(cached.spare_entries, origin);
}

// As a rule there are none: spare code is padding.
std::span<const std::string_view> UnitStore::SpareSymbols(
    uint32_t index, const SymbolTable& symbols) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.spare_symbols_once, [&] {
    if (cached.deferred.empty()) return;
    for (const AddressRange& range : SpareCode(index))
      for (const Symbol& symbol : symbols.StartingIn(range.start, range.end)) {
        if (cached.spare_symbols.size() == kManySymbols) return;
        cached.spare_symbols.push_back(symbol.name);
      }
  });
  return cached.spare_symbols;
}

void UnitStore::ReadSpareEntries(uint32_t index, const SymbolTable& symbols) {
  CachedScan& cached = scans_[index];
  std::string problem;
  const AbbreviationTable* table = Abbreviations(index, problem);
  if (table == nullptr) return;
  const std::vector<AddressRange> spare = SpareCode(index);
  EntrySink sink;
  cached.spare_entries = cached.deferred_entries
                             ? *cached.deferred_entries
                             : ScanDeferred(readers_[index], *table, binary_,
                                            sink, cached.deferred);
  std::erase_if(cached.spare_entries, [&](const FunctionEntry& entry) {
    const auto behind = std::ranges::upper_bound(spare, entry.address, {},
                                                 &AddressRange::start);
    return behind == spare.begin() || (behind - 1)->end <= entry.address ||
           !symbols.FindStart(entry.address);
  });
}

// What a unit claims, without the code of functions that are not deferred; by
// address.
std::vector<AddressRange> UnitStore::SpareCode(uint32_t index) const {
  IntervalSet code;
  std::vector<AddressRange> added;
  for (const AddressRange& range : scans_[index].code) code.Add(range, added);
  std::vector<AddressRange> spare;
  for (const AddressRange& range : claims_.RangesOf(index))
    code.FindMissing(range, spare);
  std::ranges::sort(spare, {}, &AddressRange::start);
  return spare;
}

std::vector<FunctionEntry> UnitStore::ReadForeignEntries(uint32_t index) {
  std::string problem;
  const AbbreviationTable* table =
      units_[index].is_code_unit ? Abbreviations(index, problem) : nullptr;
  if (table == nullptr || !table->has_functions_with_code()) return {};
  const CachedScan& cached = scans_[index];
  EntrySink sink;
  std::vector<FunctionEntry> entries;
  std::optional<std::vector<FunctionEntry>> more;
  if (cached.is_whole) {
    entries = cached.entries;
    more = cached.deferred_entries
               ? cached.deferred_entries
               : ScanDeferred(readers_[index], *table, binary_, sink,
                              cached.deferred);
  } else {
    UnitScan scan = ScanUnit(readers_[index], *table, binary_, &sink);
    entries = std::move(scan.entries);
    more = std::move(scan.deferred_entries);
  }
  if (more) entries.insert(entries.end(), more->begin(), more->end());
  const CompilationUnit& unit = units_[index];
  std::erase_if(entries, [&unit](const FunctionEntry& entry) {
    return entry.origin >= unit.offset && entry.origin < unit.end;
  });
  return entries;
}

uint64_t UnitStore::EntryAddressInAnyUnit(uint64_t origin) {
  std::call_once(foreign_entries_once_, [&] {
    std::vector<std::vector<FunctionEntry>> entries(units_.size());
    ForEach(units_.size(), jobs_, [&](size_t i) {
      entries[i] = ReadForeignEntries(static_cast<uint32_t>(i));
    });
    for (const auto& of_unit : entries)
      for (const FunctionEntry& entry : of_unit)
        foreign_entries_.try_emplace(entry.origin, entry.address);
  });
  const auto found = foreign_entries_.find(origin);
  return found == foreign_entries_.end() ? 0 : found->second;
}

}  // namespace heapprof
