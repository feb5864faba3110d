// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "io/deflater.h"
#include "io/stream_decoder.h"

namespace heapprof {
namespace {

// The highest level, which is twice as fast as zlib's level 4. The small table
// makes the output smaller, because it makes shorter blocks.
constexpr uint32_t kLevel = 3;
constexpr size_t kTableSize = ISAL_DEF_LVL3_SMALL;

// The library takes its input through a non-const pointer and only reads.
uint8_t* BytesOf(std::string_view text) {
  return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data()));
}

// Compresses `bytes`, and appends what that gives to `packed`.
void Run(std::string_view bytes, isal_zstream& stream, std::string& packed) {
  constexpr size_t kRoom = size_t{64} << 10;
  stream.next_in = BytesOf(bytes);
  stream.avail_in = static_cast<uint32_t>(bytes.size());
  do {
    const size_t before = packed.size();
    packed.resize_and_overwrite(before + kRoom, [&](char* all, size_t) {
      stream.next_out = reinterpret_cast<uint8_t*>(all + before);
      stream.avail_out = kRoom;
      isal_deflate(&stream);
      return before + kRoom - stream.avail_out;
    });
  } while (stream.avail_out == 0);
}

}  // namespace

std::string DeflatePart(std::string_view before, std::string_view bytes,
                        bool is_last) {
  std::vector<uint8_t> tables(kTableSize);
  isal_zstream stream = {};
  isal_deflate_init(&stream);
  stream.level = kLevel;
  stream.level_buf = tables.data();
  stream.level_buf_size = static_cast<uint32_t>(tables.size());
  stream.gzip_flag = IGZIP_DEFLATE;
  if (!before.empty())
    isal_deflate_set_dict(&stream, BytesOf(before),
                          static_cast<uint32_t>(before.size()));
  std::string packed;
  while (!bytes.empty()) {
    const unsigned size = ClampToUnsigned(bytes.size());
    Run(bytes.substr(0, size), stream, packed);
    bytes.remove_prefix(size);
  }
  stream.end_of_stream = is_last ? 1 : 0;
  stream.flush = is_last ? NO_FLUSH : SYNC_FLUSH;
  Run({}, stream, packed);
  return packed;
}

}  // namespace heapprof
