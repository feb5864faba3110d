// SPDX-License-Identifier: Apache-2.0
//
// Opens DWARF with libdw, and gives access to the sections that libdw reads.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <elfutils/libdw.h>

namespace heapprof {

// Opens the DWARF of `elf`; free it with dwarf_end(). If it cannot be read,
// returns nullptr, and dwarf_errmsg() says why.
Dwarf* OpenLibdw(Elf* elf);

// Returns the uncompressed content of a section in the file of `dwarf`; empty
// if there is no such section. The name "debug_info" stands for the section
// ".debug_info" or ".zdebug_info".
std::span<const uint8_t> DwarfSection(Dwarf* dwarf, std::string_view name);

}  // namespace heapprof
