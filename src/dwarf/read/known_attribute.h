// SPDX-License-Identifier: Apache-2.0
//
// The attributes that are read of functions and inlined subroutines, numbered
// without gaps: those of their code, then those that describe a function.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heapprof {

enum class KnownAttribute : uint8_t {
  kLowPc,
  kHighPc,
  kRanges,
  kEntryPc,
  kCallFile,
  kCallLine,
  kCallColumn,
  kAbstractOrigin,
  kSpecification,
  kLinkageName,
  kName,
  kExternal,
  kDeclLine,
  kDeclFile,
  kOther,
};
// The first so many concern code.
inline constexpr size_t kCodeAttributeCount = 9;

// Of a DW_AT_*.
KnownAttribute KnownAttributeOf(uint64_t attribute);

}  // namespace heapprof
