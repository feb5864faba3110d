// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/inflate.h"

#include <algorithm>
#include <new>

#include <fmt/core.h>

#include "heapprof/base/large_pages.h"
#include "heapprof/base/out_of_memory.h"
#include "io/inflate_pieces.h"
#include "io/zstd_section.h"

namespace heapprof {
namespace {

// The most bytes that one byte may inflate to, beside the spare bytes below.
// Compression makes debug information three times smaller, and its strings ten
// times. One byte of zlib data could inflate to 1032 bytes, and one of zstd
// data to 32 KiB, but a large section of that kind is mostly one repeated byte
// and is therefore probably an attack.
constexpr uint64_t kMostPerByte = 64;
constexpr uint64_t kSpareBytes = 64 << 20;

// Inflates `packed` into `to`, whose size is the expected one. Returns what is
// wrong with `packed`; empty on success.
std::string InflateZlib(std::span<const uint8_t> packed, InflatedBytes& to) {
  // The checksum of a piece is computed while the piece is in the cache.
  constexpr size_t kPiece = size_t{256} << 10;
  const auto reader = OpenPieces(Compression::kZlib, packed);
  const std::span bytes(to.bytes.get(), to.size);
  uint32_t checksum = 1;
  size_t found = 0;
  PieceReader::Status status = PieceReader::Status::kMore;
  while (status == PieceReader::Status::kMore && found < to.size) {
    const auto room = bytes.subspan(found, std::min(kPiece, to.size - found));
    const PieceReader::Piece piece = reader->Read(room);
    checksum = Adler32(checksum, room.first(piece.size));
    found += piece.size;
    status = piece.status;
  }
  if (status == PieceReader::Status::kMore) {
    uint8_t surplus = 0;
    const PieceReader::Piece rest = reader->Read({&surplus, 1});
    if (rest.size != 0)
      return fmt::format("expected {} bytes, found more", to.size);
    status = rest.status;
  }
  if (status != PieceReader::Status::kEnd || reader->checksum() != checksum)
    return "damaged zlib data";
  if (found != to.size)
    return fmt::format("expected {} bytes, found {}", to.size, found);
  return "";
}

// The memory is not initialised, so that inflating is the first and only write
// to each page. A section may have gigabytes.
InflatedBytes Allocate(uint64_t size) {
  InflatedBytes result{
      std::unique_ptr<uint8_t[]>(new (std::nothrow) uint8_t[size]), size};
  if (result.bytes == nullptr) FailAllocation();
  PreferLargePages(result.bytes.get(), size);
  return result;
}

}  // namespace

Result<void> CheckInflatedSize(uint64_t packed_size, uint64_t size) {
  if (size > kSpareBytes + packed_size * kMostPerByte)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{} bytes cannot inflate to the {} expected",
                            packed_size, size));
  return {};
}

Result<InflatedBytes> Inflate(Compression compression,
                              std::span<const uint8_t> packed, uint64_t size) {
  if (const auto checked = CheckInflatedSize(packed.size(), size); !checked)
    return std::unexpected(checked.error());
  InflatedBytes result = Allocate(size);
  const std::string problem = compression == Compression::kZlib
                                  ? InflateZlib(packed, result)
                                  : InflateZstd(packed, result);
  if (!problem.empty()) return Fail(ErrorKind::kBadFormat, problem);
  return result;
}

}  // namespace heapprof
