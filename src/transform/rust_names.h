// SPDX-License-Identifier: Apache-2.0
//
// The crates that a Rust function's name mentions.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

bool IsRustFunction(const Profile& profile, const Function& function);

// "<app::Row as core::clone::Clone>::clone" has the crates "app" and "core";
// either may implement the trait. Empty if there is none, as in
// "<[u8]>::repeat".
struct RustCrates {
  std::string_view type;   // also for "app::f"
  std::string_view trait;  // empty without " as "
};
RustCrates CratesOf(std::string_view name);

// True for core, alloc, std, and the crates that are linked into std.
bool IsStandardCrate(std::string_view crate);

}  // namespace heapprof
