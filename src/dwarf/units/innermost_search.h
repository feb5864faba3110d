// SPDX-License-Identifier: Apache-2.0
//
// For each of a set of addresses, finds the innermost function of a unit there,
// and the functions that this function is inlined into. The unit is scanned as
// a whole, or in chunks by several threads.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/shared/innermost_functions.h"
#include "dwarf/units/padding.h"
#include "dwarf/units/unit_scan.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Receives the functions of a unit during a scan, and finds the innermost one
// at each address.
class InnermostSink : public FunctionSink {
 public:
  // `addresses` must be sorted. They and `find_padding` must outlive this
  // object. If `find_padding` is null, no code counts as padding (see
  // padding.h).
  explicit InnermostSink(std::span<const uint64_t> addresses,
                         const PaddingSearch* find_padding = nullptr)
      : innermost_functions_(addresses), find_padding_(find_padding) {}

  uint32_t AddFunction(const FunctionNode& function,
                       std::span<const AddressRange> ranges) override;
  uint32_t AddInlinedSubroutine(const FunctionNode& inlined,
                                std::span<const AddressRange> ranges) override;

  bool IsComplete(std::span<const AddressRange> code) override;
  bool HasAllCode() const override {
    return innermost_functions_.is_complete();
  }
  // Returns the indices of the addresses for which skipped DIEs (see
  // unit_scan.h) must be read.
  std::vector<uint32_t> TakeSoughtInSkipped() {
    return std::move(sought_in_skipped_);
  }
  // See InnermostFunctions::exhausted().
  bool exhausted() const { return innermost_functions_.exhausted(); }
  // See InnermostFunctions::Append().
  bool Append(const InnermostSink& later);
  std::vector<FunctionNode> TakeNodes() { return std::move(nodes_); }
  std::vector<uint32_t> TakeInnermost();

 private:
  InnermostFunctions innermost_functions_;
  const PaddingSearch* find_padding_;
  uint32_t padding_ = InnermostFunctions::kNone;  // the node of all padding
  std::vector<uint32_t> sought_in_skipped_;
  std::vector<FunctionNode> nodes_;
};

// The result of a search in a unit. The number of a function or inlined
// subroutine is its index in `nodes`.
struct InnermostNodes {
  std::vector<FunctionNode> nodes;
  // For each address, the index of the innermost node there, or
  // InnermostFunctions::kNone.
  std::vector<uint32_t> innermost;
  // The indices of the addresses for which skipped DIEs (see unit_scan.h) were
  // read.
  std::vector<uint32_t> sought_in_skipped;
  UnitScan scan;
};

// Scans a unit as a whole. `addresses` must be sorted.
InnermostNodes FindInnermost(const UnitReader& reader,
                             const AbbreviationTable& abbreviations,
                             std::span<const uint64_t> addresses,
                             const ElfImage& binary,
                             const PaddingSearch* find_padding = nullptr);

// The innermost functions found in one chunk of a unit.
struct InnermostChunk {
  InnermostSink sink;
  ScannedChunk scanned = {};
};

InnermostChunk FindInnermostInChunk(
    UnitChunk chunk, const UnitReader& reader,
    const AbbreviationTable& abbreviations, std::span<const uint64_t> addresses,
    const ElfImage& binary, const PaddingSearch* find_padding = nullptr);

// Joins all chunks of a unit, in their order, into what FindInnermost() returns
// for the unit. Returns nothing if that is not possible (see JoinChunks()). The
// unit must then be scanned as a whole.
std::optional<InnermostNodes> JoinInnermostChunks(
    std::vector<InnermostChunk> chunks, const UnitReader& reader,
    const AbbreviationTable& abbreviations, const ElfImage& binary);

}  // namespace heapprof
