// SPDX-License-Identifier: Apache-2.0
//
// The functions with code that a scan finds in a unit, the subroutines inlined
// into them, and the interface that receives both.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "dwarf/shared/address_range.h"
#include "dwarf/shared/innermost_functions.h"

namespace heapprof {

// A function with code, or an inlined subroutine.
struct FunctionNode {
  // Offset in .debug_info of the first DIE that describes the function: a
  // function's own DIE, or the abstract origin of an inlined subroutine.
  uint64_t die = 0;
  // The DIE that all copies of the function share: the abstract origin or the
  // declaration. If there is neither, this is the function's own DIE.
  uint64_t origin = 0;
  // The number of the node that a subroutine is inlined into; kNone for a
  // function.
  uint32_t parent = InnermostFunctions::kNone;
  uint64_t entry_pc = 0;  // 0 for inlined subroutines
  // The call site of an inlined subroutine.
  std::optional<uint64_t> call_file = {};
  uint32_t call_line = 0;
  uint32_t call_column = 0;
};

// The entry PC of a function's out-of-line copy. If DWARF has no linkage name
// for the function, the symbol at this address also names the inlined copies.
struct EntryPc {
  uint64_t origin = 0;  // the function's abstract origin
  uint64_t address = 0;
};

// Receives the functions with code of a unit, and the subroutines inlined into
// them, in the order of their DIEs. Those in skipped DIEs (see unit_scan.h)
// come last.
class FunctionSink {
 public:
  virtual ~FunctionSink() = default;
  // The scan calls this once, after it has read all DIEs that it does not skip.
  // `code` is the code of all functions in these DIEs. Returns true if the
  // skipped DIEs need not be read.
  virtual bool IsComplete(std::span<const AddressRange> /*code*/) {
    return false;
  }
  // The scan calls this after it has read those of the skipped DIEs that may
  // have code in practice. Returns true if the others need not be read.
  virtual bool HasAllCode() const { return false; }
  // Adds a function, and returns the number of its node. A sink that does not
  // need the function returns InnermostFunctions::kNone; then the scan does not
  // read the subroutines inlined into it.
  virtual uint32_t AddFunction(const FunctionNode& function,
                               std::span<const AddressRange> ranges) = 0;
  // Like AddFunction(), but for a subroutine inlined into `inlined.parent`,
  // which has all of its code.
  virtual uint32_t AddInlinedSubroutine(
      const FunctionNode& inlined, std::span<const AddressRange> ranges) = 0;
};

// A sink that ignores all functions, for scans that need only entry PCs.
class EntryPcSink : public FunctionSink {
 public:
  bool HasAllCode() const override { return true; }
  uint32_t AddFunction(const FunctionNode& /*function*/,
                       std::span<const AddressRange> /*ranges*/) override {
    return InnermostFunctions::kNone;
  }
  uint32_t AddInlinedSubroutine(
      const FunctionNode& /*inlined*/,
      std::span<const AddressRange> /*ranges*/) override {
    return InnermostFunctions::kNone;
  }
};

}  // namespace heapprof
