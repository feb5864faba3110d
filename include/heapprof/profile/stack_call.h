// SPDX-License-Identifier: Apache-2.0
//
// The calls to which the values of stacks are charged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heapprof {

struct StackCall {
  size_t frame = 0;   // index of the frame in the stack; the leaf is 0
  uint32_t line = 0;  // index in Profile::lines
};

// By StackId, for all stacks of a profile; nothing for a stack that is charged
// to none of its calls.
using CallsOfStacks = std::vector<std::optional<StackCall>>;

// What reports call the stacks without own code: the name of the row that is
// charged with them, and of the leaf that FilterOptions::own gives them.
inline constexpr std::string_view kOutsideOwnCode = "[outside your code]";

}  // namespace heapprof
