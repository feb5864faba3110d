// SPDX-License-Identifier: Apache-2.0
//
// What the decompressors of several libraries have in common.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "heapprof/io/unpack.h"

namespace heapprof {

class StreamDecoder {
 public:
  enum class Status : uint8_t {
    kMore,  // needs more input or more room
    kEnd,   // of a stream
    kDamaged,
  };
  struct Step {
    size_t consumed = 0;
    size_t written = 0;
    Status status = Status::kMore;
    std::string detail = {};  // of damage, if the library says more
  };

  virtual ~StreamDecoder() = default;
  // Goes on with `packed`, which is all that is left of the file.
  virtual Step Decode(std::string_view packed, std::span<char> room) = 0;
  // Another stream begins.
  virtual void Restart() = 0;
};

std::unique_ptr<StreamDecoder> MakeGzipDecoder();
std::unique_ptr<StreamDecoder> MakeZstdDecoder();
std::unique_ptr<StreamDecoder> MakeXzDecoder();
std::unique_ptr<StreamDecoder> MakeBzip2Decoder();

// What a library that counts in 32 bits can be given at once.
inline unsigned ClampToUnsigned(size_t size) {
  return static_cast<unsigned>(
      std::min<size_t>(size, std::numeric_limits<unsigned>::max()));
}

}  // namespace heapprof
