// SPDX-License-Identifier: Apache-2.0
//
// The contents of a callgrind file. For each source line: the memory that the
// line allocates directly, and the memory held through each call that is made
// on the line. Values are whole bytes or objects.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"
#include "heapprof/view/frame_labels.h"

namespace heapprof {

// Functions are distinguished by `object`, `file` and `name` together.
struct CostFunction {
  std::string object = {};  // path of the binary; may be empty
  std::string file = {};    // empty: unknown
  std::string name;
  uint32_t start_line = 0;  // 0: unknown
};

struct SelfCost {
  uint32_t function = 0;  // index of CallCosts::functions
  uint32_t line = 0;      // 0: unknown
  int64_t value = 0;      // what the line allocates directly
};

struct CallCost {
  uint32_t caller = 0;  // index of CallCosts::functions
  uint32_t line = 0;    // the line of the call; 0: unknown
  uint32_t callee = 0;  // index of CallCosts::functions
  int64_t stacks = 0;   // number of stacks that contain the call
  int64_t value = 0;    // what these stacks hold
};

struct CallCosts {
  std::vector<CostFunction> functions;  // sorted by object, file, name
  std::vector<SelfCost> selves;         // sorted by function and line
  std::vector<CallCost> calls;          // sorted by caller, line, callee
  int64_t total = 0;
  // The sum of all decreases, as a positive number. They are in none of the
  // costs, because a callgrind file cannot have negative costs.
  double shrunk = 0;
};

// The costs of the calls to a function add up to what the function and its
// callees hold. Therefore, if a function recurses, only its outermost call in a
// stack counts. A function may be the root of some stacks and be called in
// others. In the stacks of which it is the root, a made-up function "[root]"
// calls it, so that the sum is complete. It also calls a root that recurses:
// readers would otherwise add up the costs of that function, which count the
// stack more than once. The values of stacks are rounded to whole numbers by
// WholeValues, so that their sum stays right.
CallCosts MakeCallCosts(const Profile& profile, Metric metric, NameForm names);

}  // namespace heapprof
