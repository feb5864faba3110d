// SPDX-License-Identifier: Apache-2.0
//
// Reads a compressed stream piece by piece, from its start to its end.
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
    size_t size = 0;  // of what was written
    Status status = Status::kMore;
  };

  virtual ~PieceReader() = default;
  // Writes what comes next to `room`, and fills it unless the stream ends. The
  // end may be found only by asking for more than there is.
  virtual Piece Read(std::span<uint8_t> room) = 0;
  // Behind the end: what Adler32() of all bytes must be, which is not compared
  // here, as others may have time for that; nothing if it is not for others.
  virtual std::optional<uint32_t> checksum() const { return std::nullopt; }
};

// Goes on from the checksum of what is in front of `bytes`: from 1 at the
// start.
uint32_t Adler32(uint32_t checksum, std::span<const uint8_t> bytes);

// `packed` must outlive the reader.
std::unique_ptr<PieceReader> OpenPieces(Compression compression,
                                        std::span<const uint8_t> packed);

}  // namespace heapprof
