// SPDX-License-Identifier: Apache-2.0
//
// What an ELF file says about its debug file: a build id, which both have, and
// the names in .gnu_debuglink, .gnu_debugaltlink and .debug_sup.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "heapprof/elf/elf_image.h"

namespace heapprof {

// Returns the GNU build id, as lower-case hex, from the notes at file offset
// `offset`; empty if they have none.
std::string FindBuildId(Elf* elf, uint64_t offset, uint64_t size);

// Parses the content of .gnu_debuglink: a file name, its NUL, padding to 4
// bytes, and a checksum in the byte order of the file. Returns nothing if it is
// damaged or names a directory.
std::optional<DebugLink> ParseDebugLink(std::string_view content,
                                        bool big_endian);

// Parses the content of .gnu_debugaltlink: a path, its NUL, and a build id.
// Returns nothing if it is damaged.
std::optional<AlternateLink> ParseAlternateLink(std::string_view content);

// The content of .debug_sup (DWARF 5, section 7.3.6), which both the shared
// file and those that refer to it have.
struct SupplementaryLink {
  bool is_target = false;     // in the shared file
  std::string path = {};      // of the shared file; empty in that file
  std::string checksum = {};  // of the shared file, in lower-case hex
};

// Returns nothing if it is damaged.
std::optional<SupplementaryLink> ParseSupplementaryLink(
    std::span<const uint8_t> content);

}  // namespace heapprof
