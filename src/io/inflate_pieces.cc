// SPDX-License-Identifier: Apache-2.0
#include "io/inflate_pieces.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "heapprof/base/as_text.h"
#include "io/stream_decoder.h"
#include "io/zstd_section.h"

namespace heapprof {
namespace {

// The most bytes to pass to a library in one call. The libraries count bytes in
// 32 bits.
constexpr size_t kMostPerCall = size_t{1} << 30;

// Reads a zlib stream: two header bytes, deflate data, and an Adler-32 checksum
// (RFC 1950).
class ZlibReader : public PieceReader {
 public:
  explicit ZlibReader(std::span<const uint8_t> packed)
      : packed_(packed),
        is_damaged_(!IsHeader(packed)),
        decoder_(MakeDeflateDecoder()) {
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

  size_t consumed() const override { return used_; }
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
    const size_t given = std::min(packed_.size() - used_, kMostPerCall);
    const size_t wanted = std::min(room.size(), kMostPerCall);
    const StreamDecoder::Step step =
        decoder_->Decode(AsText(packed_.subspan(used_, given)),
                         {reinterpret_cast<char*>(room.data()), wanted});
    used_ += step.consumed;
    piece.size += step.written;
    if (step.status == StreamDecoder::Status::kDamaged)
      piece.status = Status::kDamaged;
    else if (step.status == StreamDecoder::Status::kEnd)
      piece.status = ReadChecksum(packed_.subspan(used_ - step.ahead))
                         ? Status::kEnd
                         : Status::kDamaged;
    else if (step.consumed == 0 && step.written == 0)  // truncated
      piece.status = Status::kDamaged;
  }

  // Reads the checksum after the deflate data.
  bool ReadChecksum(std::span<const uint8_t> rest) {
    uint32_t checksum = 0;
    if (rest.size() < sizeof(checksum)) return false;
    for (size_t i = 0; i < sizeof(checksum); ++i)
      checksum = checksum << 8 | rest[i];
    checksum_ = checksum;
    return true;
  }

  std::span<const uint8_t> packed_;
  size_t used_ = 0;  // bytes of packed_ that the decoder has taken
  bool is_damaged_ = false;
  std::unique_ptr<StreamDecoder> decoder_;
  std::optional<uint32_t> checksum_;
};

}  // namespace

std::unique_ptr<PieceReader> OpenPieces(Compression compression,
                                        std::span<const uint8_t> packed) {
  if (compression == Compression::kZlib)
    return std::make_unique<ZlibReader>(packed);
  return OpenZstdPieces(packed);
}

}  // namespace heapprof
