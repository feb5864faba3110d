// SPDX-License-Identifier: Apache-2.0
//
// Which part of the stacks a call tree shows; see call_tree.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

enum class CallDirection : uint8_t { kCallers, kCallees };

struct CallTreeOptions {
  Metric metric = Metric::kInuseSpace;
  LabelOptions labels = {};
  CallDirection direction = CallDirection::kCallers;
  // Nodes whose size is below this fraction of the size of all stacks with a
  // match get no row. The size of a node is the sum of the absolute values of
  // its stacks, in which increases and decreases do not cancel.
  double least_fraction = 0.01;
  size_t most_rows = 0;  // 0: limited only to bound the use of memory
  // Selects the functions at the roots. Called with the text of each label, and
  // with the full name of each function that has the label.
  std::function<bool(std::string_view name)> matches;
};

}  // namespace heapprof
