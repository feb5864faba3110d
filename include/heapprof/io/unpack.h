// SPDX-License-Identifier: Apache-2.0
//
// Inflates compressed files in memory: gzip (RFC 1952), zstd (RFC 8878), xz and
// bzip2. A file may consist of several streams, one after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/io/byte_buffer.h"

namespace heapprof {

enum class CompressedFormat : uint8_t { kGzip, kZstd, kXz, kBzip2 };

// Detects the format from the first bytes; nothing if the file is not
// compressed.
std::optional<CompressedFormat> FindCompressedFormat(std::string_view bytes);
// The name of the format, such as "gzip".
std::string_view NameOf(CompressedFormat format);

struct Inflated {
  ByteBuffer bytes;
  // Says why inflating stopped early; empty if it did not.
  std::string problem;
};

// A function that Unpack() calls with the first inflated bytes and the name of
// the compression. If it returns an error, Unpack() inflates nothing more. In
// this way, files other than profiles are rejected early.
using HeadCheck = std::function<Result<void>(std::string_view head,
                                             std::string_view compression)>;

// Inflates every stream. If the data turns out to be damaged after at least one
// byte was inflated, returns what was inflated, with the reason in `problem`.
// Fails if nothing could be inflated or if there are more than `max_size`
// inflated bytes. With a `check`, also fails if a single byte is repeated for a
// megabyte, as in decompression bombs.
Result<Inflated> Unpack(CompressedFormat format, std::string_view packed,
                        uint64_t max_size, const HeadCheck& check = {});

}  // namespace heapprof
