// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace heapprof {

class ByteSink;

// Writes bytes in Base64 (RFC 4648), with padding and without line breaks.
class Base64Stream {
 public:
  // The text goes to `out`, which must outlive this object.
  explicit Base64Stream(ByteSink& out) : out_(out) {}

  void Append(std::string_view bytes);
  // Call this once, after the last Append().
  void Finish();

 private:
  ByteSink& out_;
  std::string rest_;  // bytes that are too few for a group
};

}  // namespace heapprof
