// SPDX-License-Identifier: Apache-2.0
//
// A CodeMap holds the answers of an AddressResolver for every address of a
// file, as ranges of code that have one answer each. It is the content of an
// index: the cache file that saves later runs from reading the DWARF again. A
// single profile needs the answers for far fewer addresses. Therefore Resolve()
// looks up only these addresses, without making a map.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// The name and the declaration of a function, as in SourceFunction
// (address_resolver.h).
struct MapFunction {
  uint32_t name = 0;       // index into CodeMap::names
  bool is_scoped = false;  // `name` is a scoped name, not a linkage name
  uint32_t file = 0;       // index into CodeMap::files
  uint32_t start_line = 0;

  bool operator==(const MapFunction&) const = default;
};

// A function with code, or an inlined subroutine.
struct MapNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t function = 0;  // index into CodeMap::functions
  // The index of the node into which this node is inlined. It is lower than the
  // index of this node.
  uint32_t parent = kNone;
  // The debug information may describe one function in several ways, for
  // example in different units. All nodes of this function then have the same
  // group number; 0 means no group. If the addresses of a profile are in
  // several nodes of a group, all of these are shown with the `function` of the
  // first one: the node at the lowest address or, at one address, the innermost
  // node.
  uint32_t group = 0;
  // The call site, if the node is an inlined subroutine.
  uint32_t file = 0;  // index into CodeMap::files
  uint32_t line = 0;
  uint32_t column = 0;
  uint64_t entry_pc = 0;  // of an out-of-line function; 0 if not known
};

// The innermost node from the address `start` on, and the source position
// there. A row is valid up to the next row, or to the end of its MapRange.
struct MapRow {
  uint64_t start = 0;
  uint32_t node = 0;
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
};

// Contiguous code, and its rows: `row_count` elements of CodeMap::rows from
// index `first_row` on.
struct MapRange {
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t first_row = 0;
  uint32_t row_count = 0;
};

struct CodeMap {
  std::vector<std::string> files = {""};
  // The names of functions, without duplicates. A name points into `texts` or
  // into a file that the engine keeps open.
  std::vector<std::string_view> names;
  // The demangled form of each name in `names`, so that runs that use the index
  // need not demangle. It equals the name if that cannot be demangled. The
  // vector may be empty. An element that is empty is not stored in the index.
  // The code that sets the elements owns their texts.
  std::vector<std::string_view> demangled_names = {};
  std::deque<std::string> texts;
  std::vector<MapFunction> functions;
  // These are deques, which grow without copying their elements, because there
  // may be tens of millions of nodes and rows.
  std::deque<MapNode> nodes;
  std::deque<MapRow> rows;
  // Sorted by start, without overlaps. Addresses outside of all ranges have no
  // answer.
  std::vector<MapRange> ranges;
};

}  // namespace heapprof
