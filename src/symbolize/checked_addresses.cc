// SPDX-License-Identifier: Apache-2.0
#include "symbolize/checked_addresses.h"

#include <algorithm>

namespace heapprof {

BuildCheck CheckedAddresses::Check(const ElfImage& image, AddressSpace space,
                                   std::span<const uint64_t> return_addresses) {
  const bool is_decided =
      space == AddressSpace::kFileOffset || space == AddressSpace::kFileAddress;
  // Where the code of a debug file is depends on the mapping.
  if (!is_decided || image.IsDebugFile())
    return CheckBuild(image, space, return_addresses);
  std::vector<Known>& known = known_[{&image, space}];
  std::vector<Known> added;
  BuildCheck sum = {.calls = {},
                    .count = static_cast<uint32_t>(return_addresses.size())};
  auto next = known.begin();
  for (const uint64_t address : return_addresses) {
    while (next != known.end() && next->address < address) ++next;
    const Known* found = nullptr;
    if (next != known.end() && next->address == address) {
      found = &*next;
    } else if (!added.empty() && added.back().address == address) {
      found = &added.back();
    } else {
      const BuildCheck one = CheckBuild(image, space, {&address, 1});
      found =
          &added.emplace_back(Known{.address = address,
                                    .has_bytes = one.calls.checked != 0,
                                    .follows_call = one.calls.after_call != 0,
                                    .is_outside = one.outside != 0});
    }
    sum.calls.checked += found->has_bytes;
    sum.calls.after_call += found->follows_call;
    sum.outside += found->is_outside;
  }
  // As in CheckBuild().
  if (sum.calls.checked != 0) sum.calls.checked = sum.count;
  const auto middle = known.insert(known.end(), added.begin(), added.end());
  std::ranges::inplace_merge(known, middle, {}, &Known::address);
  return sum;
}

}  // namespace heapprof
