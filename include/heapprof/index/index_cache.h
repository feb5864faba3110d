// SPDX-License-Identifier: Apache-2.0
//
// The index cache: a directory of index files, one per binary (see
// index_file.h), that any number of processes can use at the same time.
//
// The process that builds an index writes it to a temporary file, keeps that
// file locked, flushes it to disk, and renames it. So no other process ever
// sees part of an index. A temporary file that is not locked was left by a
// process that died; a later process removes it. If the cache cannot be used,
// the run continues without it and looks up all addresses in the binaries.
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

// An index file that is open. Its functions are those of IndexFile (see
// index_file.h).
class CachedIndex {
 public:
  virtual ~CachedIndex() = default;
  // From now on, keeps in memory what Resolve() reads. Later calls with the
  // same addresses are then faster, but only one may run at a time.
  virtual void KeepAnswers() = 0;
  virtual bool has_map() const = 0;
  virtual std::string_view split_files() const = 0;
  virtual std::optional<ResolvedAddresses> Resolve(
      std::span<const uint64_t> addresses, unsigned jobs) const = 0;
};

// Opens an index that is in no file. Fails like IndexFile::Open().
Result<std::unique_ptr<CachedIndex>> OpenIndexInMemory(std::string bytes,
                                                       unsigned jobs);

// Reserves the place of an index in the cache while the index is built, so that
// no other process builds it, too. If Fill() is not called, nothing stays in
// the cache.
class IndexSlot {
 public:
  virtual ~IndexSlot() = default;
  // Writes the index. Then removes the least recently used indexes until the
  // cache is no larger than allowed.
  virtual Result<void> Fill(std::string_view bytes) = 0;
};

struct CacheEntry {
  std::string file_name;
  uint64_t size = 0;
  int64_t last_use = 0;   // seconds since 1970
  bool is_valid = false;  // neither damaged nor of another version
  bool has_map = false;
  std::string label;  // path of its binary
};

struct PruneResult {
  size_t removed_count = 0;
  uint64_t removed_bytes = 0;
};

class IndexCache {
 public:
  // Does not create `directory`; it is created when the first index is stored.
  explicit IndexCache(std::string directory,
                      uint64_t max_size = kDefaultCacheSize)
      : directory_(std::move(directory)), max_size_(max_size) {}

  const std::string& directory() const { return directory_; }

  // Returns the index of the files in `key`. Returns nullptr if there is none,
  // and an error if the index is unusable. Does not check whether the split
  // debug files are still the same; the caller does this (see
  // IndexFile::split_files()). `jobs` threads read the index.
  Result<std::unique_ptr<CachedIndex>> Find(const IndexKey& key,
                                            unsigned jobs = 1) const;

  // Reserves a place for the index with `key`. Returns nullptr if the index
  // need not be built: another process is building it, or has done so since
  // Find(). An existing index is replaced if it is unusable or was made from
  // split debug files other than those in `key`.
  Result<std::unique_ptr<IndexSlot>> Reserve(const IndexKey& key) const;

  // Removes an index that turned out to be damaged.
  void Discard(const IndexKey& key) const;

  // Lists the indexes, the most recently used first. Lists none if the
  // directory does not exist.
  Result<std::vector<CacheEntry>> List() const;
  // Removes unusable indexes, temporary files that a dead process left, and the
  // least recently used indexes while the cache is too large.
  Result<PruneResult> Prune() const;
  // Removes all indexes, and temporary files that a dead process left.
  Result<PruneResult> Clear() const;

 private:
  std::string directory_;
  uint64_t max_size_;
};

}  // namespace heapprof
