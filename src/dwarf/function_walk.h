// SPDX-License-Identifier: Apache-2.0
//
// One walk over the entries of a unit that finds, for a set of addresses, the
// function that owns each and the inlined calls around it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dwarf/abbreviations.h"
#include "dwarf/address_owners.h"
#include "dwarf/address_range.h"
#include "dwarf/compilation_unit.h"
#include "dwarf/scope_tree.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// A function with code, or a call inlined into one.
struct FunctionNode {
  // Offset in .debug_info of the entry that describes it first: its own, of
  // an inlined call its origin.
  uint64_t entry = 0;
  // The entry that describes all copies of the function: the abstract origin
  // or the declaration, else this one.
  uint64_t origin = 0;
  // The code that the call is inlined into.
  uint32_t parent = AddressOwners::kNone;
  // Of a function: where it is entered; 0 for inlined calls.
  uint64_t entry_address = 0;
  // Of an inlined call: where it is called from.
  std::optional<uint64_t> call_file = {};
  uint32_t call_line = 0;
  uint32_t call_column = 0;
};

// The abstract origin of a function with code of its own, and where that is
// entered: the symbol there names the inlined copies too.
struct FunctionEntry {
  uint64_t origin = 0;
  uint64_t address = 0;
};

// Entries that a walk has jumped over: types, functions without code and what
// is nested in functions, all with what is inside of them. They are more than
// half of a C++ file, and functions with code are rare there.
struct DeferredEntries {
  uint64_t start = 0;  // in .debug_info
  uint64_t end = 0;
};

// Takes the functions with code, and the calls inlined into them: those that
// are not deferred in the order of their entries, then the others in theirs.
class CodeSink {
 public:
  virtual ~CodeSink() = default;
  // True if nothing more is wanted: deferred entries need not be read.
  virtual bool is_complete() const { return false; }
  // Returns the number that the calls inlined into it name as their parent,
  // or AddressOwners::kNone: they are not read.
  virtual uint32_t AddFunction(const FunctionNode& function,
                               std::span<const AddressRange> ranges) = 0;
  // The same of a call inlined into `call.parent`.
  virtual uint32_t AddInlinedCall(const FunctionNode& call,
                                  std::span<const AddressRange> ranges) = 0;
};

// What a walk finds besides code.
struct UnitScan {
  ScopeTree scopes;  // but for those inside of deferred entries
  std::vector<FunctionEntry> entries;  // by origin, each once
  std::string problem;                 // why the rest of the unit was not read
  std::vector<DeferredEntries> deferred;  // by offset
  // The same of what is deferred, if it was read.
  std::optional<std::vector<FunctionEntry>> deferred_entries;
  std::vector<AddressRange> code;  // of all functions that are not deferred
};

// Walks over all entries of a unit. Without a sink only the scopes are found,
// and nothing is deferred.
UnitScan ScanUnit(const UnitReader& reader,
                  const AbbreviationTable& abbreviations,
                  const ElfImage& binary, CodeSink* sink);

// What an earlier scan has deferred and not read: the functions with code, and
// the scopes.
std::vector<FunctionEntry> ScanDeferred(
    const UnitReader& reader, const AbbreviationTable& abbreviations,
    const ElfImage& binary, CodeSink& sink,
    std::span<const DeferredEntries> deferred);
ScopeTree ScopesOfDeferred(const UnitReader& reader,
                           const AbbreviationTable& abbreviations,
                           const ElfImage& binary,
                           const DeferredEntries& deferred);

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

// Said of a unit that made the search for its code end early.
inline constexpr std::string_view kTooManyRanges =
    "implausibly many address ranges; the rest is not read";

// The code of all functions of a unit, taking the list entries that are read
// from `budget`.
std::vector<AddressRange> FunctionRanges(const UnitReader& reader,
                                         const AbbreviationTable& abbreviations,
                                         const ElfImage& binary,
                                         uint64_t& budget);

}  // namespace heapprof
