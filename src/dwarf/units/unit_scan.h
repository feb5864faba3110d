// SPDX-License-Identifier: Apache-2.0
//
// One pass over the DIEs of a unit that finds its functions with code, the
// subroutines inlined into them, and the scopes around them.
//
// Most DIEs are skipped at first: types, functions without code, functions
// nested in others, and inlined subroutines that the sink does not need, each
// with all of its children. They are more than half of a C++ unit and rarely
// hold code. After the rest of the unit, they are read only if the sink has not
// yet found all functions that it needs: first those that may have code in
// practice, then declarations of functions and types outside of functions.
// Compilers describe the code of a type's functions outside of the type, unless
// the type is local to a function.
//
// Threads can share a large unit: each scans a chunk, and JoinChunks() joins
// the chunks into what a single scan would have found. For example, two threads
// share this unit, with one half of its bytes each. The halves meet at offset
// 500:
//
//    11  compile unit
//    40    namespace a
//    60      function f        with children up to 480
//   480      class C           with children up to 700
//   700      function g        with children up to 900
//   900    (end of namespace a)
//   901    function h          with children up to 990
//   990  (end of the compile unit)
//
// Chunks meet only between the children of the root or of a namespace. The
// first such boundary at or after 500 is 700. Before a thread scans a chunk, it
// must find the open DIEs: those that enclose the first DIE of the chunk. To do
// so, the second thread steps through the unit from its root: past f and C in
// one jump each if they have DW_AT_sibling. At 700 it has found that the
// compile unit at 11 and the namespace at 40 are open, and it scans g and h.
// The first thread scans f, skips C and stops at 700, with the same DIEs open.
// The chunks fit: the first ends where the second starts. So their functions,
// scopes and skipped DIEs are appended to each other. If chunks do not fit, the
// unit is damaged, and is scanned again as a whole.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dwarf/read/abbreviations.h"
#include "dwarf/read/compilation_unit.h"
#include "dwarf/shared/address_range.h"
#include "dwarf/units/function_sink.h"
#include "dwarf/units/scope_tree.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

// A run of DIEs that a scan has skipped, with all of their children.
struct SkippedDies {
  uint64_t start = 0;  // in .debug_info
  uint64_t end = 0;
  std::optional<uint64_t> scope = {};  // the innermost one around them
  bool is_in_function = false;
};

// The result of a scan, except the functions, which go to the sink.
struct UnitScan {
  ScopeTree scopes;                  // without those inside of skipped DIEs
  std::vector<EntryPc> entry_pcs;    // sorted by origin, one per origin
  std::string problem;               // why the rest of the unit was not read
  std::vector<SkippedDies> skipped;  // by offset
  std::string skipped_problem;  // why the rest of the skipped DIEs was not read
  // If the skipped DIEs were read: the entry PCs in those that may have code in
  // practice.
  std::optional<std::vector<EntryPc>> skipped_entry_pcs;
  std::vector<AddressRange> code;  // of all functions outside of skipped DIEs
};

// Scans all DIEs of a unit. If `sink` is null, the scan finds only the scopes,
// and skips no DIEs.
UnitScan ScanUnit(const UnitReader& reader,
                  const AbbreviationTable& abbreviations,
                  const ElfImage& binary, FunctionSink* sink);

// Where two chunks meet.
struct ChunkBoundary {
  uint64_t offset = 0;              // in .debug_info
  std::vector<uint64_t> open = {};  // the root and the namespaces around it

  bool operator==(const ChunkBoundary&) const = default;
};

// The part of a unit from the first boundary at or after `start` to the first
// boundary at or after `end`. Both are offsets in .debug_info.
struct UnitChunk {
  uint64_t start = 0;
  uint64_t end = UINT64_MAX;
};

struct ScannedChunk {
  // Unlike the scan of a whole unit, this may have several entry PCs of one
  // origin. The skipped DIEs are recorded in `skipped`, but were not read.
  UnitScan scan = {};
  ChunkBoundary start = {};
  ChunkBoundary end = {};
  // True if this chunk's first run of skipped DIEs continues the last run of
  // the previous chunk, because no DIE between the two runs had to be read.
  bool continues_skip = false;
  // True if the next chunk may continue this chunk's last run of skipped DIEs.
  bool ends_in_skip = false;
  uint64_t ranges_read = 0;
};

ScannedChunk ScanChunk(UnitChunk chunk, const UnitReader& reader,
                       const AbbreviationTable& abbreviations,
                       const ElfImage& binary, FunctionSink& sink);

// Joins the chunks of a unit, in their order, into the scan of the whole unit.
// `sink` must already have the functions of all chunks. It also gets the
// functions in skipped DIEs if it needs them. Returns nothing if the chunks do
// not fit. Also returns nothing if the unit has a problem, because a scan of
// the whole unit might report a different one. With `check_skipped`, reads the
// skipped DIEs in any case, to find damage in them. Set it if a chunk may have
// read DIEs that a scan of the whole unit skips.
std::optional<UnitScan> JoinChunks(std::span<ScannedChunk> chunks,
                                   const UnitReader& reader,
                                   const AbbreviationTable& abbreviations,
                                   const ElfImage& binary, FunctionSink& sink,
                                   bool check_skipped);

// The two functions below read DIEs that an earlier scan has skipped.
// ScanSkipped() passes the functions with code to `sink` and returns the entry
// PCs (see UnitScan). ScopesOfSkipped() returns the scopes.
std::vector<EntryPc> ScanSkipped(const UnitReader& reader,
                                 const AbbreviationTable& abbreviations,
                                 const ElfImage& binary, FunctionSink& sink,
                                 std::span<const SkippedDies> skipped);
ScopeTree ScopesOfSkipped(const UnitReader& reader,
                          const AbbreviationTable& abbreviations,
                          const ElfImage& binary, const SkippedDies& skipped);

// Returns the code of all functions of a unit. Reads at most `budget` range
// list entries, and lowers `budget` by the number read.
std::vector<AddressRange> FunctionRanges(const UnitReader& reader,
                                         const AbbreviationTable& abbreviations,
                                         const ElfImage& binary,
                                         uint64_t& budget);

}  // namespace heapprof
