// SPDX-License-Identifier: Apache-2.0
#include "dwarf/libdw/dwarf_section.h"

#include <gelf.h>
#include <libelf.h>

#include "heapprof/base/out_of_memory.h"

namespace heapprof {

Dwarf* OpenLibdw(Elf* elf) {
  Dwarf* dwarf = dwarf_begin_elf(elf, DWARF_C_READ, nullptr);
  if (dwarf != nullptr)
    dwarf_new_oom_handler(dwarf, FailAllocation);
  else if (std::string_view(dwarf_errmsg(-1)) == "out of memory")
    FailAllocation();
  return dwarf;
}

std::span<const uint8_t> DwarfSection(Dwarf* dwarf, std::string_view name) {
  Elf* elf = dwarf_getelf(dwarf);
  size_t names = 0;
  if (elf == nullptr || elf_getshdrstrndx(elf, &names) != 0) return {};
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Shdr header;
    if (gelf_getshdr(section, &header) == nullptr) continue;
    if (header.sh_type == SHT_NOBITS) continue;
    const char* text = elf_strptr(elf, names, header.sh_name);
    std::string_view found = text == nullptr ? "" : text;
    if (!found.starts_with('.') || !found.ends_with(name)) continue;
    found.remove_prefix(1);
    found.remove_suffix(name.size());
    if (!found.empty() && found != "z") continue;
    const Elf_Data* data = elf_getdata(section, nullptr);
    if (data == nullptr || data->d_buf == nullptr) continue;
    return {static_cast<const uint8_t*>(data->d_buf), data->d_size};
  }
  return {};
}

}  // namespace heapprof
