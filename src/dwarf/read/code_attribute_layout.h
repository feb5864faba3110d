// SPDX-License-Identifier: Apache-2.0
//
// Says where the DIE of a function or an inlined subroutine has the attributes
// that describe code, if the DIE has a fixed size. A file has millions of such
// DIEs, and most of their attributes are not needed. A layout makes it possible
// to read the needed ones without stepping through the others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "dwarf/read/known_attribute.h"

namespace heapprof {

// Where one attribute is in the DIE. Kept small, because a large file has tens
// of thousands of layouts.
struct AttributePlace {
  uint16_t form = 0;     // 0: the DIE lacks this attribute
  uint16_t offset = 0;   // from the end of the abbreviation code
  uint8_t size = 0;      // at most 8
  int32_t constant = 0;  // the value, if it takes no bytes in the DIE

  // Returns the attribute's value. `bits` are the 8 bytes of the DIE from
  // `offset` on.
  uint64_t ValueIn(uint64_t bits) const {
    static constexpr std::array<uint64_t, 9> kMasks = [] {
      std::array<uint64_t, 9> masks = {};
      for (size_t i = 1; i < masks.size(); ++i)
        masks[i] = UINT64_MAX >> (64 - 8 * i);
      return masks;
    }();
    return (bits & kMasks[size]) | static_cast<uint64_t>(int64_t{constant});
  }
};

using CodeAttributeLayout =
    std::array<AttributePlace, kCodeAttributeCount>;  // by KnownAttribute

}  // namespace heapprof
