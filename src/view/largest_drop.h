// SPDX-License-Identifier: Apache-2.0
//
// Finds the call on a way through the call tree at which most of the memory
// goes another way: where the value drops the most from caller to callee.
#pragma once

#include <cstddef>

#include "view/story_limits.h"

namespace heapprof {

// The drops of a way are added from its root on. A later drop counts as larger
// only if it is clearly larger (kClearlyLarger).
class LargestDrop {
 public:
  void Add(double drop) {
    if (IsExceededBy(drop)) {
      largest_ = drop;
      place_ = count_;
    }
    ++count_;
  }
  // True if a drop of this size would be the largest if it were added now.
  bool IsExceededBy(double drop) const {
    return drop > kClearlyLarger * largest_;
  }
  // How many drops were added before the largest one. 0 if none counts.
  size_t place() const { return place_; }

 private:
  double largest_ = 0;
  size_t count_ = 0;
  size_t place_ = 0;
};

}  // namespace heapprof
