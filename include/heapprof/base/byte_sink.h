// SPDX-License-Identifier: Apache-2.0
//
// Where a report goes. A sink passes the bytes on in blocks while the report is
// being made, so that a report of any length needs little memory.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/append_format.h"
#include "heapprof/base/error.h"

namespace heapprof {

class ByteSink {
 public:
  // Bytes are collected until there are this many.
  static constexpr size_t kBlockSize = size_t{256} << 10;

  // Writes the bytes of a block after those of the previous block.
  using WriteBlock = std::function<Result<void>(std::string_view block)>;

  explicit ByteSink(WriteBlock write_block);
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;

  // Adds bytes. After an error, ignores them: Finish() returns the error.
  void Append(std::string_view bytes) {
    if (bytes.size() >= kBlockSize) return AppendLarge(bytes);
    pending_ += bytes;
    WriteIfFull();
  }
  template <typename... Args>
  void Format(fmt::format_string<Args...> format, Args&&... args) {
    AppendFormat(pending_, format, std::forward<Args>(args)...);
    WriteIfFull();
  }
  // Adds what `fill` writes to the `most` bytes at `char* to`. `fill` returns
  // the end of it.
  template <typename Fill>
  void AppendBy(size_t most, Fill fill) {
    const size_t before = pending_.size();
    pending_.resize_and_overwrite(before + most, [&](char* bytes, size_t) {
      return static_cast<size_t>(fill(bytes + before) - bytes);
    });
    WriteIfFull();
  }

  // Writes what is left. Returns the first error of all writes.
  Result<void> Finish();

 private:
  void AppendLarge(std::string_view bytes);
  void WriteIfFull() {
    if (pending_.size() >= kBlockSize) WritePending();
  }
  void WritePending();
  void Write(std::string_view block);

  WriteBlock write_block_;
  std::string pending_;
  Result<void> status_ = {};
};

}  // namespace heapprof
