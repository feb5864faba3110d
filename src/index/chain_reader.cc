// SPDX-License-Identifier: Apache-2.0
#include "index/chain_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heapprof/base/little_endian_cursor.h"
#include "heapprof/base/varint.h"

namespace heapprof {
namespace {

// One chain may have kMaxFrames frames, more than any chain of a CodeMap has.
constexpr uint32_t kMaxFrames = 1100;
constexpr size_t kBatch = 64;

// A placeholder for a file number. It means "the code file of the frame's
// function", whose number is known only after the function is read. It cannot
// be the number of a real file, because no index has that many files.
constexpr uint32_t kCodeFileOfFunction = UINT32_MAX;

}  // namespace

InlineChains ChainReader::Read(std::span<const uint64_t> addresses) {
  result_.runs.reserve(addresses.size());
  result_.entry_pcs.reserve(addresses.size());
  result_.frames.reserve(kUsualFrames * addresses.size());
  for (size_t first = 0; first < addresses.size() && result_.is_valid;
       first += kBatch) {
    result_.is_valid = AddChains(
        addresses.subspan(first, std::min(kBatch, addresses.size() - first)));
    if (limit_.IsExceeded(result_.frames))
      limit_.Lower(result_.runs, result_.frames);
  }
  result_.most_frames = limit_.most();
  return std::move(result_);
}

// Adds the chains of `addresses` to result_. Works in steps: each step goes
// through all addresses and prefetches the data that the next step reads.
bool ChainReader::AddChains(std::span<const uint64_t> addresses) {
  for (const uint64_t address : addresses) rows_.Prefetch(address);
  std::array<IndexRow, kBatch> rows;
  for (size_t i = 0; i < addresses.size(); ++i) {
    rows[i] = rows_.Find(addresses[i]);
    if (rows[i].node != 0) __builtin_prefetch(nodes_.data() + rows[i].node - 1);
  }
  if (!rows_.ok()) return false;
  const size_t first_frame = result_.frames.size();
  for (size_t i = 0; i < addresses.size(); ++i) {
    result_.runs.push_back({});
    result_.entry_pcs.push_back(0);
    if (rows[i].node != 0 && !AddChain(rows[i])) return false;
  }
  return SetPositions(std::span(result_.frames).subspan(first_frame));
}

// Adds the frames of one chain, from the innermost function outwards. The
// position in the innermost function comes from the row. The position in every
// other function is the call site of the subroutine that is inlined into it.
bool ChainReader::AddChain(const IndexRow& row) {
  Position position = {row.has_code_file ? kCodeFileOfFunction : row.file,
                       row.line_step, row.column};
  uint64_t node = row.node - 1;
  for (uint32_t i = 0; i < kMaxFrames; ++i) {
    LittleEndianCursor cursor(nodes_, node);
    const uint64_t number = cursor.Uleb();
    const uint64_t link = cursor.Uleb();
    if (!cursor.ok() || number > UINT32_MAX) return false;
    functions_.Prefetch(number);
    limit_.Add({.function = static_cast<uint32_t>(number),
                .file = position.file,
                .line = position.line_step,
                .column = position.column},
               result_.runs.back(), result_.frames);
    if (link == 0) {
      result_.entry_pcs.back() = cursor.Uleb();
      return cursor.ok();
    }
    position.file = (link & 1) != 0 ? kCodeFileOfFunction
                                    : static_cast<uint32_t>(cursor.Uleb());
    position.line_step = static_cast<uint32_t>(UnZigZag(cursor.Uleb()));
    position.column = static_cast<uint32_t>(cursor.Uleb());
    const uint64_t distance = link >> 1;
    if (!cursor.ok() || distance == 0 || distance > node) return false;
    node -= distance;
  }
  return false;
}

// Completes the positions of the frames that AddChain() has added. Replaces
// kCodeFileOfFunction by the real file. Adds the function's start line to the
// frame's line, which AddChain() has set relative to that start line.
bool ChainReader::SetPositions(std::span<SourceFrame> frames) const {
  for (SourceFrame& frame : frames) {
    FunctionRecord function;
    if (!functions_.Read(frame.function, function)) return false;
    if (frame.file == kCodeFileOfFunction) frame.file = function.code_file;
    frame.line += function.start_line;
  }
  return true;
}

}  // namespace heapprof
