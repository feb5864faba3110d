// SPDX-License-Identifier: Apache-2.0
//
// Iterates over the fields of one protobuf message without building an object
// for it, because the objects of a profile of half a gigabyte would take
// several gigabytes. The bytes may be anything; the iteration stops at
// malformed data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

struct WireField {
  uint32_t number = 0;
  bool has_bytes = false;       // length-delimited: a string or a message
  uint64_t value = 0;           // the number, if the field is a varint
  std::string_view bytes = {};  // the content, if has_bytes
  uint64_t start = 0;           // offset of the field in the file
  uint64_t offset = 0;          // offset of `bytes` in the file, or `start`
};

class WireCursor {
 public:
  // `offset` is the position of the message in its file. The message must not
  // be larger than 2 GiB.
  WireCursor(std::string_view message, uint64_t offset)
      : message_(message), offset_(offset) {}

  // Returns the next varint or length-delimited field and skips other fields.
  std::optional<WireField> Next();

  // Says why the iteration stopped early: the place, what was expected there,
  // and what was found. Empty if the iteration did not stop early.
  const std::string& problem() const { return problem_; }

 private:
  std::nullopt_t Stop(size_t at, std::string problem);

  std::string_view message_;
  uint64_t offset_;
  size_t position_ = 0;
  std::string problem_;
};

// Appends the numbers of a repeated field, packed or not, to `numbers`. Returns
// false if the last one is incomplete.
bool AppendNumbers(const WireField& field, std::vector<uint64_t>& numbers);

}  // namespace heapprof
