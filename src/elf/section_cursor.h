// SPDX-License-Identifier: Apache-2.0
//
// Goes through the sections of an ELF file, and through the symbols of one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <gelf.h>
#include <libelf.h>

namespace heapprof {

// Only one thread at a time may use cursors of one `elf`, as libelf demands.
class SectionCursor {
 public:
  explicit SectionCursor(Elf* elf);

  // Goes to the next section whose header can be read. Returns false at the
  // end. Call this before the other functions.
  bool Next();

  Elf_Scn* section() const { return section_; }
  const GElf_Shdr& header() const { return header_; }
  // Empty if it cannot be read.
  std::string_view name() const;
  bool IsSymbolTable() const;
  // The contents as in the file: compressed, if they are. Empty if there are
  // none.
  std::span<const uint8_t> RawBytes() const;

 private:
  Elf* elf_;
  size_t names_ = 0;  // the section with the names of sections
  Elf_Scn* section_ = nullptr;
  GElf_Shdr header_ = {};
};

class SymbolCursor {
 public:
  // `table` must be at a symbol table.
  SymbolCursor(Elf* elf, const SectionCursor& table);

  // Goes to the next symbol. Returns false at the end, and where the table is
  // damaged. Call this before the other functions.
  bool Next();

  const GElf_Sym& symbol() const { return symbol_; }
  // With the suffix "@VERSION", if it has one; null if it cannot be read.
  const char* name() const;

 private:
  Elf* elf_;
  size_t strings_;  // the section with the names of symbols
  Elf_Data* data_;
  int count_ = 0;
  int next_ = 0;
  GElf_Sym symbol_ = {};
};

}  // namespace heapprof
