// SPDX-License-Identifier: Apache-2.0
//
// The function symbols of an ELF file (.symtab and .dynsym), for addresses that
// DWARF does not describe.
//
// A symbol covers [st_value, st_value + st_size) and nothing more. A symbol of
// size 0 ends at the next symbol or at the end of its section, whichever comes
// first. Labels of assembler code (STT_NOTYPE) are used only at addresses that
// no function symbol covers. Symbols outside the executable segments of their
// file are ignored, unless the file has no segments. Each stub of the procedure
// linkage table gets a symbol such as "malloc@plt".
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

struct Symbol {
  uint64_t address = 0;
  uint64_t size = 0;
  // Without the suffix "@VERSION" or "@@VERSION". Points into the ELF image or
  // into the SymbolTable, so both must outlive it.
  std::string_view name;
};

// Opens the small ELF file that .gnu_debugdata contains ("MiniDebugInfo"). Its
// symbol table has the functions that .dynsym of `binary` lacks. Returns
// nothing if `binary` has no .gnu_debugdata. If that section is damaged, the
// error names the section but not the path of `binary`.
Result<std::optional<ElfImage>> OpenMiniDebugInfo(const ElfImage& binary);

class SymbolTable {
 public:
  SymbolTable() = default;
  SymbolTable(SymbolTable&&) = default;
  SymbolTable& operator=(SymbolTable&&) = default;

  // Reads the function symbols of `images`, which are in order of preference
  // (debug file first). At each address, it keeps the first symbol in this
  // order: functions before labels and stubs, an earlier image before a later
  // one, global before weak before local, then the fewest leading underscores,
  // the shortest name, and byte order.
  static SymbolTable Load(std::vector<const ElfImage*> images);

  // Returns the symbol that covers `address`; the innermost one if symbols are
  // nested.
  std::optional<Symbol> Find(uint64_t address) const;
  // Returns the symbol that starts exactly at `address`.
  std::optional<Symbol> FindStart(uint64_t address) const;
  // Returns the symbols that start in [start, end).
  std::span<const Symbol> StartingIn(uint64_t start, uint64_t end) const;
  size_t size() const { return symbols_.size(); }
  // Returns the addresses at which the result of Find() changes, ascending.
  std::vector<uint64_t> Boundaries() const;

 private:
  // The addresses from `start` up to the next range. `symbol` is the innermost
  // symbol that covers them.
  struct SymbolRange {
    uint64_t start = 0;
    uint32_t symbol = 0;  // index into symbols_, or kNoSymbol
  };
  static constexpr uint32_t kNoSymbol = UINT32_MAX;

  void BuildRanges();

  std::deque<std::string> stub_names_;
  std::vector<Symbol> symbols_;      // sorted by address, one per address
  std::vector<SymbolRange> ranges_;  // sorted by start
};

}  // namespace heapprof
