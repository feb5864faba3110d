// SPDX-License-Identifier: Apache-2.0
//
// Compresses the parts of a stream, so that several threads can do it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace heapprof {

// How many bytes before it a part can refer to (RFC 1951).
inline constexpr size_t kDeflateWindow = size_t{32} << 10;

// Returns raw DEFLATE data (RFC 1951) for `bytes`, less than 4 GiB. `before`
// are the bytes before them in the stream, at most kDeflateWindow. The data of
// all parts, one after the other, are one stream; the last one ends it. Equal
// input gives equal output.
std::string DeflatePart(std::string_view before, std::string_view bytes,
                        bool is_last);

}  // namespace heapprof
