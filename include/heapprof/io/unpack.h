// SPDX-License-Identifier: Apache-2.0
//
// Compressed files in memory: gzip (RFC 1952), zstd (RFC 8878), xz and bzip2.
// Streams one behind the other are one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

enum class CompressedFormat : uint8_t { kGzip, kZstd, kXz, kBzip2 };

// By the first bytes; nothing for a file that is not compressed.
std::optional<CompressedFormat> FindCompressedFormat(std::string_view bytes);
// "gzip".
std::string_view NameOf(CompressedFormat packing);

struct Inflated {
  std::string bytes;
  // Why inflating stopped before the end; empty if it did not.
  std::string problem;
};

// For profiles: sees what a file of that packing begins with, before the rest
// is inflated, which an error prevents.
using HeadCheck = std::function<Result<void>(std::string_view head,
                                             std::string_view packing)>;

// Inflates every stream. Damage after the first inflated byte is reported in
// `problem` beside what was saved. It is an error if nothing was saved, if
// there are more than `max_size` bytes, or, with a `check`, a megabyte of one
// byte repeated.
Result<Inflated> Unpack(CompressedFormat packing, std::string_view packed,
                        uint64_t max_size, const HeadCheck& check = {});

}  // namespace heapprof
