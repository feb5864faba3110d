// SPDX-License-Identifier: Apache-2.0
//
// Encodes protobuf messages without building an object for each. Like proto3,
// leaves out numbers that are 0.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/byte_sink.h"
#include "heapprof/base/varint.h"

namespace heapprof {

// The encoded fields of one message. Field numbers must be below 16, so that a
// tag takes one byte.
class WireMessage {
 public:
  void Clear() { bytes_.clear(); }

  void AddNumber(uint32_t field, uint64_t number) {
    if (number == 0) return;
    AddTag(field, kVarint);
    AddVarint(number);
  }
  // Adds a string or an encoded message.
  void AddBytes(uint32_t field, std::string_view bytes) {
    AddHeading(field, bytes.size());
    bytes_ += bytes;
  }
  // Adds a repeated field of numbers, some of which may be 0.
  void AddNumbers(uint32_t field, const std::vector<uint64_t>& numbers) {
    size_t size = 0;
    for (const uint64_t number : numbers) size += VarintSize(number);
    AddHeading(field, size);
    for (const uint64_t number : numbers) AddVarint(number);
  }
  // Adds encoded fields.
  void AddFields(std::string_view fields) { bytes_ += fields; }
  // Starts a string or a message, whose `size` bytes come next.
  void AddHeading(uint32_t field, size_t size) {
    AddTag(field, kLengthDelimited);
    AddVarint(size);
  }

  std::string_view bytes() const { return bytes_; }

 private:
  enum WireType : uint32_t { kVarint = 0, kLengthDelimited = 2 };

  static size_t VarintSize(uint64_t number) {
    constexpr size_t kBitsPerByte = 7;
    return (static_cast<size_t>(std::bit_width(number | 1)) + kBitsPerByte -
            1) /
           kBitsPerByte;
  }
  void AddTag(uint32_t field, WireType type) {
    bytes_.push_back(static_cast<char>(field << 3 | type));
  }
  void AddVarint(uint64_t number) {
    PutVarint(std::back_inserter(bytes_), number);
  }

  std::string bytes_;
};

// Writes the fields of a file's only message, and counts the bytes.
class WireFile {
 public:
  explicit WireFile(ByteSink& out) : out_(out) {}

  void AddNumber(uint32_t field, uint64_t number) {
    scratch_.Clear();
    scratch_.AddNumber(field, number);
    Append(scratch_.bytes());
  }
  void AddBytes(uint32_t field, std::string_view bytes) {
    scratch_.Clear();
    scratch_.AddHeading(field, bytes.size());
    Append(scratch_.bytes());
    Append(bytes);
  }

  uint64_t size() const { return size_; }

 private:
  void Append(std::string_view bytes) {
    out_.Append(bytes);
    size_ += bytes.size();
  }

  ByteSink& out_;
  uint64_t size_ = 0;
  WireMessage scratch_;
};

}  // namespace heapprof
