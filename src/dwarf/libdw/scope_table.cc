// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/scope_table.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include <dwarf.h>

#include "dwarf/libdw/dwarf_section.h"
#include "dwarf/shared/function_naming.h"

namespace heapprof {
namespace {

constexpr size_t kMaxNameSize = 64 * 1024;

bool IsType(int tag) {
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
         tag == DW_TAG_union_type || tag == DW_TAG_enumeration_type ||
         tag == DW_TAG_interface_type;
}

bool IsFunction(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

bool IsScope(int tag) {
  return IsType(tag) || IsFunction(tag) || tag == DW_TAG_namespace ||
         tag == DW_TAG_module;
}

// True if `type`, which has no name, is the class of a lambda: one of its first
// few members shows it.
bool IsLambda(Dwarf_Die* type) {
  constexpr int kMembers = 16;
  Dwarf_Die member;
  int result = dwarf_child(type, &member);
  for (int i = 0; i < kMembers && result == 0; ++i) {
    if (IsLambdaMember(StringAttribute(&member, DW_AT_name))) return true;
    result = dwarf_siblingof(&member, &member);
  }
  return false;
}

// Returns the DIE that describes `type`, which may have only the signature of a
// type unit; nothing if there is no such unit.
std::optional<Dwarf_Die> DescribedType(Dwarf_Die type) {
  Dwarf_Attribute signature;
  if (dwarf_attr(&type, DW_AT_signature, &signature) == nullptr) return type;
  Dwarf_Die described;
  if (dwarf_formref_die(&signature, &described) == nullptr) return std::nullopt;
  return described;
}

// Returns the name of `scope`. Sets `scope` to the DIE of its declaration,
// because names are qualified by the scopes around the declaration.
ScopeName NameOfScope(Dwarf_Die* scope) {
  const int tag = dwarf_tag(scope);
  std::optional<Dwarf_Die> described;
  std::string_view name;
  std::string_view linkage_name;
  for (size_t hop = 0; hop < kMaxOriginHops; ++hop) {
    described = DescribedType(*scope);
    if (name.empty() && described)
      name = StringAttribute(&*described, DW_AT_name);
    if (const std::string_view linkage = LinkageName(scope);
        IsMangledScope(linkage))
      linkage_name = linkage;
    Dwarf_Die origin;
    if (!FollowOrigin(scope, &origin)) break;
    *scope = origin;
  }
  return NameScope(linkage_name, name, tag == DW_TAG_namespace, [&] {
    return IsType(tag) && described && IsLambda(&*described);
  });
}

}  // namespace

void ScopeTable::Add(DieWalker& walker) {
  const size_t depth = walker.depth();
  open_.resize(depth + 1);
  const uint32_t parent = depth == 0 ? kTop : open_[depth - 1];
  open_[depth] = parent;
  if (!IsScope(walker.tag())) return;
  open_[depth] = static_cast<uint32_t>(scopes_.size());
  scopes_.push_back({walker.die()->addr, parent});
}

void* ScopeTable::FindParent(const void* address) const {
  auto found = std::ranges::lower_bound(scopes_, address, {}, &Scope::address);
  if (found == scopes_.end() || found->address != address) return nullptr;
  return found->parent == kTop ? nullptr : scopes_[found->parent].address;
}

void ScopeTables::Put(const Dwarf_Die& root, ScopeTable table) {
  tables_.insert_or_assign(root.addr, std::move(table));
}

const ScopeTable& ScopeTables::Get(const Dwarf_Die& root) {
  auto [at, is_new] = tables_.try_emplace(root.addr);
  if (!is_new) return at->second;
  Dwarf* dwarf = dwarf_cu_getdwarf(root.cu);
  auto [section, is_new_file] = debug_infos_.try_emplace(dwarf);
  if (is_new_file) section->second = DwarfSection(dwarf, "debug_info");
  const LibdwUnit unit = UnitOf(root, section->second);
  if (unit.end == nullptr) return at->second;
  DieWalker walker(unit.root, unit.end);
  while (walker.Next()) at->second.Add(walker);
  return at->second;
}

void* ScopeTables::FindParent(Dwarf_Die* die) {
  Dwarf_Die root;
  if (dwarf_diecu(die, &root, nullptr, nullptr) == nullptr) return nullptr;
  return Get(root).FindParent(die->addr);
}

bool FollowOrigin(Dwarf_Die* die, Dwarf_Die* origin) {
  for (const unsigned link : {DW_AT_abstract_origin, DW_AT_specification}) {
    Dwarf_Attribute attribute;
    if (dwarf_attr(die, link, &attribute) == nullptr) continue;
    return dwarf_formref_die(&attribute, origin) != nullptr;
  }
  return false;
}

std::string_view StringAttribute(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  const char* text = dwarf_formstring(dwarf_attr(die, attribute, &found));
  return text == nullptr ? std::string_view()
                         : std::string_view(text, strnlen(text, kMaxNameSize));
}

std::string_view LinkageName(Dwarf_Die* die) {
  const std::string_view name = StringAttribute(die, DW_AT_linkage_name);
  return name.empty() ? StringAttribute(die, DW_AT_MIPS_linkage_name) : name;
}

std::string ScopePrefix(Dwarf_Die die, ScopeTables& tables) {
  std::vector<std::string_view> names;
  while (names.size() < kMaxScopes) {
    void* parent = tables.FindParent(&die);
    if (parent == nullptr) break;
    // The parent is in the same unit as the child, so it has the same `cu`.
    die = Dwarf_Die{
        .addr = parent, .cu = die.cu, .abbrev = nullptr, .padding__ = 0};
    const ScopeName name = NameOfScope(&die);
    names.push_back(name.text);
    if (name.is_qualified) break;
  }
  return JoinScopes(names);
}

}  // namespace heapprof
