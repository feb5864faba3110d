// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

class ByteSink;

// Writes `bytes` in Base64 (RFC 4648), with padding and without line breaks.
void WriteBase64(std::string_view bytes, ByteSink& out);

}  // namespace heapprof
