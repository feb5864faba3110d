// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/inflate.h"

#include <new>

#include <fmt/core.h>
#include <libdeflate.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "heapprof/base/large_pages.h"
#include "heapprof/base/out_of_memory.h"
#include "io/inflate_pieces.h"

namespace heapprof {
namespace {

// The most bytes that one byte may inflate to, beside the spare bytes below.
// Compression makes debug information three times smaller, and its strings ten
// times. One byte of zlib data could inflate to 1032 bytes, and one of zstd
// data to 32 KiB, but a large section of that kind is mostly one repeated byte
// and is therefore probably an attack.
constexpr uint64_t kMostPerByte = 64;
constexpr uint64_t kSpareBytes = 64 << 20;

struct DecompressorCloser {
  void operator()(libdeflate_decompressor* decompressor) const {
    libdeflate_free_decompressor(decompressor);
  }
};

// Inflates `packed`, which libdeflate calls damaged, by means of PieceReader,
// as InflateStream does. Returns true if this succeeds. libdeflate rejects
// incomplete Huffman codes, but PieceReader accepts them if the checksum is
// right. Without this second attempt, Inflate() would reject data that
// InflateStream accepts.
bool IsValidInPieces(std::span<const uint8_t> packed, InflatedBytes& to) {
  const auto reader = OpenPieces(Compression::kZlib, packed);
  const std::span bytes(to.bytes.get(), to.size);
  const PieceReader::Piece all = reader->Read(bytes);
  PieceReader::Status status = all.status;
  uint8_t surplus = 0;
  if (status == PieceReader::Status::kMore) {
    const PieceReader::Piece rest = reader->Read({&surplus, 1});
    if (rest.size != 0) return false;
    status = rest.status;
  }
  return all.size == to.size && status == PieceReader::Status::kEnd &&
         reader->checksum() == Adler32(1, bytes);
}

// Inflates `packed` into `to`, whose size is the expected one. Returns what is
// wrong with `packed`; empty on success.
std::string InflateZlib(std::span<const uint8_t> packed, InflatedBytes& to) {
  const std::unique_ptr<libdeflate_decompressor, DecompressorCloser>
      decompressor(libdeflate_alloc_decompressor());
  if (decompressor == nullptr) FailAllocation();
  switch (libdeflate_zlib_decompress(decompressor.get(), packed.data(),
                                     packed.size(), to.bytes.get(), to.size,
                                     nullptr)) {
    case LIBDEFLATE_SUCCESS:
      return "";
    case LIBDEFLATE_SHORT_OUTPUT:
      return fmt::format("expected {} bytes, found fewer", to.size);
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      return fmt::format("expected {} bytes, found more", to.size);
    default:
      return IsValidInPieces(packed, to) ? "" : "damaged zlib data";
  }
}

std::string InflateZstd(std::span<const uint8_t> packed, InflatedBytes& to) {
  const size_t found =
      ZSTD_decompress(to.bytes.get(), to.size, packed.data(), packed.size());
  if (ZSTD_getErrorCode(found) == ZSTD_error_memory_allocation)
    FailAllocation();
  if (ZSTD_isError(found) != 0)
    return fmt::format("damaged zstd data: {}", ZSTD_getErrorName(found));
  if (found != to.size)
    return fmt::format("expected {} bytes, found {}", to.size, found);
  return "";
}

}  // namespace

Result<InflatedBytes> AllocateInflated(uint64_t packed_size, uint64_t size) {
  if (size > kSpareBytes + packed_size * kMostPerByte)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{} bytes cannot inflate to the {} expected",
                            packed_size, size));
  // The memory is not initialised, so that inflating is the first and only
  // write to each page. A section may have gigabytes.
  InflatedBytes result{
      std::unique_ptr<uint8_t[]>(new (std::nothrow) uint8_t[size]), size};
  if (result.bytes == nullptr) FailAllocation();
  PreferLargePages(result.bytes.get(), size);
  return result;
}

Result<InflatedBytes> Inflate(Compression compression,
                              std::span<const uint8_t> packed, uint64_t size) {
  auto result = AllocateInflated(packed.size(), size);
  if (!result) return result;
  const std::string problem = compression == Compression::kZlib
                                  ? InflateZlib(packed, *result)
                                  : InflateZstd(packed, *result);
  if (!problem.empty()) return Fail(ErrorKind::kBadFormat, problem);
  return result;
}

}  // namespace heapprof
