// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "heapprof/base/byte_sink.h"

namespace heapprof {

// Compresses a stream to one gzip member (RFC 1952) without a time. Another
// thread compresses parts of it while the caller makes the next one, and the
// caller helps if it is faster. Equal input gives equal output.
class GzipStream {
 public:
  // The compressed bytes go to `out`, which must outlive this object. Until
  // Finish() returns, nothing else may use `out`. Starts a thread for much
  // data, unless `may_start_thread` is false. The bytes are the same either
  // way.
  GzipStream(ByteSink& out, bool may_start_thread);
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  // Adds a block of any size. While many blocks are not yet compressed,
  // compresses some, so that little memory is needed.
  void Append(std::string_view block);
  // Call this once, after the last block.
  void Finish();

 private:
  class Compressor;
  std::unique_ptr<Compressor> compressor_;
};

// Returns the CRC-32 that gzip uses. ELF files use it, too: the section
// .gnu_debuglink names a debug file and states the CRC-32 of that file.
// `before` is the CRC-32 of the bytes before them, if these are a part.
uint32_t Crc32(std::string_view bytes, uint32_t before = 0);

}  // namespace heapprof
