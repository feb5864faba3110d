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

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/shared/address_owners.h"
#include "dwarf/units/function_walk.h"
#include "dwarf/units/padding.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Finds who owns each of a set of addresses.
class OwnerSink : public CodeSink {
 public:
  // `addresses` are sorted; they and `find_padding` outlive this object. If
  // that is null, nothing counts as padding.
  explicit OwnerSink(std::span<const uint64_t> addresses,
                     const PaddingSearch* find_padding = nullptr)
      : owners_(addresses), find_padding_(find_padding) {}

  uint32_t AddFunction(const FunctionNode& function,
                       std::span<const AddressRange> ranges) override;
  uint32_t AddInlinedCall(const FunctionNode& call,
                          std::span<const AddressRange> ranges) override;

  bool IsComplete(std::span<const AddressRange> code) override;
  // The addresses, by index, that deferred entries were to be read for.
  std::vector<uint32_t> TakeAwaited() { return std::move(awaited_); }
  // See AddressOwners.
  bool exhausted() const { return owners_.exhausted(); }
  // See AddressOwners.
  bool Append(const OwnerSink& later);
  std::vector<FunctionNode> TakeNodes() { return std::move(nodes_); }
  std::vector<uint32_t> TakeInnermost();

 private:
  AddressOwners owners_;
  const PaddingSearch* find_padding_;
  uint32_t padding_ = AddressOwners::kNone;  // stands for who owns that
  std::vector<uint32_t> awaited_;
  std::vector<FunctionNode> nodes_;
};

struct FunctionWalk {
  std::vector<FunctionNode> nodes;
  // Per address, the innermost node there, or AddressOwners::kNone.
  std::vector<uint32_t> innermost;
  // The addresses, by index, that deferred entries were read for.
  std::vector<uint32_t> awaited;
  UnitScan scan;
};

// `addresses` are sorted.
FunctionWalk WalkFunctions(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           std::span<const uint64_t> addresses,
                           const ElfImage& binary,
                           const PaddingSearch* find_padding = nullptr);

struct WalkPart {
  OwnerSink sink;
  ScannedPart scanned = {};
};

WalkPart WalkFunctionsIn(UnitPart place, const UnitReader& reader,
                         const AbbreviationTable& abbreviations,
                         std::span<const uint64_t> addresses,
                         const ElfImage& binary,
                         const PaddingSearch* find_padding = nullptr);

// What WalkFunctions() finds, from the parts of the whole unit in order.
// Nothing if only that can tell: see JoinScans().
std::optional<FunctionWalk> JoinParts(std::vector<WalkPart> parts,
                                      const UnitReader& reader,
                                      const AbbreviationTable& abbreviations,
                                      const ElfImage& binary);

}  // namespace heapprof
