// SPDX-License-Identifier: Apache-2.0
//
// The attributes that we read from DIEs of functions and inlined subroutines,
// numbered without gaps: first the attributes that describe code, then those
// that name and locate a function in the source.
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
  kSignature,
  kOther,
};
// The number of attributes that describe code.
inline constexpr size_t kCodeAttributeCount = 9;

// Returns the KnownAttribute for `attribute` (a DW_AT_*); kOther if we do not
// read this attribute.
KnownAttribute KnownAttributeOf(uint64_t attribute);

}  // namespace heapprof
