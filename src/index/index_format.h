// SPDX-License-Identifier: Apache-2.0
//
// The bytes of an index file. All numbers are little-endian; "varint" is
// LEB128, "signed varint" its zigzag form (0, -1, 1, -2 as 0, 1, 2, 3).
//
//   magic      8 bytes, "heapidx\n"
//   version    u32
//   reserved   u32, 0
//   hash       16 bytes, of all bytes behind it
//   size       u64, of the file
//   sections   kSectionCount times u64 offset, u64 size
//   ...        the sections
//
// kKey     text: which files this is the index of, a line for each. Of a file
//          with a build id that is "ROLE build-id ID size BYTES sample HASH",
//          the hash of what SampleContent() takes; else "ROLE content HASH size
//          BYTES", the hash of all of it.
// kLabel   text: where the binary was, for people.
// kSplitFiles
//          text: in which split files the units were (see
//          AddressResolver::FindSplitFiles()), without their paths. Whoever
//          reads the index finds out the same of the files that are there now,
//          and takes the answers if it is equal. Empty if nothing is split off.
// kInfo    u64 number of rows. An index without code says that its files
//          cannot be indexed, so that no run tries it again.
//          u64 address of the first row
//          4 times u8: bytes of each number in a record of kFunctions
// kBlockStarts, kBlockOffsets
//          u32 address - that of the first row, and u32 offset in
//          kRows, of every block. A block is kRowsPerBlock rows
//          (the last one may be shorter).
// kRows
//          a row holds up to the next one:
//            varint  address - that of the row before << 2
//                    | file is the code file of the node's function << 1
//                    | node is that of the row before
//            signed varint  node - the one before (unless the same). A node is
//                    its offset in kNodes + 1; 0 is none, then nothing follows
//            varint  file (unless the code file)
//            signed varint  line - the one before if the node is the same,
//                    else - the first line of the node's function
//            varint  column
//          The first of a block has an address difference of 0, and 0 for the
//          node before.
// kNodes   varint  function
//          varint  distance back to the parent << 1 | the file of the call is
//                  the code file of the parent's function; 0 for a function
//          then of a function: varint  entry address
//          of an inlined call: varint  file (unless the code file), signed
//                  varint  line - the first line of the parent's function,
//                  varint  column
// kFunctions
//          name << 1 | it is a scoped name; file; start line; code file: that
//          most of its code is from, as a rule another spelling of the file
// kVariants
//          u32 group, u32 function: the functions with numbers behind those in
//          kFunctions (see MapNode::group)
// kFiles   u32 name. File 0 is none.
// kStringBlocks
//          u32 offset in kStrings of every kStringsPerBlock-th string
// kStrings ascending; of each: varint number of bytes it begins with as the
//          one before (0 in front of a block), varint number of other bytes
//          << 1 | it has a demangled form, these bytes; then the demangled
//          form, in the same way after the last one of the block, without
//          the bit
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace heapprof {

inline constexpr std::string_view kIndexMagic = "heapidx\n";
// Every change of the bytes or of what the engine answers needs another one.
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

// Bits of a row's first number.
inline constexpr uint64_t kSameNode = 1;
inline constexpr uint64_t kIsCodeFile = 2;

constexpr uint64_t ZigZag(int64_t value) {
  return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
}
constexpr int64_t UnZigZag(uint64_t value) {
  return static_cast<int64_t>(value >> 1 ^ (~(value & 1) + 1));
}
// The difference of two lines, such that adding it to `from` as uint32_t gives
// `to`, whatever they are.
constexpr uint64_t LineStep(uint32_t from, uint32_t to) {
  return ZigZag(static_cast<int32_t>(to - from));
}

}  // namespace heapprof
