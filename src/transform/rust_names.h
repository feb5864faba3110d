// SPDX-License-Identifier: Apache-2.0
//
// The crates that a Rust function's name mentions.
#pragma once

#include <string_view>

#include "heapprof/profile/profile.h"

namespace heapprof {

bool IsRustFunction(const Profile& profile, const Function& function);

// The crates in the name of a Rust function: "app" and "core" for
// "<app::Row as core::clone::Clone>::clone". Either crate may contain the
// function. A crate is empty if there is none, as for "<[u8]>::repeat".
struct RustCrates {
  std::string_view type;   // of the type, or of a function: "app::f"
  std::string_view trait;  // of the trait; empty without " as "
};
RustCrates CratesOf(std::string_view name);

// True for core, alloc, std, and the crates that are linked into std.
bool IsStandardCrate(std::string_view crate);

}  // namespace heapprof
