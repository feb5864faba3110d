// SPDX-License-Identifier: Apache-2.0
//
// Replaces invalid UTF-8. Names from a file may contain any byte, but readers
// of some formats reject files with invalid UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// Returns `bytes` with each byte that is not part of a well-formed UTF-8
// sequence replaced by "?".
std::string ValidUtf8(std::string_view bytes);

bool IsValidUtf8(std::string_view bytes);

}  // namespace heapprof
