// SPDX-License-Identifier: Apache-2.0
//
// Decides what the addresses of a profile mean if the profile does not say
// where its files were mapped. They may be file offsets, as rust-jemalloc-pprof
// 0.8.0 wrote, or file addresses, as version 0.8.1 wrote; both versions wrote
// mappings from 0 to 0. If a file has code whose offset and address differ, the
// file shows which of the two fits.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/elf/call_check.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// The return addresses of one mapping, which are file offsets or file
// addresses.
struct UnknownAddresses {
  const ElfImage* image = nullptr;
  uint32_t segment = 0;  // see Mapping::segment
  std::vector<uint64_t> return_addresses = {};
};

// Returns kFileOffset or kFileAddress: one answer for all mappings of a
// profile, because one program wrote them. First checks in which form all
// addresses are inside PT_LOAD segments, then in which form they follow calls.
// Nothing if neither check decides.
std::optional<AddressSpace> RecognizeAddresses(
    std::span<const UnknownAddresses> mappings);

// How well return addresses fit a file.
struct BuildCheck {
  CallCheck calls;       // `checked` is `count`, or 0 if no address has bytes
  uint32_t count = 0;    // number of addresses
  uint32_t outside = 0;  // addresses that are not in code of the file
};
BuildCheck CheckBuild(const ElfImage& image, AddressSpace space,
                      std::span<const uint64_t> return_addresses);

// The file that a mapping needs.
struct WantedFile {
  std::string_view build_id;  // empty if unknown
  std::string_view what;      // for the message: "program that wrote the dump"
  // True if the file has the same file name as the file that ran. If not, at
  // least one return address must follow a call, even if there are only a few.
  bool has_its_name = true;
};
// Says why `image` is not the file that `wanted` describes; nothing if it is.
// If both build ids are known, they decide; otherwise it depends on how well
// the return addresses fit.
std::optional<std::string> WhyAnotherBuild(const ElfImage& image,
                                           const BuildCheck& check,
                                           const WantedFile& wanted);

}  // namespace heapprof
