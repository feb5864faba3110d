// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/variables.h"

#include <elf.h>

#include <algorithm>

#include <gelf.h>
#include <libelf.h>

#include "elf/section_cursor.h"

namespace heapprof {
namespace {

bool IsVariable(const GElf_Sym& symbol) {
  return GELF_ST_TYPE(symbol.st_info) == STT_OBJECT &&
         symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
}

std::optional<uint64_t> FindIn(Elf* elf, const SectionCursor& table,
                               std::span<const std::string> names) {
  for (SymbolCursor at(elf, table); at.Next();) {
    if (!IsVariable(at.symbol())) continue;
    const char* const text = at.name();
    if (text != nullptr &&
        std::ranges::any_of(names, [text](auto& name) { return name == text; }))
      return at.symbol().st_value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint64_t> FindVariable(const ElfImage& image,
                                     std::span<const std::string> names) {
  Elf* const elf = image.handle();
  for (SectionCursor section(elf); section.Next();) {
    if (!section.IsSymbolTable()) continue;
    if (const auto address = FindIn(elf, section, names)) return address;
  }
  return std::nullopt;
}

}  // namespace heapprof
