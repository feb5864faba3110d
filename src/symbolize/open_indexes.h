// SPDX-License-Identifier: Apache-2.0
//
// The indexes of the modules that a run looks up, each opened once. An index
// that the cache lacks is usually built after the report, for later runs. But
// if the run goes on to look up the addresses of more profiles, it builds an
// index at the second lookup of its module, because that is faster than to read
// the debug information again. If there is no cache, or if the cache cannot be
// used, such an index stays in memory.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/index/index_key.h"
#include "heapprof/symbolize/missing_index.h"
#include "heapprof/symbolize/module.h"

namespace heapprof {

class OpenIndexes {
 public:
  // `cache` may be null.
  OpenIndexes(const IndexCache* cache, unsigned jobs)
      : cache_(cache), jobs_(jobs) {}

  // The number of threads that read debug information.
  unsigned jobs() const { return jobs_; }
  // The run will look up the addresses of more than one profile.
  void ExpectMoreProfiles() { expects_more_ = true; }

  // Opens the index of `module`, and the files that its lookup will need.
  // Afterwards, lookups in different modules may run at the same time.
  void Prepare(const Module& module);

  struct Found {
    // Null if there is none. Valid until the next call for this module.
    const CachedIndex* index = nullptr;
    // Of the index; nothing if no index is used for this module.
    std::optional<IndexKey> key = {};
    bool is_missing = false;   // it is worth building
    std::string problem = {};  // why the cache cannot be used; empty if it can
  };
  // Finds the index of `module`, which must have a debug image.
  Found Find(const Module& module);
  // Forgets an index that turned out to be damaged. Returns a sentence about
  // it.
  std::string Discard(const Module& module);

  // True if an engine that a lookup in `module` opens will be used again, to
  // build an index or for another profile.
  bool WillUseEngineAgain(const Module& module) const;
  void AddMissing(MissingIndex missing);
  // Keeps the engine (null: none) that a lookup opened although no index of
  // `module` is to be built, if there will be more lookups.
  void KeepEngine(const Module& module,
                  std::unique_ptr<AddressResolver> opened);
  // Returns an engine that an earlier lookup in `module` opened: the one from
  // which the missing index is to be built, or the one that was kept. Null if
  // there is none.
  AddressResolver* FindEngine(const Module& module) const;

  // True if Build() has something to do or to say.
  bool HasWork() const;
  // Builds the indexes that the cache lacks, and says whether each was stored.
  void Build(Diagnostics& diagnostics);

 private:
  struct Entry {
    const Module* module = nullptr;
    IndexKey key = {};
    std::unique_ptr<CachedIndex> index = {};
    bool is_missing = false;
    bool uses_cache = false;
    std::string problem = {};
    std::optional<MissingIndex> missing = {};
    // Where an index cannot answer all that is asked.
    std::unique_ptr<AddressResolver> engine = {};
  };

  Entry* FindEntry(const Module& module) const;
  Entry& Open(const Module& module);
  void Store(MissingIndex& missing);
  void BuildNow(Entry& entry);

  const IndexCache* cache_;
  unsigned jobs_;
  bool expects_more_ = false;
  std::vector<std::unique_ptr<Entry>> entries_;  // in the order of lookup
  Diagnostics messages_;  // about the indexes built so far
};

}  // namespace heapprof
