// SPDX-License-Identifier: Apache-2.0
//
// What every source line holds itself and through each call on it, in whole
// bytes or objects: the contents of a callgrind file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// Two functions are the same if all three names are equal.
struct CostFunction {
  std::string object = {};  // path of the binary; may be empty
  std::string file = {};    // empty: unknown
  std::string name;
  uint32_t start_line = 0;  // 0: unknown
};

struct SelfCost {
  uint32_t function = 0;  // index
  uint32_t line = 0;
  int64_t value = 0;
};

struct CallCost {
  uint32_t caller = 0;
  uint32_t line = 0;  // the line of the call
  uint32_t callee = 0;
  int64_t stacks = 0;  // with this call
  int64_t value = 0;   // the sum of these stacks
};

struct CallCosts {
  std::vector<CostFunction> functions;  // in byte order
  std::vector<SelfCost> selves;         // in order of function and line
  std::vector<CallCost> calls;          // in order of caller, line, callee
  int64_t total = 0;
  // The sum of all negative differences, as a positive number: they cannot be
  // represented in a file of costs.
  double shrunk = 0;
};

// The calls to a function add up to what it and its callees hold. If a function
// recurses, only the outermost call in a stack counts. If it is the root of
// some stacks but called in others, "[root]" calls it in stacks of which it is
// the root. Stacks are rounded to whole numbers so that the sum is that of the
// exact values; each is off by less than 1.
CallCosts MakeCallCosts(const Profile& profile, Metric metric, NameForm names);

}  // namespace heapprof
