// SPDX-License-Identifier: Apache-2.0
#include "dwarf/unit_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dwarf/range_list.h"
#include "heapprof/base/for_each.h"

namespace heapprof {
namespace {

// In a sound file each byte of a table is read once or twice.
constexpr uint64_t kSpareBytes = 1 << 20;
constexpr uint64_t kReadsOfEachByte = 4;

// To find its root's abbreviation, each unit reads the start of its table.
constexpr uint64_t kRootBytesPerUnit = 256;

constexpr uint64_t kSpareHeaderBytes = 16 << 20;
constexpr uint64_t kSpareRanges = 1'000'000;

// Lets a scan find the entries of functions, and nothing else.
class EntrySink : public CodeSink {
 public:
  uint32_t AddFunction(const FunctionNode&,
                       std::span<const AddressRange>) override {
    return AddressOwners::kNone;
  }
  uint32_t AddInlinedCall(const FunctionNode& call,
                          std::span<const AddressRange>) override {
    return call.parent;
  }
};

}  // namespace

UnitStore::UnitStore(const DebugSections& sections, const ElfImage& binary,
                     unsigned jobs, const CompilationUnit* skeleton)
    : sections_(sections),
      binary_(binary),
      jobs_(jobs),
      abbreviation_budget_(kSpareBytes +
                           kReadsOfEachByte * sections.abbreviations.size()),
      line_header_budget_(kSpareHeaderBytes +
                          kReadsOfEachByte * sections.line.size()),
      range_budget_(kSpareRanges + sections.ranges.size() +
                    sections.range_lists.size()) {
  UnitList list = ReadUnitHeaders(sections);
  units_ = std::move(list.units);
  problem_ = std::move(list.problem);
  // Readers keep references to units, which do not move any more.
  for (const CompilationUnit& unit : units_)
    readers_.emplace_back(sections_, unit);
  scans_.resize(units_.size());
  if (skeleton == nullptr)
    ReadRoots();
  else
    ReadSplitRoot(*skeleton);
  claims_.Sort();
}

void UnitStore::ReadRoots() {
  uint64_t root_budget =
      abbreviation_budget_ + kRootBytesPerUnit * units_.size();
  for (uint32_t i = 0; i < units_.size() && problem_.empty(); ++i) {
    CompilationUnit& unit = units_[i];
    RootCode code;
    if (unit.problem.empty()) code = ReadRoot(sections_, root_budget, unit);
    if (!unit.problem.empty())
      problem_ = fmt::format("unit at {:#x} of .debug_info: {}", unit.offset,
                             unit.problem);
    else if (unit.is_code_unit)
      AddClaims(i, code);
  }
}

// Of the other units in the file, which describe types, nothing is needed.
void UnitStore::ReadSplitRoot(const CompilationUnit& skeleton) {
  uint64_t root_budget =
      abbreviation_budget_ + kRootBytesPerUnit * units_.size();
  for (uint32_t i = 0; i < units_.size(); ++i) {
    CompilationUnit& unit = units_[i];
    if (!unit.problem.empty()) continue;
    ReadRoot(sections_, root_budget, unit);
    if (!unit.problem.empty() || unit.id != skeleton.split->id) continue;
    unit.base_address = skeleton.base_address;
    unit.address_base = skeleton.address_base;
    unit.line_program = skeleton.line_program;
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
  if (table == nullptr) return;
  for (const AddressRange& range :
       FunctionRanges(readers_[index], *table, binary_, range_budget_))
    claims_.Add(range, index);
}

std::optional<uint32_t> UnitStore::FindUnit(uint64_t offset) const {
  const auto next =
      std::ranges::upper_bound(units_, offset, {}, &CompilationUnit::offset);
  if (next == units_.begin()) return std::nullopt;
  const auto found = next - 1;
  if (offset < found->root || offset >= found->end) return std::nullopt;
  return static_cast<uint32_t>(found - units_.begin());
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

const AbbreviationTable* UnitStore::Abbreviations(uint32_t index,
                                                  std::string& problem) {
  const CompilationUnit& unit = units_[index];
  problem = unit.problem;
  if (!problem.empty()) return nullptr;
  const std::scoped_lock lock(mutex_);
  auto [at, is_new] = tables_.try_emplace(KeyOf(unit));
  CachedTable& cached = at->second;
  if (is_new) {
    LittleEndianCursor cursor(PartOf(sections_.abbreviations,
                                     unit.abbreviations, abbreviation_budget_));
    cached.table =
        AbbreviationTable::Read(cursor, unit.encoding, cached.problem);
    abbreviation_budget_ -= cursor.offset();
  }
  problem = cached.problem;
  return cached.table.get();
}

uint64_t UnitStore::LineProgramSize(uint32_t index) const {
  const CompilationUnit& unit = units_[index];
  if (!unit.line_program) return 0;
  LittleEndianCursor cursor(sections_.line, *unit.line_program);
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

const LineTable* UnitStore::Lines(uint32_t index, std::string& problem) {
  const CompilationUnit& unit = units_[index];
  problem = unit.problem;
  if (!problem.empty() || !unit.line_program) return nullptr;
  const std::scoped_lock lock(mutex_);
  auto [at, is_new] =
      lines_.try_emplace(LinesKey{*unit.line_program, unit.directory,
                                  unit.string_offsets_base, KeyOf(unit)});
  CachedLines& cached = at->second;
  if (is_new)
    cached.table =
        LineTable::Read(readers_[index], line_header_budget_, cached.problem);
  problem = cached.problem;
  return cached.table ? &*cached.table : nullptr;
}

const std::vector<ScopeEntry>& UnitStore::Scopes(uint32_t index) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.scopes_once, [&] {
    std::string problem;
    const AbbreviationTable* table = Abbreviations(index, problem);
    if (table != nullptr)
      cached.scopes =
          ScanUnit(readers_[index], *table, binary_, nullptr).scopes;
  });
  return cached.scopes;
}

void UnitStore::PutScan(uint32_t index, UnitScan scan) {
  CachedScan& cached = scans_[index];
  std::call_once(cached.scopes_once,
                 [&] { cached.scopes = std::move(scan.scopes); });
  std::call_once(cached.entries_once,
                 [&] { cached.entries = std::move(scan.entries); });
}

uint64_t UnitStore::EntryAddress(uint32_t index, uint64_t origin) const {
  const std::vector<FunctionEntry>& entries = scans_[index].entries;
  const auto found =
      std::ranges::lower_bound(entries, origin, {}, &FunctionEntry::origin);
  return found != entries.end() && found->origin == origin ? found->address : 0;
}

std::vector<FunctionEntry> UnitStore::ReadForeignEntries(uint32_t index) {
  std::string problem;
  const AbbreviationTable* table =
      units_[index].is_code_unit ? Abbreviations(index, problem) : nullptr;
  if (table == nullptr) return {};
  EntrySink sink;
  std::vector<FunctionEntry> entries =
      ScanUnit(readers_[index], *table, binary_, &sink).entries;
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
