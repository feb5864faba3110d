// SPDX-License-Identifier: Apache-2.0
//
// The resident memory of a process, as Linux describes it in /proc/PID/smaps,
// smaps_rollup or status. Only smaps says what each region of the address space
// has.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

// What a region of the address space is, as far as its line says so.
enum class RegionKind : uint8_t {
  // Anonymous memory that was mapped with MAP_NORESERVE, as jemalloc does, or
  // that jemalloc has named.
  kUnreserved,
  kMallocArena,  // the same, laid out like an arena of glibc's malloc()
  kFile,         // programs, libraries and other files
  kShared,       // without a file: memfd, System V, /dev/zero
  kGuarded,      // above an inaccessible page, as stacks of threads are
  kMainStack,
  kProgramBreak,   // "[heap]": memory from brk()
  kGeneratedCode,  // anonymous and executable
  kOther,          // other anonymous memory
};
inline constexpr size_t kRegionKinds = 9;

struct RegionSum {
  uint64_t count = 0;
  uint64_t size = 0;      // bytes of address space
  uint64_t resident = 0;  // bytes
  uint64_t swapped = 0;   // bytes
};

struct RegionSums {
  std::array<RegionSum, kRegionKinds> by_kind = {};

  RegionSum& operator[](RegionKind kind) {
    return by_kind[static_cast<size_t>(kind)];
  }
  const RegionSum& operator[](RegionKind kind) const {
    return by_kind[static_cast<size_t>(kind)];
  }
};

// In bytes. A member without a value is not known.
struct ResidentMemory {
  std::string_view source = {};  // "smaps", "smaps_rollup" or "status"
  uint64_t rss = 0;
  std::optional<RegionSums> regions = {};   // only from smaps; add up to `rss`
  std::optional<uint64_t> anonymous = {};   // the part of `rss` without a file
  std::optional<uint64_t> swapped = {};     // not in `rss`
  std::optional<uint64_t> threads = {};     // only from status
  std::optional<uint64_t> huge_pages = {};  // anonymous ones, within `rss`
};

// Reads a copy of one of these files, which it recognises by its content.
// `name` is the input's name in messages. The error is of kind kOtherFormat if
// it is none of them, and kBadFormat if it is damaged or cut short.
Result<ResidentMemory> ParseResidentMemory(std::string_view bytes,
                                           const std::string& name);

}  // namespace heapprof
