// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/dwarf_versions.h"

#include <memory>
#include <set>

#include <elfutils/libdw.h>

#include "dwarf/libdw/dwarf_section.h"

namespace heapprof {

std::vector<uint16_t> DwarfVersions(const ElfImage& image) {
  const std::unique_ptr<Dwarf, decltype(&dwarf_end)> dwarf(
      OpenLibdw(image.handle()), &dwarf_end);
  if (dwarf == nullptr) return {};
  std::set<uint16_t> versions;
  Dwarf_Off offset = 0;
  Dwarf_Off next = 0;
  size_t header_size = 0;
  Dwarf_Half version = 0;
  while (dwarf_next_unit(dwarf.get(), offset, &next, &header_size, &version,
                         nullptr, nullptr, nullptr, nullptr, nullptr) == 0) {
    versions.insert(version);
    if (next <= offset) break;
    offset = next;
  }
  return {versions.begin(), versions.end()};
}

}  // namespace heapprof
