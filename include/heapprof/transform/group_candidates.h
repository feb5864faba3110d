// SPDX-License-Identifier: Apache-2.0
//
// Finds parts of a program that may become groups: libraries, namespaces,
// crates and folders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heapprof/profile/profile.h"

namespace heapprof {

struct GroupCandidate {
  enum class Kind : uint8_t {
    kScope,   // a namespace of C++: "app::cache"
    kCrate,   // a crate of Rust, or a module of one: "tokio", "app::cache"
    kFolder,  // the last folders of source files: "src/cache"
    kModule,  // the file name of a binary
  };
  Kind kind = Kind::kScope;
  std::string text = {};
  double value = 0;  // of the stacks that are charged to it
  // The ShortName() of its function that holds the most, and the path of the
  // binary.
  std::string function = {};
  std::string module = {};
};

// Charges each stack to the call nearest the leaf that says what the memory is
// for (see OwnCode::TellingLines()), and the call to its namespace or crate or,
// if it has none, to the folder of its source file or to its binary. Stacks
// without such a call are charged to the first binary that is no runtime
// library. A namespace or crate with more than half of the memory is divided
// into large ones inside it. A binary is no candidate if a part of it is one.
// Returns at most `most` candidates with a good part of the memory, the largest
// first.
std::vector<GroupCandidate> FindGroupCandidates(const Profile& profile,
                                                Metric metric, size_t most);

}  // namespace heapprof
