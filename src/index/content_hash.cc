// SPDX-License-Identifier: Apache-2.0
#include "index/content_hash.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "heapprof/base/for_each.h"
#include "heapprof/base/hash.h"

namespace heapprof {
namespace {

// Factors: odd numbers with about half of the bits set, because
// multiplying by such a number mixes the bits well.
constexpr std::array<uint64_t, 5> kOdd = {
    0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9,
    0xd6e8feb86659fd93, 0xa0761d6478bd642f};

// The hash has four independent lanes, so that the processor can run four
// multiplications at the same time.
constexpr size_t kLanes = 4;
constexpr size_t kStripe = kLanes * 2 * sizeof(uint64_t);
constexpr size_t kPrefetchDistance = 4096;

uint64_t WordAt(const uint8_t* bytes) {
  uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

void AddStripe(const uint8_t* bytes, std::array<uint64_t, kLanes>& lanes) {
  for (size_t i = 0; i < kLanes; ++i, bytes += 2 * sizeof(uint64_t))
    lanes[i] = FoldedProduct(WordAt(bytes) ^ kOdd[i],
                             WordAt(bytes + sizeof(uint64_t)) ^ lanes[i]);
}

ContentHash HashPart(std::span<const uint8_t> bytes) {
  std::array<uint64_t, kLanes> lanes = {kOdd[0], kOdd[1], kOdd[2], kOdd[3]};
  const size_t size = bytes.size();
  for (; bytes.size() >= kStripe; bytes = bytes.subspan(kStripe)) {
    // Prefetch here, because the processor's own prefetching ends at the end of
    // each page.
    if (bytes.size() > kPrefetchDistance)
      __builtin_prefetch(bytes.data() + kPrefetchDistance);
    AddStripe(bytes.data(), lanes);
  }
  std::array<uint8_t, kStripe> last = {};
  std::ranges::copy(bytes, last.begin());
  AddStripe(last.data(), lanes);
  ContentHash hash = {size, ~uint64_t{size}};
  for (const uint64_t lane : lanes) {
    hash[0] = FoldedProduct(hash[0] ^ lane, kOdd[4]);
    hash[1] = FoldedProduct(hash[1] + lane, kOdd[0]);
  }
  return hash;
}

}  // namespace

// Splits large content into parts, so that threads can hash the parts in
// parallel. The result is then the hash of the hashes of all parts.
ContentHash HashContent(std::span<const uint8_t> bytes, unsigned jobs) {
  constexpr size_t kPartSize = size_t{1} << 20;
  if (bytes.size() <= kPartSize) return HashPart(bytes);
  std::vector<ContentHash> parts((bytes.size() + kPartSize - 1) / kPartSize);
  ForEach(parts.size(), jobs, [&](size_t i) {
    const auto rest = bytes.subspan(i * kPartSize);
    parts[i] = HashPart(rest.first(std::min(kPartSize, rest.size())));
  });
  return HashPart({reinterpret_cast<const uint8_t*>(parts.data()),
                   parts.size() * sizeof(ContentHash)});
}

}  // namespace heapprof
