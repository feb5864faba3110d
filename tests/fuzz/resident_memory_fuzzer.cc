// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as smaps, smaps_rollup or status: regions that add up to the RSS,
// or an error with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/explain/resident_memory.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto memory = heapprof::ParseResidentMemory(bytes, "fuzz");
  if (!memory) {
    if (memory.error().message.empty()) std::abort();
    return 0;
  }
  if (!memory->regions) return 0;
  uint64_t sum = 0;
  for (const heapprof::RegionSum& region : memory->regions->by_kind)
    sum += region.resident;
  if (sum != memory->rss) std::abort();
  return 0;
}
