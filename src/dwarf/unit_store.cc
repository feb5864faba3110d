// SPDX-License-Identifier: Apache-2.0
#include "dwarf/unit_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dwarf/range_list.h"

namespace heapprof {
namespace {

// In a sound file each byte of a table is read once or twice.
constexpr uint64_t kSpareBytes = 1 << 20;
constexpr uint64_t kReadsOfEachByte = 4;

// To find its root's abbreviation, each unit reads the start of its table.
constexpr uint64_t kRootBytesPerUnit = 256;

constexpr uint64_t kSpareHeaderBytes = 16 << 20;
constexpr uint64_t kSpareRanges = 1'000'000;

}  // namespace

UnitStore::UnitStore(const DebugSections& sections, const ElfImage& binary,
                     const CompilationUnit* skeleton)
    : sections_(sections),
      binary_(binary),
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
  scopes_.resize(units_.size());
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
  CachedScopes& cached = scopes_[index];
  std::call_once(cached.once, [&] {
    std::string problem;
    const AbbreviationTable* table = Abbreviations(index, problem);
    if (table != nullptr)
      cached.scopes =
          WalkFunctions(readers_[index], *table, {}, binary_).scopes;
  });
  return cached.scopes;
}

void UnitStore::PutScopes(uint32_t index, std::vector<ScopeEntry> scopes) {
  CachedScopes& cached = scopes_[index];
  std::call_once(cached.once, [&] { cached.scopes = std::move(scopes); });
}

}  // namespace heapprof
