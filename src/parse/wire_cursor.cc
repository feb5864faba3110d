// SPDX-License-Identifier: Apache-2.0
#include "parse/wire_cursor.h"

#include <fmt/core.h>
#include <google/protobuf/io/coded_stream.h>

namespace heapprof {
namespace {

using google::protobuf::io::CodedInputStream;

// The wire type: the low three bits of a field's tag.
enum WireType : uint32_t {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kFixed32 = 5
};
constexpr uint32_t kWireTypeBits = 3;

CodedInputStream StreamOf(std::string_view bytes) {
  return CodedInputStream(reinterpret_cast<const uint8_t*>(bytes.data()),
                          static_cast<int>(bytes.size()));
}

}  // namespace

std::nullopt_t WireCursor::Stop(size_t at, std::string problem) {
  problem_ = fmt::format("byte {}: {}", offset_ + at, problem);
  position_ = message_.size();
  return std::nullopt;
}

std::optional<WireField> WireCursor::Next() {
  while (position_ < message_.size()) {
    const size_t start = position_;
    const std::string_view rest = message_.substr(start);
    CodedInputStream in = StreamOf(rest);
    uint32_t tag = 0;
    if (!in.ReadVarint32(&tag) || tag >> kWireTypeBits == 0)
      return Stop(start, "expected the tag of a field, found none");
    WireField field = {.number = tag >> kWireTypeBits,
                       .start = offset_ + start,
                       .offset = offset_ + start};
    const uint32_t type = tag & ((1u << kWireTypeBits) - 1);
    // The size of the content that follows what `in` has read. It is 0 for a
    // varint, because `in` reads all of it.
    uint64_t length = 0;
    if (type == kVarint) {
      if (!in.ReadVarint64(&field.value))
        return Stop(start, fmt::format("expected a number for field {}, found "
                                       "none",
                                       field.number));
    } else if (type == kBytes) {
      field.has_bytes = true;
      if (!in.ReadVarint64(&length))
        return Stop(start, fmt::format("expected a length for field {}, found "
                                       "none",
                                       field.number));
    } else if (type == kFixed64 || type == kFixed32) {
      length = type == kFixed64 ? sizeof(uint64_t) : sizeof(uint32_t);
    } else {
      return Stop(start, fmt::format("expected a field of wire type 0, 1, 2 or "
                                     "5, found field {} of type {}",
                                     field.number, type));
    }
    const auto begin = static_cast<size_t>(in.CurrentPosition());
    if (length > rest.size() - begin)
      return Stop(start,
                  fmt::format("expected {} bytes of field {}, found {}", length,
                              field.number, rest.size() - begin));
    position_ = start + begin + static_cast<size_t>(length);
    if (field.has_bytes) {
      field.bytes = rest.substr(begin, static_cast<size_t>(length));
      field.offset = offset_ + start + begin;
    }
    if (field.has_bytes || type == kVarint) return field;
  }
  return std::nullopt;
}

bool AppendNumbers(const WireField& field, std::vector<uint64_t>& numbers) {
  if (!field.has_bytes) {
    numbers.push_back(field.value);
    return true;
  }
  CodedInputStream in = StreamOf(field.bytes);
  const auto size = static_cast<int>(field.bytes.size());
  while (in.CurrentPosition() < size) {
    uint64_t number = 0;
    if (!in.ReadVarint64(&number)) return false;
    numbers.push_back(number);
  }
  return true;
}

}  // namespace heapprof
