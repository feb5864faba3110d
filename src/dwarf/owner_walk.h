// SPDX-License-Identifier: Apache-2.0
//
// Finds, for a set of addresses, the function of a unit that owns each and the
// inlined calls around it, in one walk or in several side by side.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dwarf/abbreviations.h"
#include "dwarf/address_owners.h"
#include "dwarf/compilation_unit.h"
#include "dwarf/function_walk.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Finds who owns each of a set of addresses.
class OwnerSink : public CodeSink {
 public:
  // `addresses` are sorted and outlive this object.
  explicit OwnerSink(std::span<const uint64_t> addresses)
      : owners_(addresses) {}

  uint32_t AddFunction(const FunctionNode& function,
                       std::span<const AddressRange> ranges) override;
  uint32_t AddInlinedCall(const FunctionNode& call,
                          std::span<const AddressRange> ranges) override;

  bool is_complete() const override { return owners_.is_complete(); }
  // See AddressOwners.
  bool exhausted() const { return owners_.exhausted(); }
  // See AddressOwners.
  bool Append(const OwnerSink& later);
  std::vector<FunctionNode> TakeNodes() { return std::move(nodes_); }
  std::vector<uint32_t> TakeInnermost() {
    return std::move(owners_).TakeInnermost();
  }

 private:
  AddressOwners owners_;
  std::vector<FunctionNode> nodes_;
};

struct FunctionWalk {
  std::vector<FunctionNode> nodes;
  // Per address, the innermost node there, or AddressOwners::kNone.
  std::vector<uint32_t> innermost;
  UnitScan scan;
};

// `addresses` are sorted.
FunctionWalk WalkFunctions(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           std::span<const uint64_t> addresses,
                           const ElfImage& binary);

struct WalkPart {
  OwnerSink sink;
  ScannedPart scanned = {};
};

WalkPart WalkFunctionsIn(UnitPart place, const UnitReader& reader,
                         const AbbreviationTable& abbreviations,
                         std::span<const uint64_t> addresses,
                         const ElfImage& binary);

// What WalkFunctions() finds, from the parts of the whole unit in order.
// Nothing if only that can tell: see JoinScans().
std::optional<FunctionWalk> JoinParts(std::vector<WalkPart> parts,
                                      const UnitReader& reader,
                                      const AbbreviationTable& abbreviations,
                                      const ElfImage& binary);

}  // namespace heapprof
