// SPDX-License-Identifier: Apache-2.0
#include "io/inflate_pieces.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <isa-l/igzip_lib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {
namespace {

// The most bytes to pass to a library in one call. The libraries count bytes in
// 32 bits.
constexpr size_t kMostAtOnce = size_t{1} << 30;

// Reads a zlib stream: two header bytes, deflate data, and an Adler-32 checksum
// (RFC 1950).
class ZlibReader : public PieceReader {
 public:
  explicit ZlibReader(std::span<const uint8_t> packed)
      : packed_(packed), is_damaged_(!IsHeader(packed)) {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_DEFLATE;
    if (!is_damaged_) used_ = kHeaderSize;
  }

  Piece Read(std::span<uint8_t> room) override {
    Piece piece;
    if (is_damaged_) piece.status = Status::kDamaged;
    while (piece.size < room.size() && piece.status == Status::kMore)
      ReadMore(room.subspan(piece.size), piece);
    is_damaged_ = piece.status == Status::kDamaged;
    return piece;
  }

  std::optional<uint32_t> checksum() const override { return checksum_; }

 private:
  static constexpr size_t kHeaderSize = 2;

  static bool IsHeader(std::span<const uint8_t> bytes) {
    constexpr unsigned kDeflate = 8;
    constexpr unsigned kMostWindowBits = 7;  // log2 of the window size, minus 8
    constexpr unsigned kHasDictionary = 0x20;
    if (bytes.size() < kHeaderSize) return false;
    return (bytes[0] & 0xf) == kDeflate && bytes[0] >> 4 <= kMostWindowBits &&
           (bytes[0] * 256 + bytes[1]) % 31 == 0 &&
           (bytes[1] & kHasDictionary) == 0;
  }

  void ReadMore(std::span<uint8_t> room, Piece& piece) {
    const size_t given = std::min(packed_.size() - used_, kMostAtOnce);
    const size_t wanted = std::min(room.size(), kMostAtOnce);
    // The library does not write to its input.
    state_.next_in = const_cast<uint8_t*>(packed_.data() + used_);
    state_.avail_in = static_cast<uint32_t>(given);
    state_.next_out = room.data();
    state_.avail_out = static_cast<uint32_t>(wanted);
    const int result = isal_inflate(&state_);
    const size_t used = given - state_.avail_in;
    const size_t written = wanted - state_.avail_out;
    used_ += used;
    piece.size += written;
    if (result != ISAL_DECOMP_OK)
      piece.status = Status::kDamaged;
    else if (state_.block_state == ISAL_BLOCK_FINISH)
      piece.status = ReadChecksum() ? Status::kEnd : Status::kDamaged;
    else if (used == 0 && written == 0)  // truncated
      piece.status = Status::kDamaged;
  }

  // Reads the checksum after the deflate data. The library may already have
  // read some bytes of the checksum into its bit buffer; these must be read
  // again.
  bool ReadChecksum() {
    const size_t ahead = static_cast<size_t>(state_.read_in_length) / 8;
    const auto rest = packed_.subspan(used_ - ahead);
    uint32_t checksum = 0;
    if (rest.size() < sizeof(checksum)) return false;
    for (size_t i = 0; i < sizeof(checksum); ++i)
      checksum = checksum << 8 | rest[i];
    checksum_ = checksum;
    return true;
  }

  std::span<const uint8_t> packed_;
  size_t used_ = 0;  // bytes of packed_ that the library has taken
  bool is_damaged_ = false;
  std::optional<uint32_t> checksum_;
  inflate_state state_;
};

// Reads consecutive zstd frames as one stream.
class ZstdReader : public PieceReader {
 public:
  explicit ZstdReader(std::span<const uint8_t> packed)
      : context_(ZSTD_createDCtx()), in_{packed.data(), packed.size(), 0} {
    if (context_ == nullptr) FailAllocation();
  }

  Piece Read(std::span<uint8_t> room) override {
    ZSTD_outBuffer out = {room.data(), room.size(), 0};
    while (out.pos < out.size) {
      // If all input is used and the last frame is complete, the library has no
      // more output.
      if (in_.pos == in_.size && is_between_frames_)
        return {out.pos, Status::kEnd};
      const size_t in_before = in_.pos;
      const size_t out_before = out.pos;
      const size_t status = ZSTD_decompressStream(context_.get(), &out, &in_);
      is_between_frames_ = status == 0;
      if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
        FailAllocation();
      if (ZSTD_isError(status) != 0 ||
          (in_.pos == in_before && out.pos == out_before))
        return {out.pos, Status::kDamaged};
    }
    return {out.pos, Status::kMore};
  }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  ZSTD_inBuffer in_;
  bool is_between_frames_ = true;
};

}  // namespace

uint32_t Adler32(uint32_t checksum, std::span<const uint8_t> bytes) {
  return isal_adler32(checksum, bytes.data(), bytes.size());
}

std::unique_ptr<PieceReader> OpenPieces(Compression compression,
                                        std::span<const uint8_t> packed) {
  if (compression == Compression::kZlib)
    return std::make_unique<ZlibReader>(packed);
  return std::make_unique<ZstdReader>(packed);
}

}  // namespace heapprof
