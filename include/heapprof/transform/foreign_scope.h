// SPDX-License-Identifier: Apache-2.0
//
// Guesses whether a library that is built into the program was taken for the
// user's own code.
#pragma once

#include <optional>
#include <string>

#include "heapprof/profile/profile.h"
#include "heapprof/transform/own_code.h"

namespace heapprof {

struct ForeignScope {
  std::string scope;   // such as "rocksdb"
  double percent = 0;  // of the memory
};

// Returns the namespace or Rust crate to which more than half of the memory is
// charged (see OwnCode::FirstOwn()), if it looks like a library: its sources
// are in a folder of the same name with subfolders such as "include" or "src",
// and the source file of main() is not.
std::optional<ForeignScope> FindForeignScope(const Profile& profile,
                                             const OwnCode& own, Metric metric);

}  // namespace heapprof
