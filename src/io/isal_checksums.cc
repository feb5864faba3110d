// SPDX-License-Identifier: Apache-2.0
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

#include "heapprof/io/gzip.h"
#include "io/inflate_pieces.h"

namespace heapprof {

uint32_t Adler32(uint32_t checksum, std::span<const uint8_t> bytes) {
  return isal_adler32(checksum, bytes.data(), bytes.size());
}

uint32_t Crc32(std::string_view bytes, uint32_t before) {
  return crc32_gzip_refl(before, reinterpret_cast<const uint8_t*>(bytes.data()),
                         bytes.size());
}

}  // namespace heapprof
