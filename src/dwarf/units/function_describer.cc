// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/function_describer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <dwarf.h>

#include "heapprof/base/clone_suffix.h"

namespace heapprof {
namespace {

// A damaged file may chain origins in a circle.
constexpr size_t kMaxHops = 16;
constexpr size_t kMaxScopes = 64;
constexpr size_t kMaxScopedNameSize = 64 * 1024;

}  // namespace

void FunctionDescription::EndName() {
  if (open_name.empty()) return;
  name.linkage_name = CutCloneSuffix(UpToNul(open_name));
  open_name = {};
}

std::optional<FunctionDescriber::Place> FunctionDescriber::Find(
    uint64_t entry, uint32_t near) const {
  Place place{.units = &units_, .offset = entry};
  if ((entry & kInAlternate) != 0)
    place = {.units = units_.alternate(),
             .offset = entry & ~kInAlternate,
             .mark = kInAlternate};
  if (place.units == nullptr) return std::nullopt;
  const auto unit = place.units->FindUnit(place.offset, near);
  if (!unit) return std::nullopt;
  place.unit = *unit;
  return place;
}

std::optional<FunctionDescriber::Entry> FunctionDescriber::Read(
    uint64_t at, uint32_t near) const {
  const std::optional<Place> place = Find(at, near);
  const AbbreviationTable* table = place ? place->Abbreviations() : nullptr;
  if (table == nullptr) return std::nullopt;
  const UnitReader& reader = place->reader();
  LittleEndianCursor cursor = place->Cursor();
  const Abbreviation* abbreviation = table->Find(cursor.Uleb());
  if (abbreviation == nullptr) return std::nullopt;
  Entry entry{.place = *place, .tag = abbreviation->tag};
  std::optional<uint64_t> specification;
  for (const AttributeSpec& spec : table->AttributesOf(*abbreviation)) {
    const FormValue value = reader.Read(spec, cursor);
    switch (spec.field) {
      case AttributeField::kLinkageName:
        entry.linkage_name = reader.OpenStringOf(value);
        break;
      case AttributeField::kName:
        entry.name = value;
        break;
      case AttributeField::kExternal:
        entry.external = value.number != 0;
        break;
      case AttributeField::kDeclLine:
        entry.line = static_cast<uint32_t>(value.number);
        break;
      case AttributeField::kDeclFile:
        entry.file = value.number;
        break;
      case AttributeField::kAbstractOrigin:
        entry.origin = reader.ReferenceOf(value);
        break;
      case AttributeField::kSpecification:
        specification = reader.ReferenceOf(value);
        break;
      default:
        break;
    }
  }
  if (!entry.origin) entry.origin = specification;
  if (entry.origin) *entry.origin |= place->mark;
  return entry;
}

// Names are looked up only if they are needed: they are all over the file.
std::string_view FunctionDescriber::NameOf(const Entry& entry) const {
  return entry.name ? entry.place.reader().StringOf(*entry.name)
                    : std::string_view();
}

FunctionDescriber::Facts FunctionDescriber::Follow(
    uint32_t unit, const FunctionNode& node, bool checks_names,
    FunctionDescription& function) {
  Facts facts;
  NameFacts& name = facts.name;
  name.entry_address = node.entry_address;
  name.language = units_.unit(unit).language;
  bool has_file = false;
  bool leaves_unit = false;
  std::array<uint64_t, kMaxHops> chain;
  size_t hops = 0;
  std::optional<uint64_t> at = node.entry;
  while (hops < kMaxHops && at) {
    const std::optional<Entry> entry = Read(*at, unit);
    if (!entry) break;
    chain[hops++] = *at;
    const Place& place = entry->place;
    leaves_unit = leaves_unit || place.mark != 0 || place.unit != unit;
    const std::string_view linkage_name = entry->linkage_name;
    if (!linkage_name.empty() &&
        !(checks_names && linkage_name.starts_with('\0')))
      name.linkage_name = linkage_name;
    if (name.linkage_name.empty() && name.name.empty())
      name.name = NameOf(*entry);
    name.external = name.external || entry->external;
    if (function.start_line == 0) function.start_line = entry->line;
    if (entry->file && !has_file) {
      has_file = true;
      std::string problem;
      function.line_program = place.units->FindLineProgram(place.unit, problem);
      function.file = *entry->file;
    }
    facts.declaration = *at;
    at = entry->origin;
  }
  if (name.entry_address == 0 && NeedsSymbol(name))
    name.entry_address =
        FindEntryAddress(unit, name.name, std::span(chain).first(hops),
                         leaves_unit && MayMangleNames(name.language));
  return facts;
}

// True if a symbol in the code that is left for deferred functions may be that
// of the function `name`.
bool FunctionDescriber::MaySpareCodeName(uint32_t unit, std::string_view name) {
  const auto spare = units_.SpareSymbols(unit, symbols_);
  return spare.size() == UnitStore::kManySymbols ||
         std::ranges::any_of(spare, [name](std::string_view symbol) {
           return CanBeSymbolOf(CutCloneSuffix(symbol), name);
         });
}

// Where the first copy of the function with one of the entries in `chain` is
// entered, 0 if there is none. What is known of the unit itself counts first;
// its deferred entries, and all other units, are read only if they can know
// better.
uint64_t FunctionDescriber::FindEntryAddress(uint32_t unit,
                                             std::string_view name,
                                             std::span<const uint64_t> chain,
                                             bool any_unit) {
  std::optional<bool> asks_spare;
  for (const uint64_t origin : chain) {
    if (const uint64_t address = units_.EntryAddress(unit, origin))
      return address;
    if (!asks_spare) asks_spare = any_unit || MaySpareCodeName(unit, name);
    if (!*asks_spare) continue;
    if (const uint64_t address =
            units_.SpareEntryAddress(unit, origin, symbols_))
      return address;
  }
  if (any_unit)
    for (const uint64_t origin : chain)
      if (const uint64_t address = units_.EntryAddressInAnyUnit(origin))
        return address;
  return 0;
}

FunctionDescription FunctionDescriber::Describe(uint32_t unit,
                                                const FunctionNode& node,
                                                bool checks_names) {
  FunctionDescription function;
  const Facts facts = Follow(unit, node, checks_names, function);
  function.open_name = facts.name.linkage_name;
  __builtin_prefetch(function.open_name.data());
  if (!function.open_name.empty()) return function;
  function.name = NameFunction(facts.name, symbols_,
                               [&] { return ScopePrefix(facts.declaration); });
  return function;
}

void FunctionDescriber::Prefetch(uint32_t unit,
                                 const FunctionNode& node) const {
  const std::span<const uint8_t> info = units_.reader(unit).sections().info;
  if (node.entry < info.size()) __builtin_prefetch(&info[node.entry]);
}

std::optional<uint64_t> FunctionDescriber::FindScope(uint64_t entry) {
  const std::optional<Place> place = Find(entry);
  if (!place) return std::nullopt;
  const auto scope = place->units->FindScope(place->unit, place->offset);
  if (!scope) return std::nullopt;
  return *scope | place->mark;
}

// Moves `scope` to its declaration, whose place in the tree is the one that
// counts, and returns the scope's own name.
std::string_view FunctionDescriber::NameOfScope(uint64_t& scope) {
  std::string_view name;
  uint16_t tag = 0;
  std::optional<uint64_t> at = scope;
  for (size_t hop = 0; hop < kMaxHops && at; ++hop) {
    const std::optional<Entry> entry = Read(*at);
    if (!entry) break;
    scope = *at;
    if (tag == 0) tag = entry->tag;
    if (name.empty()) name = NameOf(*entry);
    at = entry->origin;
  }
  if (!name.empty()) return name;
  if (tag == DW_TAG_namespace) return "(anonymous namespace)";
  return IsLambda(scope) ? "{lambda}" : "{unnamed}";
}

// gcc gives the class of a lambda no name, but a deleted constructor and a
// destructor "<lambda>" and "~<lambda>", among its first few members.
bool FunctionDescriber::IsLambda(uint64_t type) {
  constexpr int kEntries = 64;
  constexpr int kMembers = 16;
  const std::optional<Place> place = Find(type);
  const AbbreviationTable* table = place ? place->Abbreviations() : nullptr;
  if (table == nullptr) return false;
  LittleEndianCursor cursor = place->Cursor();
  int depth = 0;
  int members = 0;
  for (int i = 0; i < kEntries && members < kMembers; ++i) {
    const uint64_t entry = cursor.offset() | place->mark;
    const uint64_t code = cursor.Uleb();
    if (code == 0) {
      if (--depth <= 0) return false;
      continue;
    }
    const Abbreviation* abbreviation = table->Find(code);
    if (abbreviation == nullptr) return false;
    if (depth == 1) {
      ++members;
      const std::optional<Entry> member = Read(entry);
      if (member && NameOf(*member) == "<lambda>") return true;
    }
    table->Skip(*abbreviation, cursor);
    if (abbreviation->has_children) ++depth;
    if (depth == 0) return false;
  }
  return false;
}

// The names of all scopes around `declaration` joined by "::", outermost
// first, with "::" at the end; empty at the top of a unit.
std::string FunctionDescriber::ScopePrefix(uint64_t declaration) {
  std::vector<std::string_view> names;
  uint64_t entry = declaration;
  while (names.size() < kMaxScopes) {
    const std::optional<uint64_t> scope = FindScope(entry);
    if (!scope) break;
    entry = *scope;
    names.push_back(NameOfScope(entry));
  }
  std::string prefix;
  for (auto name = names.rbegin();
       name != names.rend() && prefix.size() < kMaxScopedNameSize; ++name)
    prefix.append(*name).append("::");
  return prefix;
}

}  // namespace heapprof
