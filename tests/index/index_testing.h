// SPDX-License-Identifier: Apache-2.0
//
// Small maps and indexes of them.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "heapprof/index/index_file.h"
#include "index/content_hash.h"
#include "index/index_format.h"

namespace heapprof {

inline std::span<const uint8_t> BytesOf(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Updates the size and the hash in the header of a changed index.
inline void Seal(std::string& bytes) {
  const uint64_t size = bytes.size();
  std::memcpy(bytes.data() + kHashedFrom, &size, sizeof(size));
  const ContentHash hash = HashContent(BytesOf(bytes).subspan(kHashedFrom));
  std::memcpy(bytes.data() + kHashOffset, hash.data(), sizeof(hash));
}

// Two functions with a gap between them. "inner" is inlined into "outer" at
// 0x1010. A cold part of "inner" follows "outer".
inline CodeMap SmallMap() {
  CodeMap map;
  map.files = {"", "/src/a.cc", "/src/a.h"};
  map.names = {"_ZN1a5outerEv", "a::(anonymous namespace)::inner", "main"};
  map.demangled_names = {"a::outer()"};
  map.functions = {{0, false, 1, 10}, {1, true, 2, 20}, {2, false, 1, 30}};
  map.nodes = {{.function = 0, .entry_pc = 0x1000},
               {.function = 1, .parent = 0, .file = 1, .line = 12, .column = 3},
               {.function = 1, .entry_pc = 0x1020},
               {.function = 2, .entry_pc = 0x2000}};
  map.rows = {{0x1000, 0, 1, 10, 1},  {0x1010, 1, 2, 21, 7},
              {0x1014, 1, 1, 0, 0},   {0x1018, 0, 1, 13, 1},
              {0x1020, 2, 2, 22, 70}, {0x2000, 3, 0, 0, 0}};
  map.ranges = {{0x1000, 0x1030, 0, 5}, {0x2000, 0x2010, 5, 1}};
  return map;
}

inline std::span<const uint8_t> SectionIn(std::string_view index,
                                          IndexSection section) {
  uint64_t place[2];  // offset and size
  std::memcpy(place,
              index.data() + kHashedFrom + sizeof(uint64_t) +
                  sizeof(place) * static_cast<size_t>(section),
              sizeof(place));
  return BytesOf(index.substr(place[0], place[1]));
}

inline IndexKey SmallKey() {
  return {.text = "binary build-id 12 size 34\n",
          .file_name = "12-34.idx",
          .label = "/bin/small",
          .split_files = "file size 56\n"};
}

inline std::string SmallIndex() {
  const CodeMap map = SmallMap();
  const auto bytes = EncodeIndex(SmallKey(), &map);
  EXPECT_TRUE(bytes) << bytes.error().message;
  return *bytes;
}

}  // namespace heapprof
