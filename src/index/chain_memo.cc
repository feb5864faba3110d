// SPDX-License-Identifier: Apache-2.0
#include "index/chain_memo.h"

#include <algorithm>

namespace heapprof {

std::vector<ChainMemo::Known>::const_iterator ChainMemo::FirstFrom(
    uint64_t address) const {
  return std::ranges::lower_bound(known_, address, {}, &Known::address);
}

// Adds the chains of those `addresses` that are not known. Returns false if
// they are not valid.
bool ChainMemo::Learn(std::span<const uint64_t> addresses, const Read& read) {
  std::vector<uint64_t> added;
  auto next = FirstFrom(addresses.front());
  for (const uint64_t address : addresses) {
    while (next != known_.end() && next->address < address) ++next;
    if (next == known_.end() || next->address != address)
      added.push_back(address);
  }
  if (added.empty()) return true;
  const InlineChains chains = read(added);
  if (!chains.is_valid) return false;
  uint64_t first_frame = frames_.size();
  const auto old_size = static_cast<ptrdiff_t>(known_.size());
  for (size_t i = 0; i < added.size(); ++i) {
    known_.push_back({added[i], chains.chains[i], first_frame});
    first_frame += chains.chains[i].frame_count;
  }
  frames_.insert(frames_.end(), chains.frames.begin(), chains.frames.end());
  std::ranges::inplace_merge(known_, known_.begin() + old_size, {},
                             &Known::address);
  return true;
}

InlineChains ChainMemo::Find(std::span<const uint64_t> addresses,
                             const Read& read) {
  InlineChains found;
  if (addresses.empty()) return found;
  found.is_valid = Learn(addresses, read);
  if (!found.is_valid) return found;
  found.chains.reserve(addresses.size());
  found.frames.reserve(kUsualFrames * addresses.size());
  auto next = FirstFrom(addresses.front());
  for (const uint64_t address : addresses) {
    while (next->address < address) ++next;
    found.chains.push_back(next->chain);
    const auto first =
        frames_.begin() + static_cast<ptrdiff_t>(next->first_frame);
    found.frames.insert(found.frames.end(), first,
                        first + next->chain.frame_count);
  }
  return found;
}

}  // namespace heapprof
