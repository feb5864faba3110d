// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <elfutils/libdw.h>

namespace heapprof {

// The DWARF of `elf`, for dwarf_end(); nullptr, with dwarf_errmsg(), if it
// cannot be read.
Dwarf* OpenLibdw(Elf* elf);

// The content of the section ".NAME" or ".zNAME" that `dwarf` reads,
// uncompressed; empty if there is none.
std::span<const uint8_t> DwarfSection(Dwarf* dwarf, std::string_view name);

}  // namespace heapprof
