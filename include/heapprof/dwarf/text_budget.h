// SPDX-License-Identifier: Apache-2.0
//
// Limits the memory for copies of long names. Without a limit, a small file
// could use up all memory, because a hundred thousand functions in it may share
// one long name. Names are kept whole until their total length reaches the
// limit. After that, long names are cut, and short ones are still kept whole.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

class TextBudget {
 public:
  // Cuts `text` if it is long and no longer fits into the limit.
  void Limit(std::string& text) { text.resize(SizeFor(text.size())); }
  void Limit(std::string_view& text) {
    text = text.substr(0, SizeFor(text.size()));
  }

 private:
  size_t SizeFor(size_t size) {
    constexpr size_t kAlwaysKept = 512;
    if (size <= kAlwaysKept) return size;
    if (size > left_) return kAlwaysKept;
    left_ -= size;
    return size;
  }

  uint64_t left_ = 64 << 20;
};

}  // namespace heapprof
