// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/variables.h"

#include <elf.h>

#include <algorithm>
#include <limits>
#include <string_view>

#include <gelf.h>
#include <libelf.h>

namespace heapprof {
namespace {

bool IsVariable(const GElf_Sym& symbol) {
  return GELF_ST_TYPE(symbol.st_info) == STT_OBJECT &&
         symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE;
}

std::optional<uint64_t> FindIn(Elf* elf, Elf_Scn* section,
                               const GElf_Shdr& header,
                               std::span<const std::string> names) {
  Elf_Data* const data = elf_getdata(section, nullptr);
  if (data == nullptr) return std::nullopt;
  const size_t entry = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
  const size_t count =
      std::min<size_t>(data->d_size / entry, std::numeric_limits<int>::max());
  for (size_t i = 0; i < count; ++i) {
    GElf_Sym symbol;
    if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) break;
    if (!IsVariable(symbol)) continue;
    const char* const text = elf_strptr(elf, header.sh_link, symbol.st_name);
    if (text != nullptr &&
        std::ranges::any_of(names, [text](auto& name) { return name == text; }))
      return symbol.st_value;
  }
  return std::nullopt;
}

}  // namespace

std::optional<uint64_t> FindVariable(const ElfImage& image,
                                     std::span<const std::string> names) {
  Elf* const elf = image.handle();
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr ||
        (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
      continue;
    if (const auto address = FindIn(elf, section, header, names))
      return address;
  }
  return std::nullopt;
}

}  // namespace heapprof
