// SPDX-License-Identifier: Apache-2.0
//
// The answers for all addresses of a file at once: what AddressResolver says
// of each address, as pieces of code within which nothing changes. Made for
// indexes; a profile asks for far fewer addresses.
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

// A function with code, or a call inlined into one.
struct MapNode {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t function = 0;    // index into CodeMap::functions, each once
  uint32_t parent = kNone;  // what the call is inlined into: a lower index
  // Copies of one function may be described in several ways. Of nodes of one
  // group, if it is not 0, the one met first names the function of all: in the
  // order of addresses, from the innermost frame outwards.
  uint32_t group = 0;
  // Of an inlined call: where it is called from.
  uint32_t file = 0;  // index into CodeMap::files
  uint32_t line = 0;
  uint32_t column = 0;
  uint64_t entry_address = 0;  // of a function: where it is entered, or 0
};

// Holds up to the next segment, or to the end of the stretch.
struct MapSegment {
  uint64_t start = 0;
  uint32_t node = 0;
  uint32_t file = 0;
  uint32_t line = 0;
  uint32_t column = 0;
};

// A run of segments without a gap.
struct MapStretch {
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t first_segment = 0;
  uint32_t segment_count = 0;
};

struct CodeMap {
  std::vector<std::string> files = {""};
  // Each once. They point into `texts` and into what the engine that made the
  // map has open.
  std::vector<std::string_view> names;
  // Of names, by index: what later runs need not demangle. Empty, or like the
  // name itself, where there is nothing to be kept. The caller keeps the texts.
  std::vector<std::string_view> demangled_names = {};
  std::deque<std::string> texts;
  std::vector<MapFunction> functions;
  // Of nodes and segments there may be tens of millions.
  std::deque<MapNode> nodes;
  std::deque<MapSegment> segments;
  // By start, without overlaps. Outside of them nothing is known.
  std::vector<MapStretch> stretches;
};

}  // namespace heapprof
