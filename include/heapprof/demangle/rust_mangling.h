// SPDX-License-Identifier: Apache-2.0
//
// Recognises Rust's mangled names.
#pragma once

#include <cstddef>
#include <string_view>

namespace heapprof {

inline bool IsRustV0(std::string_view name) { return name.starts_with("_R"); }

// True for Rust's mangled names, and for the few C++ names that look like them:
// "_ZN3foo17h0123456789abcdefE" may be a C++ function.
inline bool MayBeRust(std::string_view name) {
  constexpr std::string_view kStart = "17h";
  constexpr size_t kDigits = 16;
  if (IsRustV0(name)) return true;
  if (!name.starts_with("_ZN")) return false;
  for (size_t at = name.find(kStart); at != name.npos;
       at = name.find(kStart, at + 1)) {
    const std::string_view hash = name.substr(at + kStart.size());
    if (hash.find_first_not_of("0123456789abcdef") == kDigits &&
        hash[kDigits] == 'E')
      return true;
  }
  return false;
}

}  // namespace heapprof
