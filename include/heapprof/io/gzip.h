// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// One member of a gzip file (RFC 1952), without a time stamp, so that equal
// input gives equal output.
std::string Gzip(std::string_view bytes);

// The checksum used by gzip and, for debug files, by .gnu_debuglink.
uint32_t Crc32(std::string_view bytes);

}  // namespace heapprof
