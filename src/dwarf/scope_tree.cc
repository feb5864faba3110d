// SPDX-License-Identifier: Apache-2.0
#include "dwarf/scope_tree.h"

#include <algorithm>

namespace heapprof {

std::optional<uint64_t> ScopeTree::FindScope(uint64_t entry) const {
  const auto behind =
      std::ranges::lower_bound(scopes_, entry, {}, &Scope::entry);
  auto at = static_cast<uint32_t>(behind - scopes_.begin()) - 1;
  if (behind == scopes_.begin()) at = kTop;
  while (at != kTop && scopes_[at].end <= entry) at = scopes_[at].parent;
  if (at == kTop) return std::nullopt;
  return scopes_[at].entry;
}

void ScopeRecorder::RecordOpen() {
  size_t first = open_.size();
  while (first > 0 && open_[first - 1].number == ScopeTree::kTop) --first;
  for (; first < open_.size(); ++first) {
    open_[first].number = static_cast<uint32_t>(tree_.scopes_.size());
    tree_.scopes_.push_back(
        {.entry = open_[first].entry,
         .parent = first == 0 ? ScopeTree::kTop : open_[first - 1].number});
  }
}

}  // namespace heapprof
