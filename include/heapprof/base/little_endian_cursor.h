// SPDX-License-Identifier: Apache-2.0
//
// Reads little-endian values with bounds checks. After the first read past the
// end, every read returns 0 and ok() is false, so that a whole record can be
// read and then checked once.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace heapprof {

static_assert(std::endian::native == std::endian::little);

class LittleEndianCursor {
 public:
  LittleEndianCursor() = default;
  // Starts at `offset`; ok() is false if that is past the end.
  explicit LittleEndianCursor(std::span<const uint8_t> bytes,
                              uint64_t offset = 0)
      : start_(bytes.data()), end_(bytes.data() + bytes.size()) {
    ok_ = offset <= bytes.size();
    at_ = ok_ ? start_ + offset : end_;
  }

  bool ok() const { return ok_; }
  bool AtEnd() const { return at_ == end_; }
  uint64_t offset() const { return static_cast<uint64_t>(at_ - start_); }
  uint64_t remaining() const { return static_cast<uint64_t>(end_ - at_); }

  // Returns the next byte without moving past it; 0 at the end.
  uint8_t Peek() const { return AtEnd() ? uint8_t{0} : *at_; }

  template <typename T>
  T Read() {
    T value = 0;
    if (remaining() < sizeof(T)) return Failed<T>();
    std::memcpy(&value, at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  uint8_t U8() { return Read<uint8_t>(); }
  uint16_t U16() { return Read<uint16_t>(); }
  uint32_t U32() { return Read<uint32_t>(); }
  uint64_t U64() { return Read<uint64_t>(); }

  // Reads an unsigned value of `size` bytes. `size` is at most 8; if it is 0,
  // returns 0.
  uint64_t Unsigned(size_t size) {
    switch (size) {
      case 0:
        return 0;
      case 1:
        return Read<uint8_t>();
      case 2:
        return Read<uint16_t>();
      case 4:
        return Read<uint32_t>();
      case 8:
        return Read<uint64_t>();
      default:
        break;
    }
    uint64_t value = 0;
    if (remaining() < size || size > sizeof(value)) return Failed<uint64_t>();
    if (remaining() >= sizeof(value)) {  // copying a fixed 8 bytes is faster
      std::memcpy(&value, at_, sizeof(value));
      at_ += size;
      return value & ((uint64_t{1} << (8 * size)) - 1);
    }
    std::memcpy(&value, at_, size);
    at_ += size;
    return value;
  }

  // Reads an unsigned LEB128 number. Bits after the 64th are dropped.
  uint64_t Uleb() {
    if (at_ != end_ && *at_ < 0x80) return *at_++;
    uint64_t value = 0;
    for (unsigned shift = 0; at_ != end_; shift += 7) {
      const uint8_t byte = *at_++;
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    return Failed<uint64_t>();
  }
  int64_t Sleb() {
    if (at_ != end_ && *at_ < 0x80) return (*at_++ ^ 0x40) - 0x40;
    uint64_t value = 0;
    for (unsigned shift = 0; at_ != end_;) {
      const uint8_t byte = *at_++;
      if (shift < 64) value |= uint64_t{byte & 0x7fu} << shift;
      shift += 7;
      if (byte >= 0x80) continue;
      if ((byte & 0x40) != 0 && shift < 64) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
    return Failed<int64_t>();
  }
  void SkipLeb() {
    while (at_ != end_)
      if (*at_++ < 0x80) return;
    ok_ = false;
  }

  // Returns the text up to the next NUL and moves past the NUL.
  std::string_view String() {
    const void* nul = AtEnd() ? nullptr : std::memchr(at_, 0, remaining());
    if (nul == nullptr) return Failed<std::string_view>();
    const char* text = reinterpret_cast<const char*>(at_);
    at_ = static_cast<const uint8_t*>(nul) + 1;
    return {text, static_cast<const char*>(nul)};
  }

  void Skip(uint64_t count) {
    if (remaining() < count) {
      Failed<int>();
    } else {
      at_ += count;
    }
  }
  std::span<const uint8_t> Bytes(uint64_t count) {
    if (remaining() < count) return Failed<std::span<const uint8_t>>();
    const std::span part(at_, count);
    at_ += count;
    return part;
  }
  // Returns a cursor over the next `count` bytes and moves past them.
  LittleEndianCursor Take(uint64_t count) {
    return LittleEndianCursor(Bytes(count));
  }

 private:
  template <typename T>
  T Failed() {
    ok_ = false;
    at_ = end_;
    return T{};
  }

  const uint8_t* start_ = nullptr;
  const uint8_t* at_ = nullptr;
  const uint8_t* end_ = nullptr;
  bool ok_ = true;
};

}  // namespace heapprof
