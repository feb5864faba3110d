// SPDX-License-Identifier: Apache-2.0
//
// Which namespace, type or function encloses a DIE. DWARF has no parent
// links, so they are recorded while a unit is walked, for the DIEs whose
// qualified name may be asked for.
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
  // Call for every DIE of the unit, in preorder.
  void Add(DieWalker& walker);

  // The DIE that encloses the one at `address`; nullptr at the top of the
  // unit, or if the DIE is unknown.
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

// The scope tables of all units met so far, in the debug file and in the
// alternate file that dwz shares between debug files.
class ScopeTables {
 public:
  // Takes the table of a unit that was walked for another reason.
  void Put(const Dwarf_Die& root, ScopeTable table);
  void* FindParent(Dwarf_Die* die);

 private:
  const ScopeTable& Get(const Dwarf_Die& root);

  std::map<const void*, ScopeTable> tables_;  // by address of the root DIE
  std::map<Dwarf*, std::span<const uint8_t>> debug_infos_;
};

// Follows DW_AT_abstract_origin, else DW_AT_specification, to the DIE that
// describes the same thing further. False at the end of the chain.
bool FollowOrigin(Dwarf_Die* die, Dwarf_Die* origin);

// A damaged file may chain origins in a circle.
inline constexpr int kMaxOriginHops = 16;

// The string attribute `attribute` of `die`; empty if absent. Overlong text
// is cut: many DIEs may share it.
std::string_view StringAttribute(Dwarf_Die* die, unsigned attribute);

// The names of all scopes around the declaration of `die` joined by "::",
// outermost first, with "::" at the end; empty at the top of a unit.
std::string ScopePrefix(Dwarf_Die die, ScopeTables& tables);

}  // namespace heapprof
