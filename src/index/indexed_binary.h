// SPDX-License-Identifier: Apache-2.0
//
// The binary of a portable index, as its section kBinary describes it, and the
// proof that a file has the same code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "heapprof/base/error.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/index/index_file.h"
#include "index/content_hash.h"

namespace heapprof {

std::string EncodeBinary(const IndexedBinary& binary);
// The bytes are not trusted.
Result<IndexedBinary> DecodeBinary(std::span<const uint8_t> bytes);

// Returns a hash of the code sections of `image`: of their addresses and bytes.
// Stripping a binary does not change it. Returns nothing if there are none, or
// if the file does not have all their bytes.
std::optional<ContentHash> HashCode(const ElfImage& image, unsigned jobs);

}  // namespace heapprof
