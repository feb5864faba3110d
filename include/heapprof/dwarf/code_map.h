// SPDX-License-Identifier: Apache-2.0
//
// What AddressResolver answers for every address of a file, as ranges of code
// with one answer each. Indexes are made from this map; a profile needs far
// fewer addresses.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// A function as SourceFunction describes it.
struct MapFunction {
  uint32_t name = 0;       // index into CodeMap::names
  bool is_scoped = false;  // a scoped name, not a linkage name
  uint32_t file = 0;       // index into CodeMap::files
  uint32_t start_line = 0;

  bool operator==(const MapFunction&) const = default;
};

// A function with code, or a subroutine inlined into one.
struct MapNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t function = 0;    // index into CodeMap::functions
  uint32_t parent = kNone;  // the node it is inlined into: a lower index
  // Nodes whose `function`s describe the same function differently share a
  // group; 0 is no group. An answer shows all nodes of a group with the
  // function of the first one that it contains, in the order of addresses and
  // from the innermost frame outwards.
  uint32_t group = 0;
  // The call site of an inlined subroutine.
  uint32_t file = 0;  // index into CodeMap::files
  uint32_t line = 0;
  uint32_t column = 0;
  uint64_t entry_pc = 0;  // of a function; 0 if not known
};

// A node and its source position, valid up to the next row or to the end of the
// range.
struct MapRow {
  uint64_t start = 0;
  uint32_t node = 0;
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
};

// Contiguous code, and its rows.
struct MapRange {
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t first_row = 0;
  uint32_t row_count = 0;
};

struct CodeMap {
  std::vector<std::string> files = {""};
  // Without duplicates. They point into `texts` and into files that the engine
  // that made the map keeps open.
  std::vector<std::string_view> names;
  // The demangled form of each of `names`, so that later runs need not
  // demangle. May be empty, and an element may be empty or equal to the name.
  // The caller owns the texts.
  std::vector<std::string_view> demangled_names = {};
  std::deque<std::string> texts;
  std::vector<MapFunction> functions;
  // There may be tens of millions of nodes and rows.
  std::deque<MapNode> nodes;
  std::deque<MapRow> rows;
  // Sorted by start, without overlaps. Addresses outside of them have no
  // answer.
  std::vector<MapRange> ranges;
};

}  // namespace heapprof
