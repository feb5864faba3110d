// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <isa-l/igzip_lib.h>

#include "io/stream_decoder.h"

namespace heapprof {
namespace {

class GzipDecoder : public StreamDecoder {
 public:
  GzipDecoder() {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;  // reads the header, verifies the checksum
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
    if (result != ISAL_DECOMP_OK && result != ISAL_END_INPUT) {
      step.status = Status::kDamaged;
      // The library has taken these bytes, but not decoded them.
      const auto ahead = static_cast<size_t>(state_.read_in_length) / 8;
      step.consumed -= std::min(step.consumed, ahead);
    } else if (state_.block_state == ISAL_BLOCK_FINISH) {
      step.status = Status::kEnd;
    }
    return step;
  }

  void Restart() override {
    isal_inflate_reset(&state_);
    state_.crc_flag = ISAL_GZIP;
  }

 private:
  inflate_state state_;
};

}  // namespace

std::unique_ptr<StreamDecoder> MakeGzipDecoder() {
  return std::make_unique<GzipDecoder>();
}

}  // namespace heapprof
