// SPDX-License-Identifier: Apache-2.0
//
// Reads the strings of an index by number; see kStrings in index_format.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "heapprof/base/little_endian_cursor.h"
#include "heapprof/base/text_store.h"

namespace heapprof {

struct IndexString {
  std::string_view text;
  std::string_view demangled;  // empty if not stored
};

class StringMemo;

class IndexStrings {
 public:
  // `budget` limits the memory, in bytes, for strings that are longer than
  // usual. Without a limit, a small damaged index could fill the memory: if
  // each string shares a long prefix with the previous string, a few bytes
  // stand for a long string. Takes what is in `known`, which may be null, from
  // there.
  IndexStrings(std::span<const uint8_t> blocks,
               std::span<const uint8_t> strings, uint64_t budget,
               const StringMemo* known = nullptr)
      : blocks_(blocks), strings_(strings), budget_(budget), known_(known) {}

  // Assembles the string with this number, in memory that belongs to `texts`;
  // a known string stays in the memory of the memo.
  // Returns nothing if no string has this number, or if the budget is too small
  // for the string.
  std::optional<IndexString> Get(uint32_t number, TextStore& texts);
  // Prefetches the data that Get() will read.
  void Prefetch(uint32_t number) const;

 private:
  LittleEndianCursor BlockOf(uint32_t number) const;
  bool Spend(size_t size);

  std::span<const uint8_t> blocks_;
  std::span<const uint8_t> strings_;
  uint64_t budget_;
  const StringMemo* known_;
};

}  // namespace heapprof
