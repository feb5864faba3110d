// SPDX-License-Identifier: Apache-2.0
#include <isa-l/igzip_lib.h>

#include "io/stream_decoder.h"

namespace heapprof {
namespace {

class IsalInflater : public StreamDecoder {
 public:
  // `format` says what is around the deflate data: ISAL_GZIP reads the header
  // and verifies the checksum, ISAL_DEFLATE expects neither.
  explicit IsalInflater(uint32_t format) : format_(format) {
    isal_inflate_init(&state_);
    state_.crc_flag = format_;
  }

  Step Decode(std::string_view packed, std::span<char> room) override {
    const unsigned given = ClampToUnsigned(packed.size());
    const unsigned wanted = ClampToUnsigned(room.size());
    // The library takes its input through a non-const pointer and only reads.
    state_.next_in =
        reinterpret_cast<uint8_t*>(const_cast<char*>(packed.data()));
    state_.avail_in = given;
    state_.next_out = reinterpret_cast<uint8_t*>(room.data());
    state_.avail_out = wanted;
    const int result = isal_inflate(&state_);
    Step step = {.consumed = given - state_.avail_in,
                 .written = wanted - state_.avail_out};
    if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT)
      step.status = Status::kDamaged;
    else if (state_.block_state == ISAL_BLOCK_FINISH)
      step.status = Status::kEnd;
    if (step.status != Status::kMore)
      step.ahead = static_cast<size_t>(state_.read_in_length) / 8;
    return step;
  }

  void Restart() override {
    isal_inflate_reset(&state_);
    state_.crc_flag = format_;
  }

 private:
  const uint32_t format_;
  inflate_state state_;
};

}  // namespace

std::unique_ptr<StreamDecoder> MakeGzipDecoder() {
  return std::make_unique<IsalInflater>(ISAL_GZIP);
}

std::unique_ptr<StreamDecoder> MakeDeflateDecoder() {
  return std::make_unique<IsalInflater>(ISAL_DEFLATE);
}

}  // namespace heapprof
