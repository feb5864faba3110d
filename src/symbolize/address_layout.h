// SPDX-License-Identifier: Apache-2.0
//
// Checks how well addresses fit an ELF file.
//
// Also decides what the addresses of a profile mean if the profile does not say
// where its files were mapped. They may be file offsets, as rust-jemalloc-pprof
// 0.8.0 wrote, or file addresses (virtual addresses of the ELF file), as
// version 0.8.1 wrote; both versions wrote mappings from 0 to 0. If the file
// offsets of a file's code differ from its file addresses, the file shows which
// of the two the addresses are.
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

// The return addresses of one mapping. It is not known whether they are file
// offsets or file addresses.
struct UnknownAddresses {
  const ElfImage* image = nullptr;
  uint32_t segment = 0;  // see Mapping::segment
  std::vector<uint64_t> return_addresses = {};
};

// Returns whether the addresses are file offsets (kFileOffset) or file
// addresses (kFileAddress). There is one answer for all mappings of a profile,
// because one program wrote them. Assumes each of the two in turn. First checks
// whether all addresses are then inside PT_LOAD segments; if this holds for
// both or for neither, checks whether the addresses then follow calls. Returns
// nothing if this does not decide either.
std::optional<AddressSpace> RecognizeAddresses(
    std::span<const UnknownAddresses> mappings);

// Says how well return addresses fit a file.
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
  // True if the candidate has the file name of the file that ran. A candidate
  // with another name is rejected if no return address follows a call, even if
  // there are only a few addresses.
  bool has_its_name = true;
};
// Says why `image`, the candidate, is not the file that `wanted` describes;
// nothing if it is. If the build ids of both are known, compares them;
// otherwise decides by how well the return addresses fit (`check`).
std::optional<std::string> WhyAnotherBuild(const ElfImage& image,
                                           const BuildCheck& check,
                                           const WantedFile& wanted);

}  // namespace heapprof
