// SPDX-License-Identifier: Apache-2.0
//
// The variables of an ELF file, by name. SymbolTable has only functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Returns the file address of the first variable that has one of these names;
// nothing if there is none.
std::optional<uint64_t> FindVariable(const ElfImage& image,
                                     std::span<const std::string> names);

}  // namespace heapprof
