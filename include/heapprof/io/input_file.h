// SPDX-License-Identifier: Apache-2.0
//
// The bytes of one input, whatever it is on disk: a regular file is memory
// mapped, a pipe, FIFO or standard input is read to the end, compressed files
// (unpack.h) are inflated.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"
#include "heapprof/io/mapped_range.h"
#include "heapprof/io/unpack.h"

namespace heapprof {

// The most that one input may inflate or be piped to. Dumps of the largest
// services seen are a few GB.
inline constexpr uint64_t kMaxInflatedSize = uint64_t{16} << 30;

// The most that `compressed_size` bytes may inflate to. Text dumps shrink to a
// thirtieth with gzip, to an eightieth with zstd -19; with input that is made
// for it, deflate reaches a thousandth and others far less. 400 times the size,
// and 256 MiB in any case, lets every dump pass and keeps a bomb from taking
// all memory: a megabyte of it gets 656 MiB.
constexpr uint64_t InflatedLimit(uint64_t compressed_size) {
  constexpr uint64_t kAlways = uint64_t{256} << 20;
  constexpr uint64_t kMostInflation = 400;
  return compressed_size > (kMaxInflatedSize - kAlways) / kMostInflation
             ? kMaxInflatedSize
             : kAlways + kMostInflation * compressed_size;
}

class InputFile {
 public:
  // Opens `path` ("-" is standard input). Directories are an error. If the
  // compressed stream ends early, what could be inflated is kept and
  // `inflate_problem()` says where it broke. Compressed data may also not
  // exceed InflatedLimit(). `check` sees what they begin with.
  static Result<InputFile> Open(const std::string& path,
                                const HeadCheck& check = {},
                                uint64_t max_size = kMaxInflatedSize);

  InputFile(InputFile&& other) noexcept;
  InputFile& operator=(InputFile&& other) noexcept;
  ~InputFile();

  // Valid as long as this object.
  std::string_view bytes() const { return bytes_; }
  const std::string& path() const { return path_; }
  const std::string& inflate_problem() const { return inflate_problem_; }
  // Last modification, seconds since 1970; 0 for a pipe.
  int64_t mtime() const { return mtime_; }

 private:
  InputFile() = default;
  void Swap(InputFile& other);

  std::string path_;
  std::string_view bytes_;
  void* mapping_ = nullptr;
  size_t mapping_size_ = 0;
  MappedRange range_;
  std::string owned_;  // content that is not a mapping
  std::string inflate_problem_;
  int64_t mtime_ = 0;
};

}  // namespace heapprof
