// SPDX-License-Identifier: Apache-2.0
//
// What every source line holds itself and through each call on it, in whole
// bytes or objects: the content of a callgrind file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// Told apart by all three names.
struct CostFunction {
  std::string object = {};  // path of the binary; empty: none
  std::string file = {};    // empty: not known
  std::string name;
  uint32_t start_line = 0;  // 0: not known
};

struct SelfCost {
  uint32_t function = 0;  // index
  uint32_t line = 0;
  int64_t value = 0;
};

struct CallCost {
  uint32_t caller = 0;
  uint32_t line = 0;  // of the call
  uint32_t callee = 0;
  int64_t stacks = 0;  // that have the call
  int64_t value = 0;   // of these stacks
};

struct CallCosts {
  std::vector<CostFunction> functions;  // in byte order
  std::vector<SelfCost> selves;         // in order of function and line
  std::vector<CallCost> calls;          // of caller, line and callee
  int64_t total = 0;
  // What the stacks with a negative difference add up to, as a positive
  // number: they have no place in a file of costs.
  double shrunk = 0;
};

// The calls to a function add up to what it holds with all that it calls: of a
// stack in which it recurses, only the outermost call counts, and where it is
// the root of some stacks and called in others, "[root]" calls it in the
// former. A stack counts in whole numbers, give or take 1: their sum is that of
// the exact values.
CallCosts MakeCallCosts(const Profile& profile, Metric metric, NameForm names);

}  // namespace heapprof
