// SPDX-License-Identifier: Apache-2.0
//
// Compresses bytes to one gzip member (RFC 1952) without a time stamp, so that
// equal input gives equal output.
#pragma once

#include <memory>
#include <string_view>

#include "heapprof/base/byte_sink.h"

namespace heapprof {

class Deflater {
 public:
  virtual ~Deflater() = default;
  virtual void Compress(std::string_view bytes) = 0;
  // Call this once, after the last bytes.
  virtual void Finish() = 0;
};

// The compressed bytes go to `out`, which must outlive the result.
std::unique_ptr<Deflater> MakeDeflater(ByteSink& out);

}  // namespace heapprof
