// SPDX-License-Identifier: Apache-2.0
#include "symbolize/assumed_index.h"

#include <algorithm>

#include <fmt/core.h>

#include "heapprof/base/counted.h"
#include "symbolize/address_layout.h"

namespace heapprof {
namespace {

uint32_t AllowedMisses(uint32_t count) {
  constexpr uint32_t kOfFew = 4;     // one in four
  constexpr uint32_t kAlways = 2;    // a thread entry and a signal frame
  constexpr uint32_t kOfMany = 100;  // one in a hundred
  return std::min(count / kOfFew, kAlways + count / kOfMany);
}

// True if a kernel with pages of `page_size` bytes maps the executable segments
// of `image` as `mapping` says.
bool HasMappedSize(const ElfImage& image, const Mapping& mapping,
                   uint64_t page_size) {
  const LoadSegment* first = nullptr;
  uint64_t last = 0;  // the end of the code
  for (const LoadSegment& segment : image.load_segments()) {
    if (!segment.executable) continue;
    if (first == nullptr || segment.address < first->address) first = &segment;
    last = std::max(last, segment.address + segment.file_size);
  }
  if (first == nullptr) return false;
  const uint64_t start = first->address / page_size * page_size;
  const uint64_t size = (last - start + page_size - 1) / page_size * page_size;
  return mapping.limit - mapping.start == size &&
         mapping.file_offset == first->file_offset / page_size * page_size;
}

bool HasMappedSize(const ElfImage& image, const Mapping& mapping) {
  constexpr uint64_t kPageSizes[] = {4096, 16384, 65536};
  return std::ranges::any_of(kPageSizes, [&](uint64_t page_size) {
    return HasMappedSize(image, mapping, page_size);
  });
}

}  // namespace

std::optional<std::string> WhyNotAssumed(
    const ElfImage& image, const Mapping& mapping,
    std::span<const uint64_t> return_addresses, bool has_file_name) {
  const bool is_size_known = mapping.limit != mapping.start;
  if (!has_file_name && !is_size_known)
    return "has another file name, and the size of the code is not known";
  if (is_size_known && !HasMappedSize(image, mapping))
    return "another build: its code has another size than the mapped code";
  const uint32_t least = !has_file_name ? 8 : is_size_known ? 2 : 3;
  const CallCheck calls =
      CheckBuild(image, mapping.address_space, return_addresses).calls;
  if (calls.checked < least)
    return fmt::format(
        "has {} file name, but {} cannot show that it is the build that ran",
        has_file_name ? "the" : "another",
        Counted(calls.checked, "return address", "return addresses"));
  if (calls.checked - calls.after_call > AllowedMisses(calls.checked))
    return fmt::format(
        "another build: only {} of {} return addresses follow a call "
        "instruction",
        calls.after_call, calls.checked);
  return std::nullopt;
}

}  // namespace heapprof
