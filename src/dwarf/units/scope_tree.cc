// SPDX-License-Identifier: Apache-2.0
#include "dwarf/units/scope_tree.h"

#include <algorithm>
#include <cstddef>

namespace heapprof {

std::optional<uint64_t> ScopeTree::FindScope(uint64_t die) const {
  const auto after = std::ranges::lower_bound(scopes_, die, {}, &Scope::die);
  auto at = static_cast<uint32_t>(after - scopes_.begin()) - 1;
  if (after == scopes_.begin()) at = kTop;
  while (at != kTop && scopes_[at].end <= die) at = scopes_[at].parent;
  if (at == kTop) return std::nullopt;
  return scopes_[at].die;
}

void ScopeTree::Append(const ScopeTree& later, uint64_t start) {
  std::vector<uint32_t> numbers;  // by index in `later`: index in this tree
  for (Scope scope : later.scopes_) {
    numbers.push_back(static_cast<uint32_t>(scopes_.size()));
    if (scope.die < start) {
      const auto known =
          std::ranges::lower_bound(scopes_, scope.die, {}, &Scope::die);
      if (known != scopes_.end()) {
        known->end = scope.end;
        numbers.back() = static_cast<uint32_t>(known - scopes_.begin());
      }
      if (known != scopes_.end() || scope.is_empty) continue;
    }
    if (scope.parent != kTop) scope.parent = numbers[scope.parent];
    scopes_.push_back(scope);
  }
}

void ScopeRecorder::RecordOpen() {
  size_t first = open_.size();
  while (first > 0 && open_[first - 1].number == ScopeTree::kTop) --first;
  for (; first < open_.size(); ++first) {
    open_[first].number = static_cast<uint32_t>(tree_.scopes_.size());
    tree_.scopes_.push_back(
        {.die = open_[first].die,
         .parent = first == 0 ? ScopeTree::kTop : open_[first - 1].number});
  }
}

}  // namespace heapprof
