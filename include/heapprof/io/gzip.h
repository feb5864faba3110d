// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "heapprof/base/byte_sink.h"

namespace heapprof {

// Compresses a stream to one gzip member (RFC 1952). Another thread compresses
// a block while the caller makes the next one. Equal input gives equal output.
class GzipStream {
 public:
  // The compressed bytes go to `out`, which must outlive this object. Until
  // Finish() returns, nothing else may use `out`. Starts a thread for data of
  // more than one block, unless `may_start_thread` is false. The bytes are the
  // same either way.
  GzipStream(ByteSink& out, bool may_start_thread);
  ~GzipStream();
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  // Adds a block of any size. Waits if several blocks are not yet compressed,
  // so that little memory is needed.
  void Append(std::string_view block);
  // Call this once, after the last block.
  void Finish();

 private:
  class Compressor;
  std::unique_ptr<Compressor> compressor_;
};

// Returns the CRC-32 that gzip uses. ELF files use it, too: the section
// .gnu_debuglink names a debug file and states the CRC-32 of that file.
uint32_t Crc32(std::string_view bytes);

}  // namespace heapprof
