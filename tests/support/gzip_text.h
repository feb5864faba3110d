// SPDX-License-Identifier: Apache-2.0
//
// Compressed data for tests.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/byte_sink.h"
#include "heapprof/io/gzip.h"

namespace heapprof {

inline std::string Gzip(std::string_view bytes) {
  std::string packed;
  ByteSink sink([&packed](std::string_view block) -> Result<void> {
    packed += block;
    return {};
  });
  GzipStream gzip(sink, false);
  gzip.Append(bytes);
  gzip.Finish();
  return sink.Finish() ? packed : std::string();
}

}  // namespace heapprof
