// SPDX-License-Identifier: Apache-2.0
//
// Keeps the chains that lookups in an index have read, for later lookups of the
// same addresses.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "index/chain_reader.h"

namespace heapprof {

class ChainMemo {
 public:
  using Read = std::function<InlineChains(std::span<const uint64_t>)>;

  // Returns the chains of `addresses`, which are sorted and unique. Calls
  // `read` for those that are new. The result is not valid if that of `read` is
  // not.
  InlineChains Find(std::span<const uint64_t> addresses, const Read& read);

 private:
  struct Known {
    uint64_t address = 0;
    uint64_t entry_pc = 0;
    uint64_t first_frame = 0;  // index in frames_
    uint32_t frame_count = 0;
  };

  std::vector<Known>::const_iterator FirstFrom(uint64_t address) const;
  std::vector<uint64_t> Unknown(std::span<const uint64_t> addresses) const;
  void Learn(std::span<const uint64_t> addresses, const InlineChains& chains);

  std::vector<Known> known_;  // sorted by address
  std::vector<SourceFrame> frames_;
};

}  // namespace heapprof
