// SPDX-License-Identifier: Apache-2.0
//
// DWARF written by hand: a byte buffer, and a little-endian ELF64 file around
// debug sections, for layouts that no compiler makes.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <dwarf.h>

namespace heapprof {

constexpr uint64_t kCodeStart = 0x10000;
constexpr uint64_t kCodeSize = 0x100000;

class DwarfBytes {
 public:
  DwarfBytes() = default;
  explicit DwarfBytes(std::span<const uint8_t> bytes)
      : bytes_(bytes.begin(), bytes.end()) {}

  DwarfBytes& Number(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i)
      bytes_.push_back(static_cast<uint8_t>(i < 8 ? value >> (8 * i) : 0));
    return *this;
  }
  DwarfBytes& U8(uint64_t value) { return Number(value, 1); }
  DwarfBytes& U16(uint64_t value) { return Number(value, 2); }
  DwarfBytes& U32(uint64_t value) { return Number(value, 4); }
  DwarfBytes& U64(uint64_t value) { return Number(value, 8); }
  DwarfBytes& Uleb(uint64_t value) {
    for (; value >= 0x80; value >>= 7) U8((value & 0x7f) | 0x80);
    return U8(value);
  }
  // Each as ULEB128.
  DwarfBytes& Ulebs(std::initializer_list<uint64_t> values) {
    for (const uint64_t value : values) Uleb(value);
    return *this;
  }
  DwarfBytes& Text(std::string_view text) {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
    return U8(0);
  }
  DwarfBytes& Append(const DwarfBytes& more) {
    bytes_.insert(bytes_.end(), more.bytes_.begin(), more.bytes_.end());
    return *this;
  }
  DwarfBytes& Repeat(const DwarfBytes& more, size_t count) {
    for (size_t i = 0; i < count; ++i) Append(more);
    return *this;
  }
  // `content` after its length in 4 bytes, like a unit.
  DwarfBytes& Unit(const DwarfBytes& content) {
    return U32(content.size()).Append(content);
  }

  // In a line program: the next row is at kCodeStart + `offset`.
  DwarfBytes& SetAddress(uint64_t offset) {
    return U8(0).Uleb(9).U8(DW_LNE_set_address).U64(kCodeStart + offset);
  }
  DwarfBytes& EndSequence() { return U8(0).Uleb(1).U8(DW_LNE_end_sequence); }

  // Replaces the 4 bytes at `at`.
  void Patch32(size_t at, uint64_t value) {
    for (size_t i = 0; i < 4; ++i)
      bytes_[at + i] = static_cast<uint8_t>(value >> (8 * i));
  }

  size_t size() const { return bytes_.size(); }
  std::span<const uint8_t> bytes() const { return bytes_; }
  operator std::span<const uint8_t>() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

// The header of a unit of version 2 to 4, from the end of its length.
inline DwarfBytes OldUnitHeader(uint64_t abbreviations = 0,
                                uint64_t version = 4) {
  return DwarfBytes().U16(version).U32(abbreviations).U8(8);
}
inline DwarfBytes UnitHeader5(uint64_t abbreviations = 0) {
  return DwarfBytes().U16(5).U8(1).U8(8).U32(abbreviations);
}

struct WrittenSymbol {
  std::string_view name;
  uint64_t start = 0;  // relative to kCodeStart
  uint64_t size = 0;
};

// A shared library with `sections`, and with a symbol table if there are
// `symbols`. Its code is kCodeSize bytes at kCodeStart, which are not in the
// file.
inline std::string MakeElf(const std::map<std::string, DwarfBytes>& sections,
                           const std::vector<WrittenSymbol>& symbols = {}) {
  constexpr uint64_t kHeaders = 64 + 56;
  DwarfBytes names;
  names.Text("");
  DwarfBytes contents;
  DwarfBytes table;
  table.Number(0, 64);
  uint64_t section_count = 1;
  const auto add = [&](std::string_view name, uint64_t type,
                       const DwarfBytes& content, uint64_t link = 0,
                       uint64_t entry_size = 0) {
    table.U32(names.size()).U32(type).U64(0).U64(0);
    table.U64(kHeaders + contents.size()).U64(content.size());
    table.U64(link).U64(1).U64(entry_size);
    names.Text(name);
    contents.Append(content);
    return section_count++;
  };
  for (const auto& [name, content] : sections) add(name, 1, content);
  if (!symbols.empty()) {
    DwarfBytes symbol_names;
    symbol_names.Text("");
    DwarfBytes entries;
    entries.Number(0, 24);
    for (const WrittenSymbol& symbol : symbols) {
      // A global function, at an absolute address.
      entries.U32(symbol_names.size()).U8(1 << 4 | 2).U8(0).U16(0xfff1);
      entries.U64(kCodeStart + symbol.start).U64(symbol.size);
      symbol_names.Text(symbol.name);
    }
    const uint64_t strings = add(".strtab", 3, symbol_names);
    add(".symtab", 2, entries, strings, 24);
  }
  DwarfBytes all_names = names;
  all_names.Text(".shstrtab");
  add(".shstrtab", 3, all_names);
  DwarfBytes elf;
  elf.U32(0x464c457f).U8(2).U8(1).U8(1).Number(0, 9);
  elf.U16(3).U16(62).U32(1).U64(0).U64(64).U64(kHeaders + contents.size());
  elf.U32(0).U16(64).U16(56).U16(1).U16(64);
  elf.U16(section_count).U16(section_count - 1);
  // A PT_LOAD segment, readable and executable.
  elf.U32(1).U32(5).U64(kCodeStart).U64(kCodeStart).U64(kCodeStart);
  elf.U64(0).U64(kCodeSize).U64(0x1000);
  elf.Append(contents).Append(table);
  return {reinterpret_cast<const char*>(elf.bytes().data()), elf.size()};
}

}  // namespace heapprof
