// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/function_namer.h"

#include <string_view>

#include <dwarf.h>

namespace heapprof {
namespace {

int LanguageOf(Dwarf_Die die) {
  Dwarf_Die root;
  return dwarf_diecu(&die, &root, nullptr, nullptr) == nullptr
             ? -1
             : dwarf_srclang(&root);
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
                                           Description& description) {
  Facts facts;
  NameFacts& name = facts.name;
  name.entry_address = node.entry_address;
  name.language = LanguageOf(node.die);
  Dwarf_Die die = node.die;
  bool has_file = false;
  for (int hop = 0; hop < kMaxOriginHops; ++hop) {
    if (const std::string_view linkage = LinkageName(&die); !linkage.empty())
      name.linkage_name = linkage;
    if (name.name.empty()) name.name = StringAttribute(&die, DW_AT_name);
    name.external = name.external || IsExternal(&die);
    if (description.start_line == 0)
      description.start_line = static_cast<uint32_t>(
          NumberAttribute(&die, DW_AT_decl_line).value_or(0));
    if (const auto file = NumberAttribute(&die, DW_AT_decl_file);
        file && !has_file) {
      has_file = true;
      description.file = files_.FileName(&die, *file);
    }
    if (name.entry_address == 0)
      if (auto entry = entries.find(die.addr); entry != entries.end())
        name.entry_address = entry->second;
    facts.declaration = die;
    Dwarf_Die origin;
    if (!FollowOrigin(&die, &origin)) break;
    die = origin;
  }
  return facts;
}

FunctionNamer::Description FunctionNamer::Describe(
    const CodeNode& node, const FunctionEntries& entries) {
  Description description;
  const Facts facts = Follow(node, entries, description);
  description.name = NameFunction(facts.name, symbols_, [&] {
    return ScopePrefix(facts.declaration, scopes_);
  });
  return description;
}

}  // namespace heapprof
