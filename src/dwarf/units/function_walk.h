// SPDX-License-Identifier: Apache-2.0
//
// One walk over the entries of a unit that finds its functions with code, the
// calls inlined into them, and the scopes around them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/shared/address_owners.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/units/scope_tree.h"
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
  // True if deferred entries need not be read. `code` is that of all functions
  // that are not deferred. Called once, behind the last of these.
  virtual bool IsComplete(std::span<const AddressRange> /*code*/) {
    return false;
  }
  // Returns the number that the calls inlined into it name as their parent,
  // or AddressOwners::kNone: they are not read.
  virtual uint32_t AddFunction(const FunctionNode& function,
                               std::span<const AddressRange> ranges) = 0;
  // The same of a call inlined into `call.parent`.
  virtual uint32_t AddInlinedCall(const FunctionNode& call,
                                  std::span<const AddressRange> ranges) = 0;
};

// Lets a scan find the entries of functions, and nothing else.
class EntrySink : public CodeSink {
 public:
  uint32_t AddFunction(const FunctionNode& /*function*/,
                       std::span<const AddressRange> /*ranges*/) override {
    return AddressOwners::kNone;
  }
  uint32_t AddInlinedCall(const FunctionNode& call,
                          std::span<const AddressRange> /*ranges*/) override {
    return call.parent;
  }
};

// What a walk finds besides code.
struct UnitScan {
  ScopeTree scopes;  // but for those inside of deferred entries
  std::vector<FunctionEntry> entries;  // by origin, each once
  std::string problem;                 // why the rest of the unit was not read
  std::vector<DeferredEntries> deferred;  // by offset
  std::string deferred_problem;           // why the rest of those was not read
  // The same of what is deferred, if it was read.
  std::optional<std::vector<FunctionEntry>> deferred_entries;
  std::vector<AddressRange> code;  // of all functions that are not deferred
};

// Walks over all entries of a unit. Without a sink only the scopes are found,
// and nothing is deferred.
UnitScan ScanUnit(const UnitReader& reader,
                  const AbbreviationTable& abbreviations,
                  const ElfImage& binary, CodeSink* sink);

// A large unit is walked in parts, side by side. They meet at cuts: in front
// of the children of the root or of a namespace. What a part is in need of
// from those in front of it is only what encloses its first entry, and to find
// that takes a step over each of their entries, or a jump where there is
// DW_AT_sibling.
struct WalkCut {
  uint64_t offset = 0;              // in .debug_info
  std::vector<uint64_t> open = {};  // the root and the namespaces around it

  bool operator==(const WalkCut&) const = default;
};

// From the first cut at or behind `start` to the first at or behind `end`,
// offsets in .debug_info.
struct UnitPart {
  uint64_t start = 0;
  uint64_t end = UINT64_MAX;
};

struct ScannedPart {
  UnitScan scan = {};  // with all copies of entries, and nothing of deferred
  WalkCut start = {};
  WalkCut end = {};
  // Its first deferred entries follow on what was jumped over last in front of
  // it, and there was nothing between that had to be read.
  bool continues_run = false;
  bool is_run_open = false;  // the same may be true of what comes behind it
  uint64_t ranges_read = 0;
};

ScannedPart ScanPart(UnitPart place, const UnitReader& reader,
                     const AbbreviationTable& abbreviations,
                     const ElfImage& binary, CodeSink& sink);

// The scan of a whole unit, from its parts in order. `sink` has all that they
// have found, and takes what is deferred. Nothing if the parts do not fit each
// other, or if something is wrong with the unit: what that is may depend on how
// far a single scan gets. Where a single one would have deferred some of what
// the parts have read, damage to its neighbours matters: `check_deferred`.
std::optional<UnitScan> JoinScans(std::span<ScannedPart> parts,
                                  const UnitReader& reader,
                                  const AbbreviationTable& abbreviations,
                                  const ElfImage& binary, CodeSink& sink,
                                  bool check_deferred);

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
