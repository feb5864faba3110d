// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/hash.h"

#include <sys/random.h>

namespace heapprof {
namespace {

uint64_t RandomNumberOr(uint64_t otherwise) {
  uint64_t number = 0;
  const bool is_random =
      getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number);
  return is_random ? number : otherwise;
}

}  // namespace

// For a system without random numbers: 2^64 divided by the golden ratio, and
// the fractional part of pi.
const uint64_t kHashMultiplier = RandomNumberOr(0x9e3779b97f4a7c15) | 1;
const uint64_t kHashSeed = RandomNumberOr(0x243f6a8885a308d3);

}  // namespace heapprof
