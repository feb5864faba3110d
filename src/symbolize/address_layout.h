// SPDX-License-Identifier: Apache-2.0
//
// Decides what the addresses of a profile mean if it does not say where its
// files were mapped. rust-jemalloc-pprof 0.8.0 wrote file offsets, 0.8.1 file
// addresses, both with mappings from 0 to 0. Where offset and address are
// different numbers, the file tells which of them is code.
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

// The return addresses of one mapping.
struct UnknownAddresses {
  const ElfImage* image = nullptr;
  uint32_t segment = 0;  // see Mapping::segment
  std::vector<uint64_t> return_addresses = {};
};

// Returns file offsets or file addresses, for all mappings of a profile at
// once, since one program wrote them. First checks which of the two are inside
// PT_LOAD segments, then which of the two follow calls. Nothing if neither
// check decides.
std::optional<AddressSpace> RecognizeAddresses(
    std::span<const UnknownAddresses> mappings);

// How well return addresses fit a file.
struct BuildCheck {
  CallCheck calls;       // of all addresses, or of none if none has bytes
  uint32_t count = 0;    // number of addresses
  uint32_t outside = 0;  // addresses that are not in code of the file
};
BuildCheck CheckBuild(const ElfImage& image, AddressSpace space,
                      std::span<const uint64_t> return_addresses);

// The file that a mapping needs.
struct WantedFile {
  std::string_view build_id;  // empty if unknown
  std::string_view what;      // for the message: "program that wrote the dump"
  // True if the file has the name of the one that ran. If not, at least one
  // address must fit, even if there are only a few.
  bool has_its_name = true;
};
// Says why `image` is not the file that ran as a mapping; nothing if it fits.
// The build ids decide if both are known, otherwise how well the addresses fit.
std::optional<std::string> WhyAnotherBuild(const ElfImage& image,
                                           const BuildCheck& check,
                                           const WantedFile& wanted);

}  // namespace heapprof
