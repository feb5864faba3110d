// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// Compresses `bytes` to one gzip member (RFC 1952). Writes no time stamp, so
// that equal input gives equal output.
std::string Gzip(std::string_view bytes);

// Returns the CRC-32 that gzip uses. ELF files use it, too: the section
// .gnu_debuglink names a debug file and states the CRC-32 of that file.
uint32_t Crc32(std::string_view bytes);

}  // namespace heapprof
