// SPDX-License-Identifier: Apache-2.0
#include <lzma.h>

#include "heapprof/base/out_of_memory.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

// The most memory that the decoder may use. Files that "xz -9" has compressed
// need 65 MiB.
constexpr uint64_t kMaxDecoderMemory = 128 << 20;

class XzDecoder : public StreamDecoder {
 public:
  XzDecoder() {
    // With LZMA_CONCATENATED, the library itself continues with the next stream
    // and skips the padding between streams.
    if (lzma_stream_decoder(&stream_, kMaxDecoderMemory, LZMA_CONCATENATED) !=
        LZMA_OK)
      FailAllocation();
  }
  XzDecoder(const XzDecoder&) = delete;
  XzDecoder& operator=(const XzDecoder&) = delete;
  ~XzDecoder() override { lzma_end(&stream_); }

  Step Decode(std::string_view packed, std::span<char> room) override {
    stream_.next_in = reinterpret_cast<const uint8_t*>(packed.data());
    stream_.avail_in = packed.size();
    stream_.next_out = reinterpret_cast<uint8_t*>(room.data());
    stream_.avail_out = room.size();
    const lzma_ret result = lzma_code(&stream_, LZMA_FINISH);
    if (result == LZMA_MEM_ERROR) FailAllocation();
    Step step = {.consumed = packed.size() - stream_.avail_in,
                 .written = room.size() - stream_.avail_out};
    if (result == LZMA_STREAM_END) {
      step.status = Status::kEnd;
    } else if (result != LZMA_OK && result != LZMA_BUF_ERROR) {
      step.status = Status::kDamaged;
      if (result == LZMA_MEMLIMIT_ERROR)
        step.detail = "it needs too much memory";
    }
    return step;
  }

  void Restart() override {}

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
};

}  // namespace

std::unique_ptr<StreamDecoder> MakeXzDecoder() {
  return std::make_unique<XzDecoder>();
}

}  // namespace heapprof
