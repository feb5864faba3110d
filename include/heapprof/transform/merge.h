// SPDX-License-Identifier: Apache-2.0
//
// Merges several profiles into one.
#pragma once

#include <memory>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct MergeInput {
  Profile profile;
  Side side = Side::kNew;
  // An InputMerger has taken its stacks.
  bool is_taken = false;
};

// Joins the inputs. All samples are kept. Sample::side becomes the side of the
// input, and Sample::run its index among the inputs of this side. Rows of
// several inputs become one row if these properties are equal:
//   mappings   build id; without one, the path
//   locations  mapping, module address and functions; code outside any file
//              has its runtime address as module address
//   stacks     locations
//   threads    uid and name
// If an input is itself a difference, the values that it subtracts count in the
// first run of the other side. If a symbolized input has no name for an
// address, it gets the name from another symbolized input of the same program.
// The time is that of the first input that has one; the sampling period is the
// longest of all inputs.
Profile Merge(std::vector<MergeInput> inputs);

// Merges inputs that are read one after the other, so that the stacks of many
// are not in memory before they are joined.
class InputMerger {
 public:
  InputMerger();
  InputMerger(InputMerger&& other) noexcept;
  InputMerger& operator=(InputMerger&& other) noexcept;
  ~InputMerger();

  // Take the stacks of the next input, whose binaries must have been found, and
  // which must be neither symbolized nor a difference. What is left of it is
  // its header, its mappings and its samples, whose stacks and threads are then
  // those of the merged profile. TakeAll() also takes the samples, but not
  // those of threads, and leaves one that is their sum: it is for runs without
  // a base that show only sums of stacks, and adds up the samples of each
  // stack. A merger uses only one of the two functions.
  void TakeStacks(MergeInput& input);
  void TakeAll(MergeInput& input);

  // Returns what Merge() would return, apart from what TakeAll() adds up. The
  // first of `inputs` are those that were taken, in this order.
  Profile Finish(std::vector<MergeInput> inputs) &&;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace heapprof
