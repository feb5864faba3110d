// SPDX-License-Identifier: Apache-2.0
#include <zstd.h>
#include <zstd_errors.h>

#include "heapprof/base/out_of_memory.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

struct FreeContext {
  void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
};

class ZstdDecoder : public StreamDecoder {
 public:
  ZstdDecoder() : context_(ZSTD_createDCtx()) {
    if (context_ == nullptr) FailAllocation();
  }

  Step Decode(std::string_view packed, std::span<char> room) override {
    ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
    ZSTD_outBuffer out = {room.data(), room.size(), 0};
    const size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
    Step step = {.consumed = in.pos, .written = out.pos};
    if (ZSTD_getErrorCode(status) == ZSTD_error_memory_allocation)
      FailAllocation();
    if (ZSTD_isError(status) != 0) {
      step.status = Status::kDamaged;
      step.detail = ZSTD_getErrorName(status);
    } else if (status == 0) {
      step.status = Status::kEnd;
    }
    return step;
  }

  void Restart() override {}

 private:
  std::unique_ptr<ZSTD_DCtx, FreeContext> context_;
};

}  // namespace

std::unique_ptr<StreamDecoder> MakeZstdDecoder() {
  return std::make_unique<ZstdDecoder>();
}

}  // namespace heapprof
