// SPDX-License-Identifier: Apache-2.0
//
// The lines that ClickHouse's jemalloc adds to dumps:
//
//   @ 0x55d0c0de1131 0x55d0c0de2042
//     t*: 2: 12288 [0: 0]
//     t0: 2: 12288 [0: 0]
//     f: 75000000000 4000 4096 20 1 0       a live sampled object: age in ns,
//     f: 1000000000 8000 8192 24 1 0        requested and usable size, size
//                                           class, arena, thread
//   ...
//   frag_util: 0 9 160 20480 128 1 7 61 7   the slabs of a size class in an
//                                           arena, see SlabClass
//
// The sizes make exact what is otherwise estimated from the mean size of the
// objects of a stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "heapprof/profile/profile.h"
#include "parse/text_scanner.h"

namespace heapprof {

struct LiveObject {
  uint64_t age = 0;   // in nanoseconds
  uint64_t size = 0;  // usable, which is what the counts of dumps add up
  uint64_t thread_uid = 0;
};

// Reads what follows "f:". Returns nothing if it is malformed or contradicts
// itself.
std::optional<LiveObject> ReadLiveObject(TextScanner in);

// Reads what follows "frag_util:". Returns nothing if it is malformed or
// contradicts itself.
std::optional<SlabClass> ReadSlabs(TextScanner in);

// Adds `slabs` to the row of their size.
void AddSlabs(const SlabClass& slabs, std::vector<SlabClass>& classes);

// The live objects of one record.
class LiveObjects {
 public:
  void Add(uint64_t size, ThreadId thread);

  bool empty() const { return groups_.empty(); }
  uint64_t count() const { return count_; }
  // Returns the threads of the objects, by id.
  std::vector<uint32_t> Threads() const;

  // Returns a sample with this stack for each size, or for each size and
  // thread.
  std::vector<Sample> Samples(StackId stack, double period);
  std::vector<Sample> ThreadSamples(StackId stack, double period);

  void Clear();

 private:
  struct Group {
    ThreadId thread = {};
    uint64_t size = 0;
    uint64_t count = 0;
  };

  void Unite();

  std::vector<Group> groups_;  // may have several of one thread and size
  size_t limit_ = kFirstLimit;
  uint64_t count_ = 0;

  static constexpr size_t kFirstLimit = 1024;
};

}  // namespace heapprof
