// SPDX-License-Identifier: Apache-2.0
//
// The bytes of an index file. All numbers are little-endian; "varint" is
// LEB128, "signed varint" its zigzag form (0, -1, 1, -2 as 0, 1, 2, 3).
//
//   magic      8 bytes, "heapidx\n"
//   version    u32
//   reserved   u32, 0
//   hash       16 bytes, of all bytes after it
//   size       u64, of the file
//   sections   kSectionCount times u64 offset, u64 size
//   ...        the sections
//
// kKey     text: the files from which the index was made, a line for each. For
//          a file with a build id: "ROLE build-id ID size BYTES sample HASH",
//          with the hash of what SampleContent() returns; else "ROLE content
//          HASH size BYTES", with the hash of the whole content.
// kLabel   text: the path of the binary, for people.
// kSplitFiles
//          text: what AddressResolver::IdentifySplitFiles() returned, without
//          paths. A reader of the index calls it too, and uses the answers only
//          if the texts are equal. Empty if no unit is split.
// kInfo    u64 number of rows. An index without rows says that its files cannot
//          be indexed, so that no run tries it again.
//          u64 address of the first row
//          4 times u8: size of each number in a record of kFunctions
// kBlockStarts, kBlockOffsets
//          for every block, u32 address - address of the first row, and u32
//          offset in kRows. A block is kRowsPerBlock rows (the last one may be
//          shorter).
// kRows    a row is valid up to the next one:
//            varint  address - address of the row before << 2
//                    | file is the code file of the node's function << 1
//                    | node is the node of the row before
//            signed varint  node - node of the row before (unless the same). A
//                    node is its offset in kNodes + 1; 0 means no node, and
//                    then nothing follows.
//            varint  file (unless the code file)
//            signed varint  line - line of the row before if the node is the
//                    same, else line - start line of the node's function
//            varint  column
//          The first row of a block has an address difference of 0, and node 0
//          before it.
// kNodes   varint  function
//          varint  0 for an out-of-line function; else distance back to the
//                  parent << 1 | the file of the call site is the code file of
//                  the parent's function
//          then for an out-of-line function: varint  entry PC
//          for an inlined subroutine, its call site: varint  file (unless the
//                  code file), signed varint  line - start line of the parent's
//                  function, varint  column
// kFunctions
//          name << 1 | it is a scoped name; file; start line; code file, the
//          one from which most of its code comes: usually another spelling of
//          the file
// kVariants
//          u32 group, u32 function. Variants have the numbers after the last
//          function in kFunctions (see MapNode::group).
// kFiles   u32 name. File 0 is none.
// kStringBlocks
//          for every kStringsPerBlock-th string, u32 offset in kStrings
// kStrings ascending. For each: varint size of the prefix that it shares with
//          the string before (0 at the start of a block), varint size of the
//          rest << 1 | it has a demangled form, the rest. Then the demangled
//          form, likewise but without the bit: it shares its prefix with the
//          last demangled form in the block.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heapprof {

inline constexpr std::string_view kIndexMagic = "heapidx\n";
// Must change whenever the bytes or the answers of the engine change.
inline constexpr uint32_t kIndexVersion = 9;

enum class IndexSection : uint8_t {
  kKey,
  kLabel,
  kSplitFiles,
  kInfo,
  kBlockStarts,
  kBlockOffsets,
  kRows,
  kNodes,
  kFunctions,
  kVariants,
  kFiles,
  kStringBlocks,
  kStrings,
};
inline constexpr size_t kSectionCount = 13;

inline constexpr size_t kHashOffset = 16;
inline constexpr size_t kHashedFrom = 32;
inline constexpr size_t kIndexHeaderSize = 40 + 16 * kSectionCount;

inline constexpr size_t kRowsPerBlock = 32;
inline constexpr size_t kStringsPerBlock = 8;
inline constexpr size_t kFunctionFields = 4;
inline constexpr size_t kFunctionFieldsOffset = 16;  // in kInfo
inline constexpr size_t kVariantSize = 8;

inline constexpr std::string_view kIndexExtension = ".idx";

// Bits of the first number of a row.
inline constexpr uint64_t kSameNode = 1;
inline constexpr uint64_t kIsCodeFile = 2;

constexpr uint64_t ZigZag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t UnZigZag(uint64_t value) {
  return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
}
// The difference of any two lines: adding it to `from` as uint32_t gives `to`.
constexpr uint64_t LineStep(uint32_t from, uint32_t to) {
  return ZigZag(static_cast<int32_t>(to - from));
}

}  // namespace heapprof
