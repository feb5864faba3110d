// SPDX-License-Identifier: Apache-2.0
//
// What the headers of an ELF file say about its code. It is enough to turn file
// offsets into file addresses and to check whether addresses are code, so an
// index stores it for machines that lack the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heapprof {

// Limits the time for finding the segment of an address. No linker writes as
// many PT_LOAD segments as this.
inline constexpr size_t kMaxLoadSegments = 4096;

struct LoadSegment {
  uint64_t file_offset = 0;
  uint64_t file_size = 0;
  uint64_t address = 0;
  uint64_t memory_size = 0;
  bool executable = false;

  bool operator==(const LoadSegment&) const = default;
};

struct ElfLayout {
  std::string build_id = {};  // see ElfImage::build_id()
  uint16_t machine = 0;       // EM_*
  uint16_t type = 0;          // ET_*
  bool is_big_endian = false;
  uint16_t header_size = 0;  // of the ELF header, in bytes
  std::vector<LoadSegment> segments = {};
  // The sections with code, as address ranges: start and exclusive end. In
  // ascending order; sections that touch are merged.
  std::vector<std::pair<uint64_t, uint64_t>> code = {};

  bool operator==(const ElfLayout&) const = default;
};

}  // namespace heapprof
