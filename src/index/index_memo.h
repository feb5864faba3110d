// SPDX-License-Identifier: Apache-2.0
//
// Keeps what lookups in an index have read, for later lookups in the same
// index: many dumps of a process have most addresses in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "heapprof/base/text_store.h"
#include "index/chain_memo.h"
#include "index/index_strings.h"

namespace heapprof {

// Strings of an index by number. One thread may add while no other reads.
class StringMemo {
 public:
  // Returns nullptr if the string was not added.
  const IndexString* Find(uint32_t number) const;
  // Copies a string, unless it was added before or the memo is full.
  void Add(uint32_t number, const IndexString& string);

 private:
  std::unordered_map<uint32_t, IndexString> known_;
  TextStore texts_;
  size_t size_ = 0;  // of all texts
};

// A table from the numbers below a limit to indices. To empty it takes time for
// what it holds, not for the limit.
class NumberTable {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  // Makes room for numbers below `limit`.
  void Reserve(size_t limit) { indices_.resize(limit, kNone); }
  size_t limit() const { return indices_.size(); }
  // Returns kNone if the number has no index.
  uint32_t operator[](uint32_t number) const { return indices_[number]; }
  // Gives the number its index, which it must not have yet.
  void Add(uint32_t number, uint32_t index);
  void Clear();

 private:
  std::vector<uint32_t> indices_;  // by number
  std::vector<uint32_t> added_;    // numbers
};

struct IndexMemo {
  ChainMemo chains;
  StringMemo names;
  StringMemo files;
  // Empty between lookups.
  NumberTable function_index;
  NumberTable file_index;
};

}  // namespace heapprof
