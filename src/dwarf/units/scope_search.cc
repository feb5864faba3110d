// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/scope_search.h"

#include <vector>

namespace heapprof {

std::optional<EnclosingScope> SearchScope(
    const UnitReader& reader, const AbbreviationTable& abbreviations,
    const SkippedDies& skipped, uint64_t die) {
  // The limit on the DIEs that one search visits. Searches must be short,
  // because even a small file may hold a hundred thousand functions that each
  // need one. If they are longer, reading all the skipped DIEs once is cheaper.
  constexpr int kMaxSteps = 64;
  LittleEndianCursor cursor(reader.sections().info.first(skipped.end),
                            skipped.start);
  // For each DIE around the cursor: the innermost scope around its children.
  std::vector<EnclosingScope> open;
  const auto innermost = [&open] {
    return open.empty() ? EnclosingScope() : open.back();
  };
  for (int step = 0; step < kMaxSteps && cursor.ok(); ++step) {
    const uint64_t at = cursor.offset();
    if (at == die) return innermost();
    if (at > die) return std::nullopt;
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
    if (sibling && *sibling <= die) {
      cursor.Skip(*sibling - cursor.offset());
      continue;
    }
    const bool is_scope = abbreviation->kind == DieKind::kScope ||
                          abbreviation->kind == DieKind::kFunction;
    open.push_back(is_scope ? EnclosingScope{at} : innermost());
  }
  return std::nullopt;
}

}  // namespace heapprof
