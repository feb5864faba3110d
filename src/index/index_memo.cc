// SPDX-License-Identifier: Apache-2.0
#include "index/index_memo.h"

namespace heapprof {

const IndexString* StringMemo::Find(uint32_t number) const {
  const auto it = known_.find(number);
  return it == known_.end() ? nullptr : &it->second;
}

void StringMemo::Add(uint32_t number, const IndexString& string) {
  // The strings of a small damaged index can be very long.
  constexpr size_t kMostBytes = size_t{64} << 20;
  const size_t size = string.text.size() + string.demangled.size();
  if (size > kMostBytes - size_) return;
  const auto [it, is_new] = known_.try_emplace(number);
  if (!is_new) return;
  size_ += size;
  it->second = {texts_.Add(string.text), texts_.Add(string.demangled)};
}

void NumberTable::Add(uint32_t number, uint32_t index) {
  indices_[number] = index;
  added_.push_back(number);
}

void NumberTable::Clear() {
  for (const uint32_t number : added_) indices_[number] = kNone;
  added_.clear();
}

}  // namespace heapprof
