// SPDX-License-Identifier: Apache-2.0
#include "index/chain_memo.h"

#include <algorithm>

namespace heapprof {
namespace {

// Appends the chain of another address.
void Append(std::span<const SourceFrame> frames, uint64_t entry_pc,
            InlineChains& chains) {
  chains.runs.push_back({static_cast<uint32_t>(chains.frames.size()),
                         static_cast<uint32_t>(frames.size())});
  chains.entry_pcs.push_back(entry_pc);
  chains.frames.insert(chains.frames.end(), frames.begin(), frames.end());
}

}  // namespace

std::vector<ChainMemo::Known>::const_iterator ChainMemo::FirstFrom(
    uint64_t address) const {
  return std::ranges::lower_bound(known_, address, {}, &Known::address);
}

std::vector<uint64_t> ChainMemo::Unknown(
    std::span<const uint64_t> addresses) const {
  std::vector<uint64_t> unknown;
  auto next = FirstFrom(addresses.front());
  for (const uint64_t address : addresses) {
    while (next != known_.end() && next->address < address) ++next;
    if (next == known_.end() || next->address != address)
      unknown.push_back(address);
  }
  return unknown;
}

// Adds the chains of `addresses`. Leaves out long ones: how much of them is
// kept depends on the addresses of a lookup.
void ChainMemo::Learn(std::span<const uint64_t> addresses,
                      const InlineChains& chains) {
  const auto old_size = static_cast<ptrdiff_t>(known_.size());
  for (size_t i = 0; i < addresses.size(); ++i) {
    const FrameRun run = chains.runs[i];
    if (run.count >= kCallsPerAddress) continue;
    known_.push_back(
        {addresses[i], chains.entry_pcs[i], frames_.size(), run.count});
    const auto first = chains.frames.begin() + run.first;
    frames_.insert(frames_.end(), first, first + run.count);
  }
  std::ranges::inplace_merge(known_, known_.begin() + old_size, {},
                             &Known::address);
}

InlineChains ChainMemo::Find(std::span<const uint64_t> addresses,
                             const Read& read) {
  InlineChains found;
  if (addresses.empty()) return found;
  const std::vector<uint64_t> unknown = Unknown(addresses);
  InlineChains added;
  if (!unknown.empty()) added = read(unknown);
  found.most_frames = added.most_frames;
  found.is_valid = added.is_valid;
  if (!found.is_valid) return found;
  found.runs.reserve(addresses.size());
  found.entry_pcs.reserve(addresses.size());
  found.frames.reserve(kUsualFrames * addresses.size());
  auto next = FirstFrom(addresses.front());
  size_t next_added = 0;
  for (const uint64_t address : addresses) {
    if (next_added < unknown.size() && unknown[next_added] == address) {
      const FrameRun run = added.runs[next_added];
      Append(std::span(added.frames).subspan(run.first, run.count),
             added.entry_pcs[next_added++], found);
      continue;
    }
    while (next->address < address) ++next;
    Append(std::span(frames_).subspan(next->first_frame, next->frame_count),
           next->entry_pc, found);
  }
  Learn(unknown, added);
  return found;
}

}  // namespace heapprof
