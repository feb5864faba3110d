// SPDX-License-Identifier: Apache-2.0
//
// Names from a file may hold any byte; some formats are UTF-8, and their
// readers refuse a file with any other.
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

// `bytes` with "?" for each byte that is in no well-formed sequence.
std::string ValidUtf8(std::string_view bytes);

}  // namespace heapprof
