// SPDX-License-Identifier: Apache-2.0
//
// Which crates a Rust function's name speaks of.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

bool IsRustFunction(const Profile& profile, const Function& function);

// The crates of "<app::Row as core::clone::Clone>::clone" are "app" and
// "core"; a trait may be implemented in either. Empty if there is none, as in
// "<[u8]>::repeat".
struct RustCrates {
  std::string_view type;   // of "app::f" as well
  std::string_view trait;  // empty without " as "
};
RustCrates CratesOf(std::string_view name);

// core, alloc, std, and the crates that are linked into std.
bool IsStandardCrate(std::string_view crate);

}  // namespace heapprof
