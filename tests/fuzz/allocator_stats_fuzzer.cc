// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as output of malloc_stats_print(): numbers of a process, whose
// waterfall adds up, or an error with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/explain/waterfall.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto stats = heapprof::ParseAllocatorStats(bytes, "fuzz");
  if (!stats) {
    if (stats.error().message.empty()) std::abort();
    return 0;
  }
  for (const bool has_dump : {false, true}) {
    heapprof::WaterfallInputs inputs{.stats = *stats};
    if (has_dump)
      inputs.dump = {.live = 1e9, .small_objects = size, .small_bytes = ~size};
    const auto waterfall = heapprof::MakeWaterfall(inputs);
    if (!waterfall) continue;
    int64_t sum = 0;
    for (const heapprof::WaterfallLine& line : waterfall->lines)
      sum += line.bytes;
    if (sum != waterfall->total) std::abort();
  }
  return 0;
}
