// SPDX-License-Identifier: Apache-2.0
//
// The common interface of several libraries' decompressors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace heapprof {

class StreamDecoder {
 public:
  enum class Status : uint8_t {
    kMore,  // needs more input or more room
    kEnd,   // end of a stream
    kDamaged,
  };
  struct Step {
    size_t consumed = 0;
    size_t written = 0;
    // Of the bytes consumed until now, how many the library has only read
    // ahead: they follow the end of the stream, or the damage.
    size_t ahead = 0;
    Status status = Status::kMore;
    std::string detail = {};  // more about the damage, if the library tells
  };

  virtual ~StreamDecoder() = default;
  // Decodes some of `packed` into `room`. `packed` is all input that has not
  // been consumed yet.
  virtual Step Decode(std::string_view packed, std::span<char> room) = 0;
  // Prepares for decoding another stream.
  virtual void Restart() = 0;
};

// Raw deflate data (RFC 1951). Unlike other decoders, this one may read ahead
// at the end.
std::unique_ptr<StreamDecoder> MakeDeflateDecoder();
std::unique_ptr<StreamDecoder> MakeGzipDecoder();
// These return nullptr if the build lacks the library.
std::unique_ptr<StreamDecoder> MakeZstdDecoder();
std::unique_ptr<StreamDecoder> MakeXzDecoder();
std::unique_ptr<StreamDecoder> MakeBzip2Decoder();

// Returns `size`, or the largest 32-bit number if `size` is larger. Use it for
// libraries that count bytes in 32 bits.
inline unsigned ClampToUnsigned(size_t size) {
  return static_cast<unsigned>(
      std::min<size_t>(size, std::numeric_limits<unsigned>::max()));
}

}  // namespace heapprof
