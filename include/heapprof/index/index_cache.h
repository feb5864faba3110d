// SPDX-License-Identifier: Apache-2.0
//
// A directory of index files, one per binary, which any number of processes
// use at a time.
//
// An index appears whole or not at all: it is written to a temporary file
// that its builder holds locked, flushed to disk, then renamed. A temporary
// file that nobody has locked is left of a builder that died; whoever meets it
// removes it. What the cache cannot do is never an error of the run: answers
// then come from the binaries.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/index/index_key.h"

namespace heapprof {

inline constexpr uint64_t kDefaultCacheSize = uint64_t{4} << 30;

// An index file, mapped.
class CachedIndex {
 public:
  // See IndexFile.
  virtual ~CachedIndex() = default;
  virtual bool has_map() const = 0;
  virtual std::string_view split_files() const = 0;
  virtual std::optional<ResolvedAddresses> Resolve(
      std::span<const uint64_t> addresses, unsigned jobs) const = 0;
};

// A place in the cache for an index that is about to be built. Nothing of it
// stays unless it is filled.
class IndexSlot {
 public:
  virtual ~IndexSlot() = default;
  // Writes the index, and removes those that were not used for longest while
  // all together are larger than the cache may be.
  virtual Result<void> Fill(std::string_view bytes) = 0;
};

struct CacheEntry {
  std::string file_name;
  uint64_t size = 0;
  int64_t last_use = 0;   // seconds since 1970
  bool is_valid = false;  // neither damaged nor of another version
  bool has_map = false;
  std::string label;  // where its binary was
};

struct PruneResult {
  size_t removed_count = 0;
  uint64_t removed_bytes = 0;
};

class IndexCache {
 public:
  // The directory is made when the first index is.
  explicit IndexCache(std::string directory,
                      uint64_t max_size = kDefaultCacheSize)
      : directory_(std::move(directory)), max_size_(max_size) {}

  const std::string& directory() const { return directory_; }

  // The index with `key`, of whatever split files. nullptr if there is none; an
  // error if there is one that cannot be used. `jobs` threads read it.
  Result<std::unique_ptr<CachedIndex>> Find(const IndexKey& key,
                                            unsigned jobs = 1) const;

  // nullptr if there is nothing to do: another process is building the index,
  // or has built it meanwhile. One that Find() refused, or that is of other
  // split files, does not count.
  Result<std::unique_ptr<IndexSlot>> Reserve(const IndexKey& key) const;

  // Removes an index that turned out to be damaged.
  void Discard(const IndexKey& key) const;

  // By last use, the latest first. Empty if there is no directory.
  Result<std::vector<CacheEntry>> List() const;
  // Removes what is damaged, of another version, left of dead builders, and
  // what is beyond the size.
  Result<PruneResult> Prune() const;
  // Removes all indexes, and what is left of dead builders.
  Result<PruneResult> Clear() const;

 private:
  std::string directory_;
  uint64_t max_size_;
};

}  // namespace heapprof
