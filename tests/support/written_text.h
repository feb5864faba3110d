// SPDX-License-Identifier: Apache-2.0
//
// The text that a report writes to a sink.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/byte_sink.h"

namespace heapprof {

// Calls `write` with a sink, and returns what it has written.
template <typename Write>
std::string WrittenText(Write write) {
  std::string text;
  ByteSink sink([&text](std::string_view block) {
    text += block;
    return Result<void>();
  });
  write(sink);
  return sink.Finish() ? text : "error";
}

}  // namespace heapprof
