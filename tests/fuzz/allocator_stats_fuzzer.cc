// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as output of malloc_stats_print(): numbers of a process, whose
// waterfall adds up, also in a comparison, or an error with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/explain/waterfall.h"

namespace {

void CheckSums(const heapprof::Result<heapprof::Waterfall>& waterfall) {
  if (!waterfall) return;
  int64_t sum = 0, base = 0;
  for (const heapprof::WaterfallLine& line : waterfall->lines) {
    sum += line.bytes;
    base += line.base_bytes;
  }
  if (sum != waterfall->total) std::abort();
  if (base != waterfall->base_total.value_or(0)) std::abort();
}

}  // namespace

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
    CheckSums(heapprof::MakeWaterfall(inputs));
    heapprof::WaterfallInputs base{.stats = *stats};
    base.stats.total.reset();
    CheckSums(heapprof::CompareWaterfalls(base, inputs));
    CheckSums(heapprof::CompareWaterfalls(inputs, base));
  }
  return 0;
}
