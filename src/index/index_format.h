// SPDX-License-Identifier: Apache-2.0
//
// The format of an index file: a header, then sections. An index holds a
// CodeMap. Numbers of fixed size are little-endian.
//
//   varint         unsigned LEB128
//   signed varint  a varint with the zigzag code of a signed number: 0, -1, 1
//                  and -2 become 0, 1, 2 and 3
//
// Header
//   char[8]  magic: "heapidx\n"
//   u32      format version: kIndexVersion
//   u32      reserved: 0
//   u8[16]   hash of all bytes after this field (HashContent())
//   u64      size of the index file
//   then for each IndexSection, in the order of the enum:
//   u64      offset of the section in the index file
//   u64      size of the section
//
// kKey: text, one line for each file from which the index was made. ROLE is
// "binary", "debug" or "alternate". Each line has one of these forms:
//   ROLE build-id ID size BYTES sample HASH
//            a file with a build id; HASH covers the bytes that
//            SampleContent() returns
//   ROLE content HASH size BYTES
//            a file without a build id; HASH covers the whole file
//   alternate missing
//            the file to which dwz moved DIEs was not found
//
// In a portable index, kKey and kSplitFiles are empty: kBinary identifies the
// binary, and split debug files are not checked.
//
// kLabel: text, the path of the binary, for people. In a portable index, the
// file name of the binary.
//
// kSplitFiles: text, the result of AddressResolver::IdentifySplitFiles() when
// the index was made. A reader of the index calls that function again and uses
// the index only if the texts are equal. Empty if no unit is split.
//
// kStrings: names and paths in ascending order, numbered from 0. Every
// kStringsPerBlock strings form a block. The string before the first string of
// a block counts as empty. For each string:
//   varint  size of the prefix that it shares with the string before
//   varint  bit 0 is set if the string has a demangled form. The other bits are
//           the size of the rest.
//   bytes   the rest
//   then, if the string has a demangled form:
//   varint  size of the prefix that the demangled form shares with the last
//           demangled form in the block; 0 if there is none
//   varint  size of the rest
//   bytes   the rest
//
// kStringBlocks: for each block of strings:
//   u32  offset of the block in kStrings
//
// kFiles: the source files, numbered from 0. File 0 means "no file". Each has:
//   u32  path: number of a string
//
// kFunctions: the functions, numbered from 0. kInfo has the size of each field.
// The code file of a function is the source file from which most of its code
// comes. It may differ from the file that declares the function, often only in
// the spelling of the path. For each function:
//   name         bit 0 is set if the name is a scoped name rather than a
//                linkage name (see SourceFunction). The other bits are the
//                number of a string.
//   file         number of the file that declares the function
//   start line   line of the declaration
//   code file    number of the code file
//
// kVariants: the debug information of several units may describe one function
// differently. Each such description is a function of its own in kFunctions.
// The descriptions of one function form a group; a description together with
// its group is a variant. A lookup shows all variants of a group as the
// function of the variant that it finds first (see MapNode::group). Variants
// are numbered after the functions: if there are N functions, the first variant
// has the number N. For each variant:
//   u32  group, numbered from 1
//   u32  number of the function
//
// kNodes: a node is a function with code, or a subroutine inlined at one call
// site. The parent of an inlined subroutine is the node into which it is
// inlined; it comes earlier in kNodes. The number of a node is its offset in
// kNodes plus 1. Node 0 means that nothing is known. For each node:
//   varint         number of a function or variant
//   varint         0 for a function with code. Else bit 0 is set if the call
//                  site is in the code file of the parent's function, and the
//                  other bits are this node's number minus the parent's.
//   then for a function with code:
//   varint         entry PC; 0 if not known
//   for an inlined subroutine, its call site:
//   varint         number of the file. Absent if bit 0 above is set.
//   signed varint  line minus the start line of the parent's function
//   varint         column
//
// kRows: the rows, by address. A row says which node and which source position
// an address has; it is valid up to the next row. Every kRowsPerBlock rows form
// a block (the last block may be shorter). The row before the first row of a
// block counts as one with the same address and node 0. For each row:
//   varint         bit 0 is set if the row has the node of the row before.
//                  Bit 1 is set if the position is in the code file of the
//                  node's function. The other bits are the address minus the
//                  address of the row before.
//   signed varint  number of the node minus that of the node of the row
//                  before. Absent if bit 0 is set.
//   If the node is 0, the row ends here.
//   varint         number of the file. Absent if bit 1 is set.
//   signed varint  if bit 0 is set, line minus the line of the row before; else
//                  line minus the start line of the node's function
//   varint         column
//
// kBlockStarts: for each block of rows:
//   u32  address of the first row of the block minus the address of the first
//        row in kRows
//
// kBlockOffsets: for each block of rows:
//   u32  offset of the block in kRows
//
// kInfo
//   u64    number of rows. 0 says that the files cannot be indexed; later runs
//          then do not try again.
//   u64    address of the first row in kRows
//   u8[4]  size in bytes of each field of a record in kFunctions
//
// kBinary: the binary of a portable index (see IndexedBinary). Empty in the
// cache.
//   u8      size of the build id in hex digits
//   bytes   the build id
//   u16     machine
//   u16     type
//   u16     size of the ELF header
//   u8      bit 0: big-endian; bit 1: made from debug information
//   u64[2]  hash of the code
//   u32     number of PT_LOAD segments
//   u32     number of code ranges
//   then for each segment:
//   u64[4]  file offset, file size, address, size in memory
//   u8      1 if it is executable
//   then for each code range:
//   u64[2]  start and exclusive end
//
// kReturnAddresses: the addresses that follow a call, as ReturnAddressSet
// encodes them. Empty in the cache.
//
// kUnnamedFunctions: the functions that .eh_frame describes and of which kRows
// does not name all code, by address. Empty in the cache. For each function:
//   varint  start minus the end of the function before
//   varint  size
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "heapprof/base/little_endian_cursor.h"
#include "heapprof/base/varint.h"

namespace heapprof {

inline constexpr std::string_view kIndexMagic = "heapidx\n";
// Increase this number whenever the format changes, and whenever a change of
// the DWARF reader changes its answers for some file.
inline constexpr uint32_t kIndexVersion = 23;

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
  kBinary,
  kReturnAddresses,
  kUnnamedFunctions,
};
inline constexpr size_t kSectionCount = 16;

inline constexpr size_t kHashOffset = 16;
inline constexpr size_t kHashedFrom = 32;
inline constexpr size_t kIndexHeaderSize = 40 + 16 * kSectionCount;

// Returns a section of `index`, whose header IndexFile::Open() has checked.
inline std::span<const uint8_t> SectionOf(std::span<const uint8_t> index,
                                          IndexSection section) {
  constexpr size_t kPlaceSize = 16;  // of an offset and a size
  const size_t after = kSectionCount - static_cast<size_t>(section);
  LittleEndianCursor cursor(index, kIndexHeaderSize - kPlaceSize * after);
  const uint64_t offset = cursor.U64();
  return index.subspan(offset, cursor.U64());
}

inline constexpr size_t kRowsPerBlock = 32;
inline constexpr size_t kStringsPerBlock = 8;
inline constexpr size_t kFunctionFields = 4;
inline constexpr size_t kFunctionFieldsOffset = 16;  // in kInfo
inline constexpr size_t kVariantSize = 8;

inline constexpr std::string_view kIndexExtension = ".idx";

// Bits of the first number of a row in kRows.
inline constexpr uint64_t kSameNode = 1;
inline constexpr uint64_t kIsCodeFile = 2;

// The zigzag code of the line difference `to` - `from`. The difference may wrap
// around. A reader that adds the decoded difference to `from` in uint32_t
// arithmetic always gets `to`.
constexpr uint64_t LineStep(uint32_t from, uint32_t to) {
  return ZigZag(static_cast<int32_t>(to - from));
}

}  // namespace heapprof
