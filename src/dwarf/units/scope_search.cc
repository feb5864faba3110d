// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/scope_search.h"

#include <vector>

namespace heapprof {

std::optional<ScopeAround> SearchScope(const UnitReader& reader,
                                       const AbbreviationTable& abbreviations,
                                       const DeferredEntries& deferred,
                                       uint64_t entry) {
  // A small file may hold a hundred thousand functions to be looked for.
  constexpr int kMaxSteps = 1024;
  LittleEndianCursor cursor(reader.sections().info.first(deferred.end),
                            deferred.start);
  // Innermost scope at each depth.
  std::vector<ScopeAround> open;
  const auto innermost = [&open] {
    return open.empty() ? ScopeAround() : open.back();
  };
  for (int step = 0; step < kMaxSteps && cursor.ok(); ++step) {
    const uint64_t at = cursor.offset();
    if (at == entry) return innermost();
    if (at > entry) return std::nullopt;
    const uint64_t code = cursor.Uleb();
    if (code == 0) {
      if (!open.empty()) open.pop_back();
      continue;
    }
    const Abbreviation* abbreviation = abbreviations.Find(code);
    if (abbreviation == nullptr) return std::nullopt;
    abbreviations.Skip(*abbreviation, cursor);
    if (!abbreviation->has_children) continue;
    const auto sibling = reader.SiblingOf(*abbreviation, cursor);
    if (sibling && *sibling <= entry) {
      cursor.Skip(*sibling - cursor.offset());
      continue;
    }
    const bool is_scope = abbreviation->kind == EntryKind::kScope ||
                          abbreviation->kind == EntryKind::kFunction;
    open.push_back(is_scope ? ScopeAround{at} : innermost());
  }
  return std::nullopt;
}

}  // namespace heapprof
