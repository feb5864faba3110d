// SPDX-License-Identifier: Apache-2.0
//
// What the caller says about an input, because the input itself cannot. The
// readers of the formats need only this header; parse_profile.h needs the
// readers.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

struct ParseOptions {
  // The memory map of the process, for a dump whose own map is missing or
  // truncated, and for addresses that are outside of it.
  const MemoryMap* maps = nullptr;
  // The sampling period of pprof profiles that do not state one, in bytes; 0 if
  // unknown. Also that of the numbers in folded stacks; 0: they are exact.
  uint64_t sample_period = 0;
  // What the numbers in folded stacks are.
  Metric metric = Metric::kInuseSpace;
  // The sample type of pprof profiles that is read as the live bytes, without
  // numbers of objects; empty: the usual ones.
  std::string sample_type = {};
  // Leaves out live objects that are younger, in nanoseconds; 0: none. Inputs
  // without the ages of objects are then an error.
  uint64_t min_age = 0;
  // False: Profile::thread_samples may be left out. They are as many as all
  // other samples, or more.
  bool with_thread_samples = true;
  // On how many threads a large dump is read.
  unsigned jobs = 1;
  // Is told, on any thread, which parts of the input will probably not be read
  // again. May be empty.
  std::function<void(std::string_view)> on_read = {};
};

}  // namespace heapprof
