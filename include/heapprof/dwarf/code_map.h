// SPDX-License-Identifier: Apache-2.0
//
// The answers for all addresses of a file: what AddressResolver answers for
// each address, as ranges of code with one answer. Indexes are made from it; a
// profile needs far fewer addresses.
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
  bool is_scoped = false;  // the name is a scoped name, no linkage name
  uint32_t file = 0;       // index into CodeMap::files
  uint32_t start_line = 0;

  bool operator==(const MapFunction&) const = default;
};

// A function with code, or a subroutine inlined into one.
struct MapNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t function = 0;    // index into CodeMap::functions
  uint32_t parent = kNone;  // what it is inlined into: a lower index
  // Several descriptions of the same function have one group, not 0. All nodes
  // of a group are shown with the function of the node that an answer meets
  // first: in the order of addresses, and from the innermost frame outwards.
  uint32_t group = 0;
  // The call site of an inlined subroutine.
  uint32_t file = 0;  // index into CodeMap::files
  uint32_t line = 0;
  uint32_t column = 0;
  uint64_t entry_pc = 0;  // of a function; 0 if not known
};

// Holds up to the next row, or to the end of the range.
struct MapRow {
  uint64_t start = 0;
  uint32_t node = 0;
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
};

// Code without a gap, and its rows.
struct MapRange {
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t first_row = 0;
  uint32_t row_count = 0;
};

struct CodeMap {
  std::vector<std::string> files = {""};
  // Each once. They point into `texts` and into what the engine that made the
  // map has open.
  std::vector<std::string_view> names;
  // The names demangled, by index, so that later runs need not do it. May be
  // empty, and an entry may be empty or equal to the name. The caller keeps the
  // texts.
  std::vector<std::string_view> demangled_names = {};
  std::deque<std::string> texts;
  std::vector<MapFunction> functions;
  // There may be tens of millions of nodes and rows.
  std::deque<MapNode> nodes;
  std::deque<MapRow> rows;
  // By start, without overlaps. There are no answers outside of them.
  std::vector<MapRange> ranges;
};

}  // namespace heapprof
