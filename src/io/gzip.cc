// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/gzip.h"

#include <zlib.h>

#include "heapprof/base/out_of_memory.h"
#include "io/stream_decoder.h"

namespace heapprof {

uint32_t Crc32(std::string_view bytes) {
  return static_cast<uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string Gzip(std::string_view bytes) {
  z_stream stream = {};
  constexpr int kGzipWindowBits = 15 + 16;  // 15 = largest window, +16 = gzip
  constexpr int kMemoryLevel = 9;
  if (deflateInit2(&stream, Z_BEST_SPEED + 5, Z_DEFLATED, kGzipWindowBits,
                   kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    FailAllocation();
  std::string out;
  size_t consumed = 0;
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    constexpr size_t kChunk = size_t{256} << 10;
    const size_t before = out.size();
    out.resize(before + kChunk);
    // The library takes its input through a non-const pointer and only reads.
    stream.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + consumed));
    stream.avail_in = ClampToUnsigned(bytes.size() - consumed);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + before);
    stream.avail_out = kChunk;
    const unsigned in_before = stream.avail_in;
    const bool last = consumed + in_before == bytes.size();
    status = deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    consumed += in_before - stream.avail_in;
    out.resize(before + kChunk - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace heapprof
