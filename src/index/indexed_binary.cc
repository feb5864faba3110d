// SPDX-License-Identifier: Apache-2.0
#include "index/indexed_binary.h"

#include <vector>

#include "heapprof/base/char_class.h"
#include "heapprof/base/little_endian_cursor.h"
#include "heapprof/base/put_number.h"

namespace heapprof {
namespace {

constexpr uint8_t kBigEndian = 1;
constexpr uint8_t kHasDebugInfo = 2;

constexpr size_t kSegmentSize = 33;
constexpr size_t kRangeSize = 16;

LoadSegment ReadSegment(LittleEndianCursor& cursor) {
  LoadSegment segment;
  segment.file_offset = cursor.U64();
  segment.file_size = cursor.U64();
  segment.address = cursor.U64();
  segment.memory_size = cursor.U64();
  segment.executable = cursor.U8() != 0;
  return segment;
}

}  // namespace

std::string EncodeBinary(const IndexedBinary& binary) {
  const ElfLayout& layout = binary.layout;
  std::string out;
  PutNumber(out, layout.build_id.size(), 1);
  out += layout.build_id;
  for (const uint16_t number :
       {layout.machine, layout.type, layout.header_size})
    PutNumber(out, number, sizeof(number));
  PutNumber(out,
            (layout.is_big_endian ? kBigEndian : 0) |
                (binary.has_debug_info ? kHasDebugInfo : 0),
            1);
  for (const uint64_t word : binary.code_hash)
    PutNumber(out, word, sizeof(word));
  PutNumber(out, layout.segments.size(), sizeof(uint32_t));
  PutNumber(out, layout.code.size(), sizeof(uint32_t));
  for (const LoadSegment& segment : layout.segments) {
    for (const uint64_t number : {segment.file_offset, segment.file_size,
                                  segment.address, segment.memory_size})
      PutNumber(out, number, sizeof(number));
    PutNumber(out, segment.executable ? 1 : 0, 1);
  }
  for (const auto& [start, end] : layout.code) {
    PutNumber(out, start, sizeof(start));
    PutNumber(out, end, sizeof(end));
  }
  return out;
}

Result<IndexedBinary> DecodeBinary(std::span<const uint8_t> bytes) {
  LittleEndianCursor cursor(bytes);
  IndexedBinary binary;
  ElfLayout& layout = binary.layout;
  const auto id = cursor.Bytes(cursor.U8());
  layout.build_id.assign(id.begin(), id.end());
  for (uint16_t* number : {&layout.machine, &layout.type, &layout.header_size})
    *number = cursor.U16();
  const uint8_t flags = cursor.U8();
  layout.is_big_endian = (flags & kBigEndian) != 0;
  binary.has_debug_info = (flags & kHasDebugInfo) != 0;
  for (uint64_t& word : binary.code_hash) word = cursor.U64();
  const uint64_t segments = cursor.U32();
  const uint64_t ranges = cursor.U32();
  // The counts are checked before memory is taken for so many elements.
  if (!cursor.ok() || !IsAllHex(layout.build_id) ||
      segments > kMaxLoadSegments ||
      cursor.remaining() != segments * kSegmentSize + ranges * kRangeSize)
    return Fail(ErrorKind::kBadFormat,
                "the index has a damaged description of its binary");
  for (uint64_t i = 0; i < segments; ++i)
    layout.segments.push_back(ReadSegment(cursor));
  for (uint64_t i = 0; i < ranges; ++i) {
    const uint64_t start = cursor.U64();
    layout.code.emplace_back(start, cursor.U64());
  }
  return binary;
}

std::optional<ContentHash> HashCode(const ElfImage& image, unsigned jobs) {
  if (image.code().empty()) return std::nullopt;
  std::vector<uint64_t> words;
  for (const auto& [start, end] : image.code().all()) {
    const auto bytes = image.BytesBefore(end, end - start);
    if (bytes.size() != end - start) return std::nullopt;
    const ContentHash hash = HashContent(bytes, jobs);
    words.insert(words.end(), {start, end, hash[0], hash[1]});
  }
  return HashContent({reinterpret_cast<const uint8_t*>(words.data()),
                      words.size() * sizeof(uint64_t)});
}

}  // namespace heapprof
