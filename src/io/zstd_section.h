// SPDX-License-Identifier: Apache-2.0
//
// Inflates zstd data whose inflated size is known.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "heapprof/io/inflate.h"
#include "io/inflate_pieces.h"

namespace heapprof {

// Inflates `packed` into `to`, whose size is the expected one. Returns what is
// wrong with `packed`; empty on success.
std::string InflateZstd(std::span<const uint8_t> packed, InflatedBytes& to);

// Returns a reader for `packed`, which must outlive the reader; nullptr in a
// build without zstd.
std::unique_ptr<PieceReader> OpenZstdPieces(std::span<const uint8_t> packed);

}  // namespace heapprof
