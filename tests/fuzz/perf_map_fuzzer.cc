// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as --perf-map: names that can be asked for, or an error with a
// message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/symbolize/perf_map.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  heapprof::Diagnostics diagnostics;
  const auto map = heapprof::PerfMap::Parse(bytes, "fuzz", diagnostics);
  if (!map) {
    if (map.error().message.empty()) std::abort();
    return 0;
  }
  for (const uint64_t address : {uint64_t{0}, uint64_t{0x7f0000001000},
                                 uint64_t{0x7f0000001fff}, UINT64_MAX})
    if (const auto name = map->Find(address); name && name->empty())
      std::abort();
  return 0;
}
