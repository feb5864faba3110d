// SPDX-License-Identifier: Apache-2.0
#include "io/zstd_section.h"

#include <cstddef>

#include <fmt/core.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {
namespace {

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

  size_t consumed() const override { return in_.pos; }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
  ZSTD_inBuffer in_;
  bool is_between_frames_ = true;
};

}  // namespace

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

std::unique_ptr<PieceReader> OpenZstdPieces(std::span<const uint8_t> packed) {
  return std::make_unique<ZstdReader>(packed);
}

}  // namespace heapprof
