// SPDX-License-Identifier: Apache-2.0
//
// In place of zstd_decoder.cc and zstd_section.cc, for a build without zstd.
#include "heapprof/base/built_without.h"
#include "io/stream_decoder.h"
#include "io/zstd_section.h"

namespace heapprof {

std::unique_ptr<StreamDecoder> MakeZstdDecoder() { return nullptr; }

std::string InflateZstd(std::span<const uint8_t> /*packed*/,
                        InflatedBytes& /*to*/) {
  return "zstd data cannot be read, because " +
         BuiltWithout("zstd", "HEAPPROF_ZSTD");
}

std::unique_ptr<PieceReader> OpenZstdPieces(
    std::span<const uint8_t> /*packed*/) {
  return nullptr;
}

}  // namespace heapprof
