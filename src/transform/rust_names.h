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
  // The crate of the type or, for a name such as "app::f", of the function.
  std::string_view type;
  std::string_view trait;  // the crate of the trait, which follows " as "
};
RustCrates CratesOf(std::string_view name);

// True for core, alloc, std, and the crates that are linked into std.
bool IsStandardCrate(std::string_view crate);

}  // namespace heapprof
