// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/libdw_function_info_reader.h"

#include <string_view>

#include <dwarf.h>

#include "dwarf/shared/mangled_constraints.h"

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

}  // namespace

std::optional<uint64_t> NumberAttribute(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, attribute, &found), &value) != 0)
    return std::nullopt;
  return value;
}

LibdwFunctionInfoReader::OriginChain LibdwFunctionInfoReader::Follow(
    const LibdwFunctionNode& node, const EntryPcs& entry_pcs,
    LibdwFunctionInfo& info) {
  OriginChain chain;
  NameAttributes& name = chain.name;
  name.entry_pc = node.entry_pc;
  Dwarf_Die die = node.die;
  bool has_file = false;
  for (size_t hop = 0; hop < kMaxOriginHops; ++hop) {
    if (const std::string_view linkage = LinkageName(&die);
        !linkage.empty() && !HasConstraints(linkage))
      name.linkage_name = linkage;
    if (name.name.empty()) {
      name.name = StringAttribute(&die, DW_AT_name);
      if (const int language = LanguageOf(die); language > 0)
        name.language = language;
    }
    name.external = name.external || IsExternal(&die);
    if (info.start_line == 0)
      info.start_line = static_cast<uint32_t>(
          NumberAttribute(&die, DW_AT_decl_line).value_or(0));
    if (const auto file = NumberAttribute(&die, DW_AT_decl_file);
        file && !has_file) {
      has_file = true;
      info.file = files_.FileName(&die, *file);
    }
    if (name.entry_pc == 0)
      if (auto found = entry_pcs.find(die.addr); found != entry_pcs.end())
        name.entry_pc = found->second;
    chain.declaration = die;
    Dwarf_Die origin;
    if (!FollowOrigin(&die, &origin)) break;
    die = origin;
  }
  return chain;
}

void LibdwFunctionInfoReader::SetPlaceOfClass(Dwarf_Die member,
                                              LibdwFunctionInfo& info) {
  void* scope = scopes_.FindParent(&member);
  if (scope == nullptr) return;
  // The scope is in the same unit as the member, so it has the same `cu`.
  Dwarf_Die die = {
      .addr = scope, .cu = member.cu, .abbrev = nullptr, .padding__ = 0};
  const auto file = NumberAttribute(&die, DW_AT_decl_file);
  if (!file || !IsClass(static_cast<unsigned>(dwarf_tag(&die)))) return;
  info.file = files_.FileName(&die, *file);
  info.start_line =
      static_cast<uint32_t>(NumberAttribute(&die, DW_AT_decl_line).value_or(0));
}

LibdwFunctionInfo LibdwFunctionInfoReader::Read(const LibdwFunctionNode& node,
                                                const EntryPcs& entry_pcs) {
  LibdwFunctionInfo info;
  const OriginChain chain = Follow(node, entry_pcs, info);
  info.name = NameFunction(chain.name, symbols_, [&] {
    return ScopePrefix(chain.declaration, scopes_);
  });
  if (chain.name.linkage_name.empty() && info.start_line == 0)
    SetPlaceOfClass(chain.declaration, info);
  return info;
}

}  // namespace heapprof
