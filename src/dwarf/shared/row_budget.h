// SPDX-License-Identifier: Apache-2.0
//
// Limits the rows of line programs that both engines look at. A valid program
// has one or two rows for an address. Only a malicious one, with many sequences
// that cover all addresses, has more.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

// For small programs, this many rows more are allowed.
inline constexpr uint64_t kBaseRows = 1'000'000;

// Returns how many rows a search for this many addresses may assign.
inline uint64_t RowBudget(size_t addresses) {
  constexpr uint64_t kRowsPerAddress = 16;
  return kBaseRows + kRowsPerAddress * addresses;
}

}  // namespace heapprof
