// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/xz.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <lzma.h>

namespace heapprof {
namespace {

// "xz -9" needs 65 MiB.
constexpr uint64_t kMaxDecoderMemory = 128 << 20;

struct Decoder {
  lzma_stream stream = LZMA_STREAM_INIT;

  Decoder() = default;
  Decoder(const Decoder&) = delete;
  Decoder& operator=(const Decoder&) = delete;
  ~Decoder() { lzma_end(&stream); }
};

std::unexpected<Error> Damaged(lzma_ret result) {
  return Fail(ErrorKind::kBadFormat,
              result == LZMA_BUF_ERROR ? "the xz data is cut off"
              : result == LZMA_MEM_ERROR || result == LZMA_MEMLIMIT_ERROR
                  ? "the xz data needs too much memory"
                  : "the xz data is damaged");
}

}  // namespace

Result<std::string> Unxz(std::span<const uint8_t> packed, uint64_t max_size) {
  Decoder decoder;
  lzma_stream& stream = decoder.stream;
  lzma_ret result =
      lzma_stream_decoder(&stream, kMaxDecoderMemory, LZMA_CONCATENATED);
  if (result != LZMA_OK) return Damaged(result);
  stream.next_in = packed.data();
  stream.avail_in = packed.size();
  std::string inflated;
  std::array<uint8_t, 64 * 1024> piece;
  while (result == LZMA_OK) {
    stream.next_out = piece.data();
    stream.avail_out = piece.size();
    result = lzma_code(&stream, LZMA_FINISH);
    const size_t size = piece.size() - stream.avail_out;
    if (size > max_size - inflated.size())
      return Fail(
          ErrorKind::kBadFormat,
          fmt::format("the xz data inflates to more than {} bytes", max_size));
    inflated.append(reinterpret_cast<const char*>(piece.data()), size);
  }
  if (result != LZMA_STREAM_END) return Damaged(result);
  return inflated;
}

}  // namespace heapprof
