// SPDX-License-Identifier: Apache-2.0
//
// Writes the columns of an HTML report's data, and makes their list: see
// heapprof/report/html_data.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "heapprof/base/byte_sink.h"
#include "heapprof/base/varint.h"
#include "report/json_parts.h"

namespace heapprof {

class ColumnWriter {
 public:
  explicit ColumnWriter(ByteSink& out) : out_(out) {}

  // Adds a column with the result of `value(i)` for all i below `count`.
  void Unsigned(const std::string& name, size_t count, auto value) {
    Add(name, "u", count,
        [&](size_t i) { return static_cast<uint64_t>(value(i)); });
  }
  void Signed(const std::string& name, size_t count, auto value) {
    Add(name, "s", count, [&](size_t i) { return ZigZag(value(i)); });
  }
  // Adds a column with increasing numbers as distances.
  void Ascending(const std::string& name, size_t count, auto value) {
    uint64_t last = 0;
    Unsigned(name, count, [&](size_t i) {
      const uint64_t next = value(i);
      return next - std::exchange(last, next);
    });
  }

  // Adds a column of texts without control characters.
  void Texts(const std::string& name, size_t count, auto text) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i) bytes += Append(text(i));
    list_.push_back({name, "t", count, bytes});
  }

  Json TakeList() { return std::move(list_); }

 private:
  void Add(const std::string& name, const char* kind, size_t count,
           auto value) {
    size_t bytes = 0;
    for (size_t i = 0; i < count; ++i) bytes += Append(value(i));
    list_.push_back({name, kind, count, bytes});
  }

  // Return the number of bytes.
  size_t Append(std::string_view text) {
    out_.Append(text);
    out_.Append("\n");
    return text.size() + 1;
  }
  size_t Append(uint64_t value) {
    size_t bytes = 0;
    out_.AppendBy(kMaxVarintSize, [&](char* to) {
      char* const end = PutVarint(to, value);
      bytes = static_cast<size_t>(end - to);
      return end;
    });
    return bytes;
  }

  Json list_ = Json::array();
  ByteSink& out_;
};

}  // namespace heapprof
