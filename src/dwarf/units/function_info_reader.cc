// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/function_info_reader.h"

#include <algorithm>
#include <array>
#include <vector>

#include <dwarf.h>

#include "dwarf/shared/mangled_constraints.h"
#include "heapprof/base/clone_suffix.h"

namespace heapprof {
namespace {

// True if a linkage name, which may continue after its NUL, is empty or cannot
// be demangled.
bool CannotBeUsed(std::string_view linkage_name) {
  return linkage_name.starts_with('\0') || HasConstraints(linkage_name);
}

}  // namespace

void FunctionInfo::FindNameEnd() {
  if (unbounded_name.empty()) return;
  name.linkage_name = CutCloneSuffix(UpToNul(unbounded_name));
  unbounded_name = {};
}

std::optional<FunctionInfoReader::DieLocation> FunctionInfoReader::Find(
    uint64_t die, uint32_t near) const {
  DieLocation location{.units = &units_, .offset = die};
  if ((die & kInAlternate) != 0)
    location = {.units = units_.alternate(),
                .offset = die & ~kInAlternate,
                .mark = kInAlternate};
  else if ((die & kInTypeUnits) != 0)
    location = {.units = units_.type_units(),
                .offset = die & ~kInTypeUnits,
                .mark = kInTypeUnits};
  if (location.units == nullptr) return std::nullopt;
  const auto unit = location.units->FindUnit(location.offset, near);
  if (!unit) return std::nullopt;
  location.unit = *unit;
  return location;
}

std::optional<FunctionInfoReader::DieInfo> FunctionInfoReader::ReadDie(
    uint64_t at, uint32_t near) const {
  const std::optional<DieLocation> location = Find(at, near);
  const AbbreviationTable* table =
      location ? location->Abbreviations() : nullptr;
  if (table == nullptr) return std::nullopt;
  const UnitReader& reader = location->reader();
  LittleEndianCursor cursor = location->Cursor();
  const Abbreviation* abbreviation = table->Find(cursor.Uleb());
  if (abbreviation == nullptr) return std::nullopt;
  DieInfo info{.location = *location, .tag = abbreviation->tag};
  std::optional<uint64_t> specification;
  for (const AttributeSpec& spec : table->AttributesOf(*abbreviation)) {
    const FormValue value = reader.Read(spec, cursor);
    switch (spec.attribute) {
      case KnownAttribute::kLinkageName:
        info.linkage_name = reader.UnboundedStringOf(value);
        break;
      case KnownAttribute::kName:
        info.name = value;
        break;
      case KnownAttribute::kExternal:
        info.external = value.number != 0;
        break;
      case KnownAttribute::kDeclLine:
        info.line = static_cast<uint32_t>(value.number);
        break;
      case KnownAttribute::kDeclFile:
        info.file = value.number;
        break;
      case KnownAttribute::kAbstractOrigin:
        info.origin = reader.ReferenceOf(value);
        break;
      case KnownAttribute::kSpecification:
        specification = reader.ReferenceOf(value);
        break;
      case KnownAttribute::kSignature:
        if (value.form == DW_FORM_ref_sig8) info.signature = value.number;
        break;
      default:
        break;
    }
  }
  if (!info.origin) info.origin = specification;
  if (info.origin) *info.origin |= location->mark;
  return info;
}

// Returns the name of a DIE. Call this only if the name is needed: names are
// spread over the file, so each call probably costs a cache miss.
std::string_view FunctionInfoReader::NameOf(const DieInfo& info) const {
  return info.name ? info.location.reader().StringOf(*info.name)
                   : std::string_view();
}

FunctionInfoReader::OriginChain FunctionInfoReader::Follow(
    uint32_t unit, const FunctionNode& node, bool checks_names,
    FunctionInfo& function) {
  OriginChain found;
  NameAttributes& name = found.name;
  name.entry_pc = node.entry_pc;
  bool has_file = false;
  bool leaves_unit = false;
  std::array<uint64_t, kMaxOriginHops> dies;
  size_t hops = 0;
  std::optional<uint64_t> at = node.die;
  while (hops < kMaxOriginHops && at) {
    const std::optional<DieInfo> info = ReadDie(*at, unit);
    if (!info) break;
    dies[hops++] = *at;
    const DieLocation& location = info->location;
    leaves_unit = leaves_unit || location.mark != 0 || location.unit != unit;
    AddNames(*info, checks_names, name);
    if (function.start_line == 0) function.start_line = info->line;
    if (info->file && !has_file) {
      has_file = true;
      SetFile(*info, function);
    }
    found.declaration = *at;
    at = info->origin;
  }
  if (leaves_unit) units_.NoteForeignDie();
  const auto has_scope = [&] {
    return FindScope(found.declaration).has_value();
  };
  if (name.entry_pc == 0 && NeedsSymbol(name, has_scope))
    name.entry_pc = FindEntryPc(unit, name.name, std::span(dies).first(hops),
                                leaves_unit && MayMangleNames(name.language));
  return found;
}

// Sets the file of the function to the one of this DIE, which has a file.
void FunctionInfoReader::SetFile(const DieInfo& info, FunctionInfo& function) {
  std::string problem;
  function.line_program =
      info.location.units->FindLineProgram(info.location.unit, problem);
  function.file = *info.file;
}

// Sets the place of a member that has none to the place of its class.
void FunctionInfoReader::SetPlaceOfClass(uint64_t member,
                                         FunctionInfo& function) {
  const std::optional<uint64_t> scope = FindScope(member);
  const std::optional<DieInfo> info = scope ? ReadDie(*scope) : std::nullopt;
  if (!info || !IsClass(info->tag) || !info->file) return;
  SetFile(*info, function);
  function.start_line = info->line;
}

// Adds what the next DIE of a chain of origins says about the name of the
// function.
void FunctionInfoReader::AddNames(const DieInfo& info, bool checks_names,
                                  NameAttributes& name) const {
  const std::string_view linkage_name = info.linkage_name;
  if (!linkage_name.empty() && !(checks_names && CannotBeUsed(linkage_name)))
    name.linkage_name = linkage_name;
  if (name.linkage_name.empty() && name.name.empty()) {
    name.name = NameOf(info);
    // Partial units may not state their language.
    const uint16_t language = info.location.reader().unit().language;
    if (language != 0) name.language = language;
  }
  name.external = name.external || info.external;
}

// True if the function `name` may have code that only skipped DIEs describe
// (see unit_scan.h). This is so if a symbol that fits the name starts in code
// that no function outside of skipped DIEs covers, or if too many symbols start
// there to check all.
bool FunctionInfoReader::MayBeInUncoveredCode(uint32_t unit,
                                              std::string_view name) {
  const auto symbols = units_.SymbolsInUncoveredCode(unit, symbols_);
  return symbols.size() == UnitStore::kManySymbols ||
         std::ranges::any_of(symbols, [name](std::string_view symbol) {
           return CanBeSymbolOf(CutCloneSuffix(symbol), name);
         });
}

// Returns the entry PC of the first out-of-line copy of a function; 0 if there
// is none. The origin of a copy is one of the DIEs in `chain`. Searches for
// each origin in the DIEs of the unit that were not skipped, then in the
// skipped ones (see unit_scan.h). The skipped DIEs are searched only if
// `any_unit` is set or if symbols show that the copy may be there. With
// `any_unit`, searches all units last.
uint64_t FunctionInfoReader::FindEntryPc(uint32_t unit, std::string_view name,
                                         std::span<const uint64_t> chain,
                                         bool any_unit) {
  std::optional<bool> reads_skipped;
  for (const uint64_t origin : chain) {
    if (const uint64_t address = units_.EntryPcOf(unit, origin)) return address;
    if (!reads_skipped)
      reads_skipped = any_unit || MayBeInUncoveredCode(unit, name);
    if (!*reads_skipped) continue;
    if (const uint64_t address = units_.SkippedEntryPc(unit, origin, symbols_))
      return address;
  }
  if (any_unit)
    for (const uint64_t origin : chain)
      if (const uint64_t address = units_.EntryPcInAnyUnit(origin))
        return address;
  return 0;
}

void FunctionInfoReader::Recheck(uint32_t unit, const FunctionNode& node,
                                 FunctionInfo& function) {
  if (CannotBeUsed(function.unbounded_name))
    function = ReadInfo(unit, node, /*checks_names=*/true);
}

FunctionInfo FunctionInfoReader::ReadInfo(uint32_t unit,
                                          const FunctionNode& node,
                                          bool checks_names) {
  FunctionInfo function;
  const OriginChain chain_info = Follow(unit, node, checks_names, function);
  function.unbounded_name = chain_info.name.linkage_name;
  __builtin_prefetch(function.unbounded_name.data());
  if (!function.unbounded_name.empty()) return function;
  function.name = NameFunction(chain_info.name, symbols_, [&] {
    return ScopePrefix(chain_info.declaration);
  });
  if (function.start_line == 0)
    SetPlaceOfClass(chain_info.declaration, function);
  return function;
}

void FunctionInfoReader::Prefetch(uint32_t unit,
                                  const FunctionNode& node) const {
  const std::span<const uint8_t> info = units_.reader(unit).sections().info;
  if (node.die < info.size()) __builtin_prefetch(&info[node.die]);
}

std::optional<uint64_t> FunctionInfoReader::FindScope(uint64_t die) {
  const std::optional<DieLocation> location = Find(die);
  const AbbreviationTable* table =
      location ? location->Abbreviations() : nullptr;
  if (table == nullptr) return std::nullopt;
  // In a damaged file, the chain of a function may lead to any DIE.
  const Abbreviation* abbreviation = table->Find(location->Cursor().Uleb());
  if (abbreviation == nullptr || (abbreviation->kind != DieKind::kScope &&
                                  abbreviation->kind != DieKind::kFunction))
    return std::nullopt;
  const auto scope =
      location->units->FindScope(location->unit, location->offset);
  if (!scope) return std::nullopt;
  return *scope | location->mark;
}

// Returns the DIE that describes the type of which the DIE `die` may have only
// the signature; nothing if no type unit has it. `info` is that of `die`.
std::optional<uint64_t> FunctionInfoReader::DescribedType(
    uint64_t die, const DieInfo& info) const {
  if (!info.signature) return die;
  std::optional<uint64_t> type = info.location.units->FindType(*info.signature);
  if (type) *type |= info.location.mark;
  return type;
}

// Returns the name of `scope`, and sets `scope` to the DIE that declares it.
// The caller continues from the declaration, because names are qualified by the
// scopes around the declaration. gcc may declare a class outside of its
// namespace; then only the type unit has the namespace.
ScopeName FunctionInfoReader::NameOfScope(uint64_t& scope) {
  std::string_view name;
  std::string_view linkage_name;
  uint16_t tag = 0;
  std::optional<uint64_t> at = scope;
  std::optional<uint64_t> described = scope;
  bool has_signature = false;
  for (size_t hop = 0; hop < kMaxOriginHops && at; ++hop) {
    const std::optional<DieInfo> info = ReadDie(*at);
    if (!info) break;
    scope = *at;
    if (!has_signature) described = DescribedType(*at, *info);
    if (tag == 0) tag = info->tag;
    if (name.empty() && described) {
      const std::optional<DieInfo> type =
          info->signature ? ReadDie(*described) : info;
      if (type) name = NameOf(*type);
    }
    if (IsMangledScope(info->linkage_name))
      linkage_name = UpToNul(info->linkage_name);
    at = info->origin;
    if (!has_signature && info->signature && !at && !FindScope(scope))
      at = described;
    has_signature = has_signature || info->signature;
  }
  return NameScope(linkage_name, name, tag == DW_TAG_namespace,
                   [&] { return described && IsLambda(*described); });
}

// True if `type`, which has no name, is the class of a lambda: one of its first
// few members shows it.
bool FunctionInfoReader::IsLambda(uint64_t type) {
  constexpr int kMaxDies = 64;
  constexpr int kMaxMembers = 16;
  const std::optional<DieLocation> location = Find(type);
  const AbbreviationTable* table =
      location ? location->Abbreviations() : nullptr;
  if (table == nullptr) return false;
  LittleEndianCursor cursor = location->Cursor();
  int depth = 0;
  int members = 0;
  for (int i = 0; i < kMaxDies && members < kMaxMembers; ++i) {
    const uint64_t die = cursor.offset() | location->mark;
    const uint64_t code = cursor.Uleb();
    if (code == 0) {
      if (--depth <= 0) return false;
      continue;
    }
    const Abbreviation* abbreviation = table->Find(code);
    if (abbreviation == nullptr) return false;
    if (depth == 1) {
      ++members;
      const std::optional<DieInfo> member = ReadDie(die);
      if (member && IsLambdaMember(NameOf(*member))) return true;
    }
    table->Skip(*abbreviation, cursor);
    if (abbreviation->has_children) ++depth;
    if (depth == 0) return false;
  }
  return false;
}

// Returns the names of all scopes around `declaration`, outermost first, each
// followed by "::". Empty if `declaration` is at the top of a unit.
std::string FunctionInfoReader::ScopePrefix(uint64_t declaration) {
  std::vector<std::string_view> names;
  uint64_t die = declaration;
  while (names.size() < kMaxScopes) {
    const std::optional<uint64_t> scope = FindScope(die);
    if (!scope) break;
    die = *scope;
    const ScopeName name = NameOfScope(die);
    names.push_back(name.text);
    if (name.is_qualified) break;
  }
  return JoinScopes(names);
}

}  // namespace heapprof
