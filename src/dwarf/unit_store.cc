// SPDX-License-Identifier: Apache-2.0
#include "dwarf/unit_store.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dwarf/range_list.h"

namespace heapprof {
namespace {

// Tables of different units may overlap. In a sound file each byte is read
// once or twice.
uint64_t AbbreviationBudget(const DebugSections& sections) {
  return (1 << 20) + 16 * sections.abbreviations.size();
}

}  // namespace

UnitStore::UnitStore(const DebugSections& sections, const ElfImage& binary)
    : sections_(sections),
      binary_(binary),
      abbreviation_budget_(AbbreviationBudget(sections)) {
  UnitList list = ReadUnitHeaders(sections);
  units_ = std::move(list.units);
  problems_ = std::move(list.problems);
  has_unreadable_units_ = !problems_.empty();
  // Readers and parts keep references to units, which do not move any more.
  for (const CompilationUnit& unit : units_) {
    readers_.emplace_back(sections_, unit);
    parts_.emplace_back();
  }
  uint64_t root_budget = AbbreviationBudget(sections);
  for (uint32_t i = 0; i < units_.size(); ++i) {
    CompilationUnit& unit = units_[i];
    RootCode code;
    if (unit.problem.empty()) code = ReadRoot(sections_, root_budget, unit);
    if (!unit.problem.empty()) {
      problems_.push_back(fmt::format("unit at {:#x} of .debug_info: {}",
                                      unit.offset, unit.problem));
      has_unreadable_units_ = true;
    } else if (unit.is_code_unit) {
      AddClaims(i, code);
    }
  }
  claims_.Sort();
}

void UnitStore::AddClaims(uint32_t index, const RootCode& code) {
  std::vector<AddressRange> found;
  RangeListReader ranges(readers_[index], binary_, UINT64_MAX);
  bool complete = false;
  if (code.ranges) {
    complete = ranges.ReadList(*code.ranges, found);
  } else if (code.low_pc && code.high_pc) {
    ranges.ReadPair(*code.low_pc, *code.high_pc, found);
    complete = true;
  }
  for (const AddressRange& range : found) claims_.Add(range, index);
  if (!complete) AddFunctionClaims(index);
}

// Some units do not say where their code is, but their functions do.
void UnitStore::AddFunctionClaims(uint32_t index) {
  std::string problem;
  const AbbreviationTable* table = Abbreviations(index, problem);
  if (table == nullptr) return;
  for (const AddressRange& range :
       FunctionRanges(readers_[index], *table, binary_))
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

const AbbreviationTable* UnitStore::Abbreviations(uint32_t index,
                                                  std::string& problem) {
  const CompilationUnit& unit = units_[index];
  problem = unit.problem;
  if (!problem.empty()) return nullptr;
  const UnitEncoding& encoding = unit.encoding;
  const std::scoped_lock lock(tables_mutex_);
  auto [at, is_new] = tables_.try_emplace(
      TableKey{unit.abbreviations, encoding.version, encoding.address_size,
               encoding.offset_size});
  CachedTable& cached = at->second;
  if (is_new) {
    const auto readable = sections_.abbreviations.first(
        std::min<uint64_t>(sections_.abbreviations.size(),
                           unit.abbreviations + abbreviation_budget_));
    LittleEndianCursor cursor(readable, unit.abbreviations);
    cached.table = AbbreviationTable::Read(cursor, encoding, cached.problem);
    abbreviation_budget_ -=
        std::min(abbreviation_budget_, cursor.offset() - unit.abbreviations);
  }
  problem = cached.problem;
  return cached.table.get();
}

uint64_t UnitStore::LineProgramSize(uint32_t index) const {
  const CompilationUnit& unit = units_[index];
  if (!unit.line_program) return 0;
  LittleEndianCursor cursor(sections_.line, *unit.line_program);
  const uint64_t length = cursor.U32();
  return length == UINT32_MAX ? cursor.U64() : length;
}

const LineTable* UnitStore::Lines(uint32_t index, std::string& problem) {
  Parts& parts = parts_[index];
  std::call_once(parts.lines_once, [&] {
    if (units_[index].problem.empty() && units_[index].line_program)
      parts.lines = LineTable::Read(readers_[index], parts.lines_problem);
  });
  problem = parts.lines_problem;
  return parts.lines ? &*parts.lines : nullptr;
}

const std::vector<ScopeEntry>& UnitStore::Scopes(uint32_t index) {
  Parts& parts = parts_[index];
  std::call_once(parts.scopes_once, [&] {
    std::string problem;
    const AbbreviationTable* table = Abbreviations(index, problem);
    if (table != nullptr)
      parts.scopes = WalkFunctions(readers_[index], *table, {}, binary_).scopes;
  });
  return parts.scopes;
}

void UnitStore::PutScopes(uint32_t index, std::vector<ScopeEntry> scopes) {
  Parts& parts = parts_[index];
  std::call_once(parts.scopes_once, [&] { parts.scopes = std::move(scopes); });
}

}  // namespace heapprof
