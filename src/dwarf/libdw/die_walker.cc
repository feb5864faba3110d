// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/die_walker.h"

#include <dwarf.h>

namespace heapprof {

DieWalker::DieWalker(const Dwarf_Die& root, const uint8_t* end)
    : die_(root), end_(end), next_(static_cast<const uint8_t*>(root.addr)) {}

bool DieWalker::Next() {
  if (started_) Advance();
  if (next_ == nullptr) return false;
  // A null entry ends a list of siblings, so the walk goes one level up.
  while (started_ && next_ < end_ && *next_ == 0) {
    ++next_;
    if (--next_depth_ == 0) return false;
  }
  if (next_ >= end_) return false;

  die_ = Dwarf_Die{.addr = const_cast<uint8_t*>(next_),
                   .cu = die_.cu,
                   .abbrev = nullptr,
                   .padding__ = 0};
  depth_ = next_depth_;
  started_ = true;
  tag_ = dwarf_tag(&die_);
  if (tag_ != DW_TAG_invalid) return true;
  StopAsDamaged();
  return false;
}

// Finds the start of the DIE after the current one.
void DieWalker::Advance() {
  if (next_ == nullptr) return;
  Dwarf_Die following;
  if (dwarf_haschildren(&die_) > 0) {
    if (depth_ < kMaxDepth) {
      const int result = dwarf_child(&die_, &following);
      if (result == 0) return StepTo(following.addr, depth_ + 1);
      if (result < 0) return StopAsDamaged();
    } else {
      too_deep_ = true;
    }
  }
  const int result = dwarf_siblingof(&die_, &following);
  if (result < 0) return StopAsDamaged();
  // If there is no next sibling, dwarf_siblingof() sets `following.addr` to the
  // null entry that ends the list.
  StepTo(following.addr, depth_);
  if (depth_ == 0) next_ = nullptr;
}

// Continues the walk at `address`. Stops if `address` is not after the current
// DIE: a damaged DW_AT_sibling may point backwards, and the walk would never
// end.
void DieWalker::StepTo(const void* address, size_t depth) {
  const auto* target = static_cast<const uint8_t*>(address);
  if (target != nullptr && target <= die_.addr) return StopAsDamaged();
  next_ = target;
  next_depth_ = depth;
}

void DieWalker::StopAsDamaged() {
  damaged_ = true;
  next_ = nullptr;
}

}  // namespace heapprof
