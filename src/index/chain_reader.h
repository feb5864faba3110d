// SPDX-License-Identifier: Apache-2.0
//
// The inline chains of addresses, in the numbers of an index.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/dwarf/address_resolver.h"
#include "index/function_records.h"
#include "index/segment_finder.h"

namespace heapprof {

// The chains of several addresses, in their order.
struct IndexChains {
  struct Chain {
    uint32_t frame_count = 0;    // 0 if nothing is known of the address
    uint64_t entry_address = 0;  // of the outermost frame's function
  };
  std::vector<Chain> chains;
  // Of all chains, innermost frame first. Functions, which may be variants, and
  // files are those of the index.
  std::vector<SourceFrame> frames;
  bool is_sound = true;
};

class ChainReader {
 public:
  // `functions` must outlive the reader.
  ChainReader(std::span<const uint8_t> nodes, const FunctionRecords& functions,
              const SegmentFinder& segments)
      : nodes_(nodes), functions_(functions), segments_(segments) {}

  // Reads those of `addresses` (sorted, unique).
  IndexChains Read(std::span<const uint64_t> addresses);

 private:
  // Where a frame is.
  struct Position {
    uint32_t file = 0;
    uint32_t line_step = 0;
    uint32_t column = 0;
  };

  // These are false if the index is damaged.
  bool AddChains(std::span<const uint64_t> addresses);
  bool AddChain(const IndexSegment& segment);
  bool Place(std::span<SourceFrame> frames) const;

  std::span<const uint8_t> nodes_;
  const FunctionRecords& functions_;
  SegmentFinder segments_;
  IndexChains result_;
  uint64_t frame_budget_ = 0;
};

}  // namespace heapprof
