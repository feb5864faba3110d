// SPDX-License-Identifier: Apache-2.0
//
// Finds the namespace, type or function that encloses a DIE, and qualified
// names. DWARF has no links to parents, so a walk over the unit records them
// for namespaces, types and functions.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <elfutils/libdw.h>

#include "dwarf/libdw/die_walker.h"
#include "dwarf/libdw/libdw_units.h"

namespace heapprof {

class ScopeTable {
 public:
  // Must be called for every DIE of the unit, in preorder.
  void Add(DieWalker& walker);

  // The address of the scope that encloses the DIE at `address`; nullptr if no
  // scope does, or if that DIE is not a scope itself.
  void* FindParent(const void* address) const;

 private:
  static constexpr uint32_t kTop = UINT32_MAX;
  struct Scope {
    void* address = nullptr;
    uint32_t parent = kTop;  // index into scopes_
  };

  std::vector<Scope> scopes_;  // by address
  // The innermost scope at each depth of the walk.
  std::vector<uint32_t> open_;
};

// The scope tables of units in the debug file, and in the alternate file that
// dwz made for several debug files. Each is made on first use.
class ScopeTables {
 public:
  // Stores the table of a unit that was walked for another reason.
  void Put(const Dwarf_Die& root, ScopeTable table);
  void* FindParent(Dwarf_Die* die);

 private:
  const ScopeTable& Get(const Dwarf_Die& root);

  std::map<const void*, ScopeTable> tables_;  // by address of the root DIE
  std::map<Dwarf*, std::span<const uint8_t>> debug_infos_;
};

// Follows DW_AT_abstract_origin, or else DW_AT_specification, to another DIE of
// the same function or type. Returns false at the end of the chain.
bool FollowOrigin(Dwarf_Die* die, Dwarf_Die* origin);

// In a damaged file, the origins may form a circle.
inline constexpr int kMaxOriginHops = 16;

// The value of a string attribute of `die`; empty if it is missing. Overlong
// text is cut: many DIEs may share it.
std::string_view StringAttribute(Dwarf_Die* die, unsigned attribute);

// The names of all scopes around the declaration of `die` joined by "::",
// outermost first, with "::" at the end; empty at the top of a unit.
std::string ScopePrefix(Dwarf_Die die, ScopeTables& tables);

}  // namespace heapprof
