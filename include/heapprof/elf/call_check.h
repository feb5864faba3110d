// SPDX-License-Identifier: Apache-2.0
//
// Checks whether a file fits a set of return addresses. A return address
// follows a call instruction; in the wrong build of a binary, few of them do.
// Heap dumps have no build ids, so this is the only evidence that a file is the
// one that ran.
#pragma once

#include <cstdint>
#include <span>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct CallCheck {
  uint32_t checked = 0;     // addresses for which the file has bytes
  uint32_t after_call = 0;  // of these, how many follow a call instruction

  // Fewer than kMinimum addresses prove little.
  static constexpr uint32_t kMinimum = 8;
  double Share() const {
    return checked == 0 ? 0 : static_cast<double>(after_call) / checked;
  }
};

// Looks at the bytes before each file address. Recognises calls of x86-64, x86
// and aarch64; for other machines `checked` stays 0.
CallCheck CheckReturnAddresses(const ElfImage& image,
                               std::span<const uint64_t> return_addresses);

}  // namespace heapprof
