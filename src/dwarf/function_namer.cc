// SPDX-License-Identifier: Apache-2.0
#include "dwarf/function_namer.h"

#include <dwarf.h>

#include "dwarf/linkage_rules.h"
#include "heapprof/base/clone_suffix.h"

namespace heapprof {
namespace {

bool MayBeMangled(Dwarf_Die die) {
  Dwarf_Die root;
  return dwarf_diecu(&die, &root, nullptr, nullptr) == nullptr ||
         MayMangleNames(dwarf_srclang(&root));
}

bool IsExternal(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  bool is_set = false;
  return dwarf_attr(die, DW_AT_external, &attribute) != nullptr &&
         dwarf_formflag(&attribute, &is_set) == 0 && is_set;
}

std::string_view LinkageName(Dwarf_Die* die) {
  const std::string_view name = StringAttribute(die, DW_AT_linkage_name);
  return name.empty() ? StringAttribute(die, DW_AT_MIPS_linkage_name) : name;
}

}  // namespace

std::optional<uint64_t> NumberAttribute(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, attribute, &found), &value) != 0)
    return std::nullopt;
  return value;
}

FunctionNamer::Facts FunctionNamer::Follow(const CodeNode& node,
                                           const FunctionEntries& entries,
                                           SourceFunction& function) {
  Facts facts;
  facts.entry_address = node.entry_address;
  Dwarf_Die die = node.die;
  bool has_file = false;
  for (int hop = 0; hop < kMaxOriginHops; ++hop) {
    if (const std::string_view linkage = LinkageName(&die); !linkage.empty())
      facts.linkage_name = linkage;
    if (facts.name.empty()) facts.name = StringAttribute(&die, DW_AT_name);
    facts.external = facts.external || IsExternal(&die);
    if (function.start_line == 0)
      function.start_line = static_cast<uint32_t>(
          NumberAttribute(&die, DW_AT_decl_line).value_or(0));
    if (const auto file = NumberAttribute(&die, DW_AT_decl_file);
        file && !has_file) {
      has_file = true;
      function.file = files_.FileName(&die, *file);
    }
    if (facts.entry_address == 0)
      if (auto entry = entries.find(die.addr); entry != entries.end())
        facts.entry_address = entry->second;
    facts.declaration = die;
    Dwarf_Die origin;
    if (!FollowOrigin(&die, &origin)) break;
    die = origin;
  }
  return facts;
}

std::optional<std::string> FunctionNamer::FindSymbolName(
    const Facts& facts) const {
  if (facts.entry_address == 0) return std::nullopt;
  const std::optional<Symbol> symbol = symbols_.FindStart(facts.entry_address);
  if (!symbol) return std::nullopt;
  const std::string_view name = CutCloneSuffix(symbol->name);
  if (!CanBeSymbolOf(name, facts.name)) return std::nullopt;
  return std::string(name);
}

SourceFunction FunctionNamer::Describe(const CodeNode& node,
                                       const FunctionEntries& entries) {
  SourceFunction function;
  const Facts facts = Follow(node, entries, function);
  if (!facts.linkage_name.empty()) {
    function.linkage_name = CutCloneSuffix(facts.linkage_name);
    return function;
  }
  if (!facts.name.empty() && !MayBeMangled(node.die)) {
    function.linkage_name = CutCloneSuffix(facts.name);
    return function;
  }
  if (auto symbol = FindSymbolName(facts)) {
    function.linkage_name = std::move(*symbol);
    return function;
  }
  std::string scopes = ScopePrefix(facts.declaration, scopes_);
  // extern "C", main: what is visible outside and yet has no linkage name has
  // its plain name as symbol.
  if (scopes.empty() && facts.external)
    function.linkage_name = facts.name;
  else
    function.scoped_name = std::move(scopes.append(facts.name));
  return function;
}

}  // namespace heapprof
