// SPDX-License-Identifier: Apache-2.0
//
// gzip (RFC 1952) in memory: concatenated members are one stream.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

struct Inflated {
  std::string bytes;
  // Why inflating stopped before the end; empty if it did not.
  std::string problem;
};

bool LooksLikeGzip(std::string_view bytes);

// Inflates every member. Damage after the first inflated byte is reported in
// `problem` beside what was saved. It is an error if nothing was saved, or if
// there are more than `max_size` bytes.
Result<Inflated> Gunzip(std::string_view compressed, uint64_t max_size);

// One member, without a time stamp: equal input gives equal output.
std::string Gzip(std::string_view bytes);

// The checksum that gzip uses, and .gnu_debuglink for a debug file.
uint32_t Crc32(std::string_view bytes);

}  // namespace heapprof
