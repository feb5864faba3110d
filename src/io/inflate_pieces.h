// SPDX-License-Identifier: Apache-2.0
//
// Reads a compressed stream piece by piece, from start to end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "heapprof/io/compression.h"

namespace heapprof {

class PieceReader {
 public:
  enum class Status : uint8_t { kMore, kEnd, kDamaged };
  struct Piece {
    size_t size = 0;  // bytes written
    Status status = Status::kMore;
  };

  virtual ~PieceReader() = default;
  // Writes the next inflated bytes to `room` and fills it unless the stream
  // ends before. If the last bytes of the stream just fill `room`, the status
  // may still be kMore; then the next call returns kEnd and no bytes.
  virtual Piece Read(std::span<uint8_t> room) = 0;
  // The number of packed bytes that have been read.
  virtual size_t consumed() const = 0;
  // Call after the end. Returns the Adler-32 that the inflated bytes must have;
  // the caller verifies it, which it may do in another thread. Returns nothing
  // if this reader has verified the bytes itself.
  virtual std::optional<uint32_t> checksum() const { return std::nullopt; }
};

// Continues an Adler-32 checksum: `checksum` is that of all bytes before
// `bytes`, or 1 if there are none. Returns the checksum including `bytes`.
uint32_t Adler32(uint32_t checksum, std::span<const uint8_t> bytes);

// Returns a reader for `packed`, which must outlive the reader; nullptr if this
// build lacks the library.
std::unique_ptr<PieceReader> OpenPieces(Compression compression,
                                        std::span<const uint8_t> packed);

}  // namespace heapprof
