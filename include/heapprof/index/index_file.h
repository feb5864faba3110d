// SPDX-License-Identifier: Apache-2.0
//
// The index of a binary: the answers for all of its addresses, as bytes that
// can be mapped and asked without being parsed.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/index/index_key.h"

namespace heapprof {

// The bytes of an index file. `key` names the files that `map` is of. Without
// a map the index says that there is none to be had. Fails if the map is too
// large for the format.
Result<std::string> EncodeIndex(const IndexKey& key, const CodeMap* map);

// Reads an index. The bytes may come from anybody: whatever they are, no read
// leaves them, and no question takes long.
class IndexFile {
 public:
  // `bytes` must outlive the result. Fails if they are no undamaged index of
  // this version. All are read, by that many threads.
  static Result<IndexFile> Open(std::span<const uint8_t> bytes,
                                unsigned jobs = 1);

  std::string_view key() const;    // IndexKey::text
  std::string_view label() const;  // IndexKey::label
  // IndexKey::split_files: if it is not empty and the split files are others
  // now, the answers are of no use. Not to be believed: only to be compared.
  std::string_view split_files() const;
  bool has_map() const { return row_count_ != 0; }

  // The answers for `addresses` (sorted, unique), equal to those of the
  // resolver that the map is from. Nothing if the index turns out to be
  // damaged. `jobs` is the number of threads, which changes nothing else.
  std::optional<ResolvedAddresses> Resolve(std::span<const uint64_t> addresses,
                                           unsigned jobs) const;

 private:
  friend class IndexQuery;

  explicit IndexFile(std::span<const uint8_t> bytes) : bytes_(bytes) {}
  std::span<const uint8_t> Section(size_t index) const;
  std::string_view Text(size_t section) const;

  std::span<const uint8_t> bytes_;
  uint64_t row_count_ = 0;
  uint64_t first_start_ = 0;
};

}  // namespace heapprof
