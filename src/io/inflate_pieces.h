// SPDX-License-Identifier: Apache-2.0
//
// Reads a compressed stream piece by piece, from start to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "heapprof/io/inflate.h"

namespace heapprof {

class PieceReader {
 public:
  enum class Status : uint8_t { kMore, kEnd, kDamaged };
  struct Piece {
    size_t size = 0;  // bytes written
    Status status = Status::kMore;
  };

  virtual ~PieceReader() = default;
  // Writes the next bytes to `room`, and fills it unless the stream ends. The
  // end may become known only when more bytes are requested than exist.
  virtual Piece Read(std::span<uint8_t> room) = 0;
  // After the end: the expected Adler32() of all bytes if the caller must
  // verify it, which lets another thread do so; nothing if this reader has
  // verified it.
  virtual std::optional<uint32_t> checksum() const { return std::nullopt; }
};

// Continues the checksum of the bytes before `bytes`; starts from 1.
uint32_t Adler32(uint32_t checksum, std::span<const uint8_t> bytes);

// `packed` must outlive the reader.
std::unique_ptr<PieceReader> OpenPieces(Compression compression,
                                        std::span<const uint8_t> packed);

}  // namespace heapprof
