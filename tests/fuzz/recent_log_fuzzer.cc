// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as jemalloc's prof_recent: allocations whose replay charges no more
// than all of the free regions, or an error with a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/explain/slab_holders.h"

namespace {

std::vector<std::string> NamesOf(heapprof::StackId stack) {
  return {std::to_string(stack.value)};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  heapprof::Diagnostics diagnostics;
  const auto log =
      heapprof::ParseRecentLog(bytes, "fuzz", nullptr, diagnostics);
  if (!log) {
    if (log.error().message.empty()) std::abort();
    return 0;
  }
  constexpr uint64_t kSlabs = 100000, kRegions = 64, kSize = 224;
  heapprof::Waterfall waterfall;
  waterfall.classes = {
      {.small = {kSize, kRegions, kSlabs, kSlabs}, .used = 1.0 / kRegions}};
  const heapprof::HolderSide now = {.names = NamesOf};
  const heapprof::HolderLog recent = {log->allocations, NamesOf};
  heapprof::AddHolders(now, nullptr, &recent, waterfall);
  double sum = 0;
  for (const heapprof::SlabHolder& holder : waterfall.classes[0].holders) {
    if (!holder.kept) continue;
    const auto& [share, bounds, samples] = *holder.kept;
    if (!(bounds.lower <= share && share <= bounds.upper)) std::abort();
    sum += share;
  }
  constexpr double kRounding = 1e-9;
  if (sum > 1 + kRounding) std::abort();
  return 0;
}
