// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <isa-l/igzip_lib.h>

#include "io/deflater.h"

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

}  // namespace

std::string DeflatePart(std::string_view before, std::string_view bytes,
                        bool is_last) {
  std::vector<uint8_t> tables(kTableSize);
  // On the heap: it has 80 KiB, and the stack may be small.
  const auto owned = std::make_unique<isal_zstream>();
  isal_zstream& stream = *owned;
  isal_deflate_init(&stream);
  stream.level = kLevel;
  stream.level_buf = tables.data();
  stream.level_buf_size = static_cast<uint32_t>(tables.size());
  stream.gzip_flag = IGZIP_DEFLATE;
  if (!before.empty())
    isal_deflate_set_dict(&stream, BytesOf(before),
                          static_cast<uint32_t>(before.size()));
  stream.next_in = BytesOf(bytes);
  stream.avail_in = static_cast<uint32_t>(bytes.size());
  stream.end_of_stream = is_last ? 1 : 0;
  stream.flush = is_last ? NO_FLUSH : SYNC_FLUSH;
  constexpr uint32_t kRoom = 64 << 10;
  std::string packed;
  do {
    const size_t before_room = packed.size();
    packed.resize_and_overwrite(before_room + kRoom, [&](char* all, size_t) {
      stream.next_out = reinterpret_cast<uint8_t*>(all + before_room);
      stream.avail_out = kRoom;
      isal_deflate(&stream);
      return before_room + kRoom - stream.avail_out;
    });
  } while (stream.avail_out == 0);
  return packed;
}

}  // namespace heapprof
