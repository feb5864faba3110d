// SPDX-License-Identifier: Apache-2.0
//
// zstd (RFC 8878) in memory: concatenated frames are one stream.
#pragma once

#include <cstdint>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/io/gzip.h"

namespace heapprof {

// True for a frame, and for a skippable frame, which may precede one.
bool LooksLikeZstd(std::string_view bytes);

// As Gunzip: damage after the first inflated byte is reported beside what was
// saved.
Result<Inflated> Unzstd(std::string_view compressed, uint64_t max_size);

}  // namespace heapprof
