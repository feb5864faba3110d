// SPDX-License-Identifier: Apache-2.0
//
// Reads the inline chain of each address from an index: the functions that
// contain the address, from the innermost inlined subroutine to the out-of-line
// function. index_format.h explains nodes, rows and variants.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/frame_limit.h"
#include "index/function_records.h"
#include "index/row_finder.h"

namespace heapprof {

// Frames of an address, to reserve memory for.
inline constexpr size_t kUsualFrames = 4;

// The chains of several addresses, in the order of the addresses.
struct InlineChains {
  // By address: where its frames are in `frames`. A count of 0 means that
  // nothing is known about the address.
  std::vector<FrameRun> runs;
  // By address: where the function of its outermost frame begins.
  std::vector<uint64_t> entry_pcs;
  // The frames of all chains, each chain from the innermost frame outwards.
  // SourceFrame::function is the number of a function or variant in the index,
  // SourceFrame::file that of a file.
  std::vector<SourceFrame> frames;
  uint32_t most_frames = 0;  // see ResolvedAddresses::most_frames
  bool is_valid = true;
};

class ChainReader {
 public:
  // `functions` must outlive the reader.
  ChainReader(std::span<const uint8_t> nodes, const FunctionRecords& functions,
              const RowFinder& rows, const FrameLimit& limit)
      : nodes_(nodes), functions_(functions), rows_(rows), limit_(limit) {}

  // Returns the chains of `addresses`, which are sorted and unique. Call once.
  InlineChains Read(std::span<const uint64_t> addresses);

 private:
  // The source position of a frame; `line_step` is the line minus the start
  // line of the frame's function.
  struct Position {
    uint32_t file = 0;
    uint32_t line_step = 0;
    uint32_t column = 0;
  };

  // These functions return false if the index is damaged.
  bool AddChains(std::span<const uint64_t> addresses);
  bool AddChain(const IndexRow& row);
  bool SetPositions(std::span<SourceFrame> frames) const;

  std::span<const uint8_t> nodes_;
  const FunctionRecords& functions_;
  RowFinder rows_;
  FrameLimit limit_;
  InlineChains result_;
};

}  // namespace heapprof
