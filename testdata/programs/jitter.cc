// SPDX-License-Identifier: Apache-2.0
//
// Twelve caches of about 70 MiB in all. With another seed, eight of them hold
// up to a fifth more; the other four are the same in all runs.
//
// usage: jitter SEED [leak|rare]
//   leak  cache 3 holds twice as much
//   rare  something holds 4 MiB that other runs do not have
#include <cstddef>
#include <random>
#include <string_view>
#include <utility>

#include "hold.h"

namespace demo {

constexpr size_t kCaches = 12, kVarying = 8, kLeaking = 3;
constexpr size_t kObjects = 250, kObjectSize = 16384;

template <size_t kCache>
[[gnu::noinline]] void FillCache(size_t count) {
  for (size_t i = 0; i < count; ++i)
    hold::Keep(std::malloc(kObjectSize + 1024 * kCache));
}

template <size_t kCache>
void FillAtRandom(bool leaks, std::mt19937& random) {
  const size_t more = kCache < kVarying ? random() % (kObjects / 5) : 0;
  FillCache<kCache>((kObjects + more) * (leaks && kCache == kLeaking ? 2 : 1));
}

[[gnu::noinline]] void FillRarely() {
  for (size_t i = 0; i < kObjects; ++i) hold::Keep(std::malloc(kObjectSize));
}

template <size_t... kCache>
void FillAll(std::index_sequence<kCache...>, bool leaks, std::mt19937& random) {
  (FillAtRandom<kCache>(leaks, random), ...);
}

}  // namespace demo

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  std::mt19937 random(static_cast<unsigned>(std::atoi(argv[1])));
  const std::string_view change = argc > 2 ? argv[2] : "";
  demo::FillAll(std::make_index_sequence<demo::kCaches>(), change == "leak",
                random);
  if (change == "rare") demo::FillRarely();
  return 0;
}
