// SPDX-License-Identifier: Apache-2.0
//
// What are the addresses of a profile that does not say where its files were
// mapped? rust-jemalloc-pprof 0.8.0 wrote offsets in the file, 0.8.1 addresses
// as the ELF file states them, both with mappings of 0 to 0. Where the two are
// not the same number, the file tells which of them is code.
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

// Those of one mapping.
struct UnknownAddresses {
  const ElfImage* image = nullptr;
  uint32_t segment = 0;  // see Mapping::segment
  std::vector<uint64_t> return_addresses = {};
};

// File offsets or file addresses: one answer for all mappings of a profile,
// since one program wrote them. First the segment that must hold all addresses
// decides, then the calls in front of them. Nothing if neither can.
std::optional<AddressSpace> RecognizeAddresses(
    std::span<const UnknownAddresses> mappings);

// How well return addresses fit a file.
struct BuildCheck {
  CallCheck calls;       // of all addresses, unless there are no bytes to read
  uint32_t count = 0;    // of addresses
  uint32_t outside = 0;  // that are in no code of the file
};
BuildCheck CheckBuild(const ElfImage& image, AddressSpace space,
                      std::span<const uint64_t> return_addresses);

// Why `image` is not the file that ran as a mapping; nothing if it fits. The
// build id decides where both have one, else how well the addresses fit.
struct WantedFile {
  std::string_view build_id;  // empty: not known
  std::string_view what;      // for the message: "program that wrote the dump"
  // Whether the file is called as the one that ran. Where it is not, one of a
  // few addresses must fit.
  bool has_its_name = true;
};
std::optional<std::string> WhyAnotherBuild(const ElfImage& image,
                                           const BuildCheck& check,
                                           const WantedFile& wanted);

}  // namespace heapprof
