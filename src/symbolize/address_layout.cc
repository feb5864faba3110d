// SPDX-License-Identifier: Apache-2.0
#include "symbolize/address_layout.h"

#include <algorithm>

#include <fmt/core.h>

namespace heapprof {
namespace {

// The share of return addresses that must follow a call. If the share is lower,
// the file is another build. In a wrong file, about a tenth of the addresses
// follow a call. In the right one, nearly all do; the exceptions are thread
// entry points and signal frames.
constexpr double kSameBuildShare = 0.75;

// Among few return addresses, thread entry points and signal frames may be more
// than a quarter, so only half must follow a call. Fewer than kFewest addresses
// prove nothing.
constexpr uint32_t kFewest = 3;
constexpr double kSameBuildShareOfFew = 0.5;

std::vector<uint64_t> FileAddresses(const ElfImage& image,
                                    std::span<const uint64_t> offsets) {
  std::vector<uint64_t> addresses;
  addresses.reserve(offsets.size());
  for (uint64_t offset : offsets) {
    // Convert the offset of the byte before the return address, because the
    // return address may be just after the end of a PT_LOAD segment.
    const auto address = image.FileAddressOf(offset - 1);
    if (address) addresses.push_back(*address + 1);
  }
  return addresses;
}

CallCheck CheckCalls(const ElfImage& image, AddressSpace space,
                     std::span<const uint64_t> addresses) {
  switch (space) {
    case AddressSpace::kFileOffset:
      return CheckReturnAddresses(image, FileAddresses(image, addresses));
    case AddressSpace::kFileAddress:
      return CheckReturnAddresses(image, addresses);
    case AddressSpace::kUnknown: {
      const CallCheck offsets =
          CheckCalls(image, AddressSpace::kFileOffset, addresses);
      const CallCheck own =
          CheckCalls(image, AddressSpace::kFileAddress, addresses);
      // If the file has bytes at only a few of these file addresses, it cannot
      // show that the addresses are file addresses.
      if (own.checked < CallCheck::kMinimum) return offsets;
      return offsets.Share() > own.Share() ? offsets : own;
    }
    case AddressSpace::kRuntime:
      break;
  }
  return {};
}

// Returns the PT_LOAD segments that may contain the addresses. If the segment
// of the mapping is known and the file has it, returns only that one.
std::span<const LoadSegment> SegmentsOf(const UnknownAddresses& mapping) {
  const auto all = mapping.image->load_segments();
  if (mapping.segment == 0 || mapping.segment > all.size()) return all;
  return all.subspan(mapping.segment - 1, 1);
}

bool Fits(const UnknownAddresses& mapping, AddressSpace space) {
  const auto segments = SegmentsOf(mapping);
  return std::ranges::all_of(mapping.return_addresses, [&](uint64_t address) {
    return std::ranges::any_of(segments, [&](const LoadSegment& segment) {
      const bool offset = space == AddressSpace::kFileOffset;
      const uint64_t start = offset ? segment.file_offset : segment.address;
      const uint64_t size = offset ? segment.file_size : segment.memory_size;
      return address - 1 >= start && address - 1 - start < size;
    });
  });
}

bool AreTheSame(const UnknownAddresses& mapping) {
  return std::ranges::all_of(SegmentsOf(mapping), [](const LoadSegment& s) {
    return s.file_offset == s.address;
  });
}

// Returns the share of return addresses that follow a call if the addresses are
// in `space`. Ignores mappings whose file offsets equal their file addresses,
// because they do not help to decide.
double ShareOf(std::span<const UnknownAddresses> mappings, AddressSpace space) {
  CallCheck sum;
  for (const UnknownAddresses& mapping : mappings) {
    if (AreTheSame(mapping)) continue;
    const CallCheck check =
        CheckCalls(*mapping.image, space, mapping.return_addresses);
    // CheckCalls() counts only the addresses for which the file has bytes. All
    // others cannot be code, so they count as addresses that follow no call.
    sum.checked += static_cast<uint32_t>(mapping.return_addresses.size());
    sum.after_call += check.after_call;
  }
  return sum.Share();
}

// Counts the return addresses for which the byte before is not in code of
// `image`.
uint32_t CountOutside(const ElfImage& image, AddressSpace space,
                      std::span<const uint64_t> return_addresses) {
  const auto is_outside = [&](uint64_t address) {
    if (space == AddressSpace::kFileAddress)
      return !image.IsExecutable(address - 1);
    const auto call = image.FileAddressOf(address - 1);
    return !call || !image.IsExecutable(*call);
  };
  switch (space) {
    case AddressSpace::kFileOffset:
      // The file offsets of the binary's code are missing in a debug file.
      // ElfImage::PlaceCode() supplies them, but only if exactly one PT_LOAD
      // segment is executable. Otherwise nothing can be counted.
      if (image.IsDebugFile() &&
          std::ranges::count_if(image.load_segments(),
                                &LoadSegment::executable) != 1)
        return 0;
      [[fallthrough]];
    case AddressSpace::kFileAddress:
      return static_cast<uint32_t>(
          std::ranges::count_if(return_addresses, is_outside));
    case AddressSpace::kUnknown:  // may be runtime addresses
    case AddressSpace::kRuntime:
      break;
  }
  return 0;
}

}  // namespace

std::optional<AddressSpace> RecognizeAddresses(
    std::span<const UnknownAddresses> mappings) {
  using enum AddressSpace;
  if (std::ranges::all_of(mappings, AreTheSame)) return kFileAddress;
  bool offsets_fit = true;
  bool addresses_fit = true;
  for (const UnknownAddresses& mapping : mappings) {
    offsets_fit &= Fits(mapping, kFileOffset);
    addresses_fit &= Fits(mapping, kFileAddress);
  }
  if (offsets_fit != addresses_fit)
    return offsets_fit ? kFileOffset : kFileAddress;
  const double offsets = ShareOf(mappings, kFileOffset);
  const double addresses = ShareOf(mappings, kFileAddress);
  if ((offsets >= kSameBuildShare) == (addresses >= kSameBuildShare))
    return std::nullopt;
  return offsets > addresses ? kFileOffset : kFileAddress;
}

BuildCheck CheckBuild(const ElfImage& image, AddressSpace space,
                      std::span<const uint64_t> return_addresses) {
  BuildCheck check = {.calls = CheckCalls(image, space, return_addresses),
                      .count = static_cast<uint32_t>(return_addresses.size()),
                      .outside = CountOutside(image, space, return_addresses)};
  // CheckCalls() counts only the addresses for which the file has bytes. If the
  // file has bytes for some addresses, the others cannot be code, so they count
  // as addresses that follow no call. If it has bytes for none, nothing can be
  // checked.
  if (check.calls.checked != 0) check.calls.checked = check.count;
  return check;
}

std::optional<std::string> WhyAnotherBuild(const ElfImage& image,
                                           const BuildCheck& check,
                                           const WantedFile& wanted) {
  if (!wanted.build_id.empty() && !image.build_id().empty()) {
    if (image.build_id() == wanted.build_id) return std::nullopt;
    return fmt::format("another build: expected build id {}, found {}",
                       wanted.build_id, image.build_id());
  }
  const CallCheck& calls = check.calls;
  // If no address at all is in code, the file is wrong, even if there is only a
  // single address.
  const bool has_no_code = check.count != 0 && check.outside == check.count;
  const bool has_no_call = calls.checked != 0 && calls.after_call == 0;
  if (has_no_code || (has_no_call && !wanted.has_its_name))
    return fmt::format("not the {}: none of its {} return addresses {}",
                       wanted.what, check.count,
                       image.IsDebugFile() ? "is in the file's code"
                                           : "follows a call instruction");
  if (calls.checked < kFewest) return std::nullopt;
  const double least = calls.checked < CallCheck::kMinimum
                           ? kSameBuildShareOfFew
                           : kSameBuildShare;
  if (calls.Share() >= least) return std::nullopt;
  // Another build of the program would have about as much code, so this is a
  // different file.
  if (2 * check.outside > check.count)
    return fmt::format(
        "not the {}: {} of its {} return addresses are outside the file's code",
        wanted.what, check.outside, check.count);
  return calls.after_call == 0
             ? fmt::format(
                   "not the {}: none of its {} return addresses "
                   "follows a call instruction",
                   wanted.what, calls.checked)
             : fmt::format(
                   "not the {}: only {} of its {} return addresses "
                   "follow a call instruction",
                   wanted.what, calls.after_call, calls.checked);
}

}  // namespace heapprof
