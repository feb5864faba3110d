// SPDX-License-Identifier: Apache-2.0
//
// In place of isal_checksums.cc, for a build without ISA-L.
#include <zlib.h>

#include "heapprof/io/gzip.h"
#include "io/inflate_pieces.h"

namespace heapprof {

uint32_t Adler32(uint32_t checksum, std::span<const uint8_t> bytes) {
  return static_cast<uint32_t>(adler32_z(checksum, bytes.data(), bytes.size()));
}

uint32_t Crc32(std::string_view bytes, uint32_t before) {
  return static_cast<uint32_t>(crc32_z(
      before, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace heapprof
