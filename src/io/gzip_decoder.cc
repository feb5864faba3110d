// SPDX-License-Identifier: Apache-2.0
#include <zlib.h>

#include "heapprof/base/out_of_memory.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

constexpr int kGzipWindowBits = 15 + 16;  // 15 = largest window, +16 = gzip

class GzipDecoder : public StreamDecoder {
 public:
  GzipDecoder() {
    if (inflateInit2(&stream_, kGzipWindowBits) != Z_OK) FailAllocation();
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;
  ~GzipDecoder() override { inflateEnd(&stream_); }

  Step Decode(std::string_view packed, std::span<char> room) override {
    const unsigned given = ClampToUnsigned(packed.size());
    const unsigned wanted = ClampToUnsigned(room.size());
    // The library takes its input through a non-const pointer and only reads.
    stream_.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = given;
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = wanted;
    const int result = inflate(&stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) FailAllocation();
    Step step = {.consumed = given - stream_.avail_in,
                 .written = wanted - stream_.avail_out};
    if (result == Z_STREAM_END)
      step.status = Status::kEnd;
    else if (result != Z_OK && result != Z_BUF_ERROR)
      step.status = Status::kDamaged;
    return step;
  }

  void Restart() override { inflateReset(&stream_); }

 private:
  z_stream stream_ = {};
};

}  // namespace

std::unique_ptr<StreamDecoder> MakeGzipDecoder() {
  return std::make_unique<GzipDecoder>();
}

}  // namespace heapprof
