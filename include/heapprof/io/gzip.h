// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// Compresses `bytes` to one gzip member (RFC 1952). It has no time stamp, so
// that equal input gives equal output.
std::string Gzip(std::string_view bytes);

// The CRC-32 that gzip uses. The section .gnu_debuglink has the CRC-32 of the
// debug file that it names.
uint32_t Crc32(std::string_view bytes);

}  // namespace heapprof
