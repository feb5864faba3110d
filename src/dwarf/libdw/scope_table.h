// SPDX-License-Identifier: Apache-2.0
//
// Finds the scope (namespace, type or function) around another scope, and makes
// qualified names. DWARF has no links from a DIE to its parent, so a walk over
// the unit records the scopes.
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

  // Returns the address in memory of the scope that encloses the DIE at
  // `address`. Returns nullptr if no scope encloses that DIE, or if it is not a
  // scope itself.
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
  // Stores the scope table of a unit that was walked anyway, so that the unit
  // need not be walked again.
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

// Returns the value of a string attribute of `die`; empty if `die` lacks the
// attribute. The length is limited, because a malicious file may have many DIEs
// that refer to the same huge string, which is scanned again for each DIE.
std::string_view StringAttribute(Dwarf_Die* die, unsigned attribute);

// Returns DW_AT_linkage_name or, in older files, DW_AT_MIPS_linkage_name.
std::string_view LinkageName(Dwarf_Die* die);

// Returns the names of all scopes around `die`, outermost first, each followed
// by "::" (see rule 3 in function_naming.h). Empty if `die` is at the top of a
// unit.
std::string ScopePrefix(Dwarf_Die die, ScopeTables& tables);

}  // namespace heapprof
