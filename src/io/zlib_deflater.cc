// SPDX-License-Identifier: Apache-2.0
//
// In place of isal_deflater.cc, for a build without ISA-L.
#include <cstddef>

#include <zlib.h>

#include "heapprof/base/out_of_memory.h"
#include "io/deflater.h"

namespace heapprof {
namespace {

constexpr int kLevel = 4;  // makes output of about the size that ISA-L makes

// The library takes its input through a non-const pointer and only reads.
Bytef* BytesOf(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

}  // namespace

std::string DeflatePart(std::string_view before, std::string_view bytes,
                        bool is_last) {
  constexpr int kRaw = -MAX_WBITS;  // without a header
  constexpr int kMemoryLevel = 8;   // zlib's default
  z_stream stream = {};
  if (deflateInit2(&stream, kLevel, Z_DEFLATED, kRaw, kMemoryLevel,
                   Z_DEFAULT_STRATEGY) != Z_OK)
    FailAllocation();
  if (!before.empty())
    deflateSetDictionary(&stream, BytesOf(before),
                         static_cast<uInt>(before.size()));
  stream.next_in = BytesOf(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  constexpr uInt kRoom = 64 << 10;
  std::string packed;
  do {
    const size_t before_room = packed.size();
    packed.resize_and_overwrite(before_room + kRoom, [&](char* all, size_t) {
      stream.next_out = reinterpret_cast<Bytef*>(all + before_room);
      stream.avail_out = kRoom;
      deflate(&stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
      return before_room + kRoom - stream.avail_out;
    });
  } while (stream.avail_out == 0);
  deflateEnd(&stream);
  return packed;
}

}  // namespace heapprof
