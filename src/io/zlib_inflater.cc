// SPDX-License-Identifier: Apache-2.0
//
// In place of isal_inflater.cc, for a build without ISA-L.
#include <zlib.h>

#include "heapprof/base/out_of_memory.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

class ZlibInflater : public StreamDecoder {
 public:
  // `window_bits` says what is around the deflate data; see MakeGzipDecoder()
  // and MakeDeflateDecoder().
  explicit ZlibInflater(int window_bits) {
    if (inflateInit2(&stream_, window_bits) != Z_OK) FailAllocation();
  }
  ZlibInflater(const ZlibInflater&) = delete;
  ZlibInflater& operator=(const ZlibInflater&) = delete;
  ~ZlibInflater() override { inflateEnd(&stream_); }

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
    if (result == Z_STREAM_END) {
      step.status = Status::kEnd;
    } else if (result != Z_OK && result != Z_BUF_ERROR) {
      step.status = Status::kDamaged;
      if (stream_.msg != nullptr) step.detail = stream_.msg;
    }
    return step;
  }

  void Restart() override { inflateReset(&stream_); }

 private:
  z_stream stream_ = {};
};

}  // namespace

std::unique_ptr<StreamDecoder> MakeGzipDecoder() {
  // 16 more than the size of the window: with gzip's header and checksum.
  return std::make_unique<ZlibInflater>(16 + MAX_WBITS);
}

std::unique_ptr<StreamDecoder> MakeDeflateDecoder() {
  // Negative: with neither.
  return std::make_unique<ZlibInflater>(-MAX_WBITS);
}

}  // namespace heapprof
