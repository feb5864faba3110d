// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as --maps: disjoint entries, by address, or an error with a
// message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/parse/parse_profile.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  heapprof::Diagnostics diagnostics;
  const auto map = heapprof::ParseMaps(bytes, "fuzz", diagnostics);
  if (!map) {
    if (map.error().message.empty()) std::abort();
    return 0;
  }
  uint64_t end = 0;
  for (const heapprof::MapEntry& entry : map->entries()) {
    if (entry.start < end || entry.limit <= entry.start) std::abort();
    end = entry.limit;
    if (map->Find(entry.start) != &entry) std::abort();
  }
  return 0;
}
