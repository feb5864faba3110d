// SPDX-License-Identifier: Apache-2.0
#include "index/chain_reader.h"

#include <utility>

#include "heapprof/base/little_endian_cursor.h"
#include "index/index_format.h"

namespace heapprof {
namespace {

// Calls are inlined up to a thousand deep, as a rule a dozen.
constexpr uint32_t kMaxFrames = 1100;
constexpr size_t kUsualFrames = 4;
constexpr uint64_t kSpareFrames = 100'000;
constexpr uint64_t kFramesPerAddress = 200;

}  // namespace

IndexChains ChainReader::Read(std::span<const uint64_t> addresses) {
  result_ = {};
  result_.chains.reserve(addresses.size());
  result_.frames.reserve(kUsualFrames * addresses.size());
  frame_budget_ = kSpareFrames + kFramesPerAddress * addresses.size();
  for (const uint64_t address : addresses) {
    const IndexSegment segment = segments_.Find(address);
    result_.chains.push_back({});
    if (segment.node == 0 || AddChain(segment)) continue;
    result_.is_sound = false;
    break;
  }
  result_.is_sound = result_.is_sound && segments_.ok();
  return std::move(result_);
}

// The position inside a function comes from one level below: from the segment
// for the innermost, else from the call inlined there.
bool ChainReader::AddChain(const IndexSegment& segment) {
  IndexChains::Chain& chain = result_.chains.back();
  Position position = {segment.has_code_file, segment.file, segment.line_step,
                       segment.column};
  uint64_t node = segment.node - 1;
  while (chain.frame_count < kMaxFrames && frame_budget_ > 0) {
    --frame_budget_;
    LittleEndianCursor cursor(nodes_, node);
    const uint64_t number = cursor.Uleb();
    const uint64_t link = cursor.Uleb();
    FunctionRecord function;
    if (!cursor.ok() || !functions_.Read(number, function)) return false;
    result_.frames.push_back(
        {.function = static_cast<uint32_t>(number),
         .file = position.is_home ? function.code_file : position.file,
         .line = function.start_line + position.line_step,
         .column = position.column});
    ++chain.frame_count;
    if (link == 0) {
      chain.entry_address = cursor.Uleb();
      return cursor.ok();
    }
    position.is_home = (link & 1) != 0;
    position.file = position.is_home ? 0 : static_cast<uint32_t>(cursor.Uleb());
    position.line_step = static_cast<uint32_t>(UnZigZag(cursor.Uleb()));
    position.column = static_cast<uint32_t>(cursor.Uleb());
    const uint64_t distance = link >> 1;
    if (!cursor.ok() || distance == 0 || distance > node) return false;
    node -= distance;
  }
  return false;
}

}  // namespace heapprof
