// SPDX-License-Identifier: Apache-2.0
//
// The scan of a unit or of a chunk of it (see unit_scan.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/read/range_list.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/shared/innermost_functions.h"
#include "dwarf/units/code_attributes.h"
#include "dwarf/units/function_sink.h"
#include "dwarf/units/scope_tree.h"
#include "dwarf/units/unit_scan.h"
#include "heapprof/base/little_endian_cursor.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Which DIEs a scan skips, with all of their children.
enum class Skipping : uint8_t {
  kNothing,
  // Declarations of functions, and types outside of functions. They have no
  // code in practice.
  kDeclarations,
  // All that the sink does not need (see unit_scan.h).
  kMost,
};

// The limit on the range list entries that a scan of the unit may read.
uint64_t RangeBudgetOf(const CompilationUnit& unit);

// Sorts by origin, and keeps only the first entry PC of each origin.
std::vector<EntryPc> OnePerOrigin(std::vector<EntryPc> entry_pcs);

// The functions of unit_scan.h each make one of these for one call.
class UnitScanner {
 public:
  // All arguments must outlive this object. Without a sink, only Run(),
  // ScopesOf() and CollectRanges() may be called.
  UnitScanner(const UnitReader& reader, const AbbreviationTable& abbreviations,
              const ElfImage& binary, uint64_t range_budget, FunctionSink* sink)
      : reader_(reader),
        abbreviations_(abbreviations),
        sink_(sink),
        ranges_(reader, binary, range_budget) {}

  UnitScan Run();
  ScannedChunk RunChunk(UnitChunk chunk);
  // Returns the entry PCs in those of the DIEs that may have code in practice.
  std::vector<EntryPc> ReadSkipped(std::span<const SkippedDies> skipped);
  ScopeTree ScopesOf(const SkippedDies& skipped);
  // Returns the code of all functions.
  std::vector<AddressRange> CollectRanges();
  uint64_t range_budget() const { return ranges_.budget(); }
  const std::string& problem() const { return result_.problem; }

 private:
  // A DIE whose children are being read, and what applies to these children.
  struct Level {
    uint32_t node = InnermostFunctions::kNone;
    bool is_scope = false;
    bool is_in_function = false;
    bool is_top = false;   // the root, or a namespace directly in such a DIE
    uint64_t sibling = 0;  // DW_AT_sibling of the DIE; 0 if it has none
    // If the children are inside of a nested function, which is recorded as
    // skipped with all of its DIEs: the offset of that function; else 0.
    uint64_t skipped_function = 0;
  };

  void ScanDies(const SkippedDies& dies, bool is_root);
  void StartAt(const SkippedDies& dies);
  void ReadDies(bool is_root);
  bool IsAtTop() const { return levels_.empty() || levels_.back().is_top; }
  std::optional<ChunkBoundary> FindBoundary(uint64_t offset);
  bool SkipChildren(const Abbreviation& abbreviation);
  void Resume(const ChunkBoundary& boundary);
  void CloseLevel(uint64_t end);
  Level InheritLevel() const;
  void SkipCallSite(const Abbreviation& abbreviation);
  void VisitDie(const Abbreviation& abbreviation, uint64_t die);
  bool VisitScope(const Abbreviation& abbreviation, uint64_t die, Level& level);
  std::optional<uint64_t> SiblingOf(const Abbreviation& abbreviation) const;
  void Prefetch(uint64_t offset);
  bool SkipSubtree(const Abbreviation& abbreviation, uint64_t die);
  bool MaySkipScope(const Abbreviation& abbreviation, const Level& level) const;
  bool skips_most() const { return skipping_ == Skipping::kMost; }
  std::vector<EntryPc> TakeEntryPcs() {
    return OnePerOrigin(std::exchange(result_.entry_pcs, {}));
  }
  CodeAttributes ReadCode(const Abbreviation& abbreviation,
                          FunctionNode& node) {
    return ReadCodeAttributes(reader_, abbreviations_, abbreviation, cursor_,
                              node);
  }
  void ReadRanges(const CodeAttributes& code);
  void AddRangesInside(const Abbreviation& abbreviation);
  uint32_t EnterFunction(const Abbreviation& abbreviation, uint64_t die);
  uint32_t EnterInlinedSubroutine(const Abbreviation& abbreviation,
                                  uint64_t die, uint32_t parent);
  uint64_t FindEntryPc(const CodeAttributes& code) const;

  const UnitReader& reader_;
  const AbbreviationTable& abbreviations_;
  FunctionSink* sink_;
  RangeListReader ranges_;
  LittleEndianCursor cursor_;
  ScopeRecorder scopes_;
  std::vector<Level> levels_;  // for each DIE whose children are being read
  std::vector<uint64_t> top_;  // the DIEs of the levels with is_top
  // The scan ends at the first boundary at or after this offset.
  uint64_t stop_ = UINT64_MAX;
  Skipping skipping_ = Skipping::kNothing;
  bool starts_in_function_ = false;
  // True if only DIEs without children came after the last skip, or after the
  // start of the chunk. The next skip then extends the last run of skipped
  // DIEs, which may be that of the previous chunk.
  bool extends_last_skip_ = false;
  bool continues_skip_ = false;        // see ScannedChunk
  bool has_damaged_children_ = false;  // see SkipChildren()
  uint64_t prefetched_end_ = 0;
  UnitScan result_;
  std::vector<AddressRange> ranges_of_die_;  // a member to reuse its memory
};

}  // namespace heapprof
