// SPDX-License-Identifier: Apache-2.0
//
// Where the attributes of functions and inlined calls that concern their code
// are in an entry, for entries of fixed size: a file has millions, and they are
// read without a look at each attribute.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace heapprof {

struct AttributeSpec;

enum class CodeField : uint8_t {
  kLowPc,
  kHighPc,
  kRanges,
  kEntryPc,
  kAbstractOrigin,
  kSpecification,
  kCallFile,
  kCallLine,
  kCallColumn,
};
inline constexpr size_t kCodeFieldCount = 9;

// Nothing for an attribute that does not concern code.
std::optional<CodeField> CodeFieldOf(uint16_t attribute);

// The bits of the 8 bytes at `offset`, or those of a value that takes no bytes.
struct FieldPlace {
  uint64_t mask = 0;
  uint64_t constant = 0;
  uint16_t offset = 0;  // behind the code of the entry
  uint16_t form = 0;    // 0: there is no such attribute
};

using CodeLayout = std::array<FieldPlace, kCodeFieldCount>;  // by CodeField

// Nothing if not all attributes are of fixed size.
std::optional<CodeLayout> MakeCodeLayout(
    std::span<const AttributeSpec> attributes);

}  // namespace heapprof
