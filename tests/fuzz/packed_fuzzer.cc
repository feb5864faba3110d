// SPDX-License-Identifier: Apache-2.0
//
// Any bytes inflate to the packed content, to a part of it, or to an error with
// a message; never to more than the limit.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "heapprof/io/unpack.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  constexpr uint64_t kLimit = uint64_t{4} << 20;
  for (const auto format :
       {heapprof::CompressedFormat::kGzip, heapprof::CompressedFormat::kZstd,
        heapprof::CompressedFormat::kXz, heapprof::CompressedFormat::kBzip2}) {
    const auto inflated = heapprof::Unpack(format, bytes, kLimit);
    if (inflated ? inflated->bytes.size() > kLimit
                 : inflated.error().message.empty())
      std::abort();
  }
  return 0;
}
