// SPDX-License-Identifier: Apache-2.0
#include <bzlib.h>

#include "heapprof/base/out_of_memory.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

class Bzip2Decoder : public StreamDecoder {
 public:
  Bzip2Decoder() { Begin(); }
  Bzip2Decoder(const Bzip2Decoder&) = delete;
  Bzip2Decoder& operator=(const Bzip2Decoder&) = delete;
  ~Bzip2Decoder() override { BZ2_bzDecompressEnd(&stream_); }

  Step Decode(std::string_view packed, std::span<char> room) override {
    const unsigned given = ClampToUnsigned(packed.size());
    const unsigned wanted = ClampToUnsigned(room.size());
    // The library takes its input through a pointer to char and only reads.
    stream_.next_in = const_cast<char*>(packed.data());
    stream_.avail_in = given;
    stream_.next_out = room.data();
    stream_.avail_out = wanted;
    const int result = BZ2_bzDecompress(&stream_);
    if (result == BZ_MEM_ERROR) FailAllocation();
    Step step = {.consumed = given - stream_.avail_in,
                 .written = wanted - stream_.avail_out};
    if (result == BZ_STREAM_END)
      step.status = Status::kEnd;
    else if (result != BZ_OK)
      step.status = Status::kDamaged;
    return step;
  }

  void Restart() override {
    BZ2_bzDecompressEnd(&stream_);
    Begin();
  }

 private:
  void Begin() {
    stream_ = {};
    constexpr int kSilent = 0;
    constexpr int kFast = 0;
    if (BZ2_bzDecompressInit(&stream_, kSilent, kFast) != BZ_OK)
      FailAllocation();
  }

  bz_stream stream_ = {};
};

}  // namespace

std::unique_ptr<StreamDecoder> MakeBzip2Decoder() {
  return std::make_unique<Bzip2Decoder>();
}

}  // namespace heapprof
