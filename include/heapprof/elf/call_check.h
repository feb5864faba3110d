// SPDX-License-Identifier: Apache-2.0
//
// Checks whether return addresses fit a file. In the file that ran, almost
// every return address follows a call instruction; in another build of it, few
// return addresses do. Heap dumps have no build ids, so for them this check is
// the only evidence that a file is the one that ran.
//
// A stack in a signal handler has two addresses that follow no call: where the
// handler returns to, and where the signal interrupted the thread. The former,
// and the latter if it follows a system call, count as following a call.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct CallCheck {
  uint32_t checked = 0;     // addresses for which the file has bytes
  uint32_t after_call = 0;  // of these, how many follow a call instruction

  // If fewer than kMinimum addresses are checked, the result proves little.
  static constexpr uint32_t kMinimum = 8;
  double Share() const {
    return checked == 0 ? 0 : static_cast<double>(after_call) / checked;
  }
};

// `return_addresses` are addresses in the file, without a load bias. Looks for
// a call instruction of x86-64, x86 or aarch64 right before each of them. For
// other machines, `checked` stays 0.
CallCheck CheckReturnAddresses(const ElfImage& image,
                               std::span<const uint64_t> return_addresses);

// Returns the addresses in the code sections of `image` that follow a call
// instruction, or bytes that look like one; sorted. `jobs` threads read the
// code. Returns none for machines that CheckReturnAddresses() does not know.
std::vector<uint64_t> FindReturnAddresses(const ElfImage& image, unsigned jobs);

}  // namespace heapprof
