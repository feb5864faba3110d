// SPDX-License-Identifier: Apache-2.0
//
// Provides the bytes of one input. A regular file is memory mapped. A pipe,
// FIFO or standard input is read to its end. A compressed input is inflated
// (see unpack.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/io/byte_buffer.h"
#include "heapprof/io/mapped_bytes.h"
#include "heapprof/io/unpack.h"

namespace heapprof {

// The most bytes that an input may have after it was inflated or read from a
// pipe. Dumps of the largest known services are a few GB.
inline constexpr uint64_t kMaxInflatedSize = uint64_t{16} << 30;

// Returns the largest size that `compressed_size` bytes may inflate to: 64 MiB
// plus 128 times the compressed size, but at most kMaxInflatedSize. Text dumps
// inflate to 30 times their compressed size with gzip and to 80 times with zstd
// -19, so they are all accepted. A decompression bomb inflates to 1000 times
// its size with deflate and to far more with other formats. The limit keeps it
// from using up all memory: a bomb of 1 MiB can use 192 MiB.
constexpr uint64_t InflatedLimit(uint64_t compressed_size) {
  constexpr uint64_t kAlways = uint64_t{64} << 20;
  constexpr uint64_t kMostInflation = 128;
  return compressed_size > (kMaxInflatedSize - kAlways) / kMostInflation
             ? kMaxInflatedSize
             : kAlways + kMostInflation * compressed_size;
}

class InputFile {
 public:
  // Opens `path` ("-" is standard input). Fails if it is a directory. If
  // compressed data end early or are damaged, keeps what could be inflated, and
  // inflate_problem() says what is wrong. Fails if the inflated size would
  // exceed InflatedLimit() or `max_size`, or if `check` rejects the first
  // inflated bytes.
  static Result<InputFile> Open(const std::string& path,
                                const HeadCheck& check = {},
                                uint64_t max_size = kMaxInflatedSize);

  // Valid as long as this object.
  std::string_view bytes() const { return bytes_; }
  const std::string& path() const { return path_; }
  const std::string& inflate_problem() const { return inflate_problem_; }
  // Drops the memory of a part of bytes() that will probably not be read again;
  // see drop_pages.h. Does nothing if the content is not mapped.
  void DropPages(std::string_view part) const;
  // See MappedRange. What was read from a pipe cannot change.
  bool IsOverwritten() const { return mapped_.IsOverwritten(); }
  // Last modification, seconds since 1970; 0 for a pipe.
  int64_t mtime() const { return mtime_; }

 private:
  InputFile() = default;
  Result<void> Map(int fd, uint64_t size);
  Result<void> ReadToEnd(int fd, uint64_t max_size);
  Result<void> InflateIfPacked(const HeadCheck& check, uint64_t max_size);

  std::string path_;
  std::string_view bytes_;
  MappedBytes mapped_;  // the file, if it is not read from a pipe
  ByteBuffer owned_;    // the content, if it is not that of the mapped file
  std::string inflate_problem_;
  int64_t mtime_ = 0;
};

}  // namespace heapprof
