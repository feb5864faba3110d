// SPDX-License-Identifier: Apache-2.0
//
// Names of any length are kept, as long as they do not take too much memory in
// all: a small file may let a hundred thousand functions share a long name.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

class TextBudget {
 public:
  // Cuts `text` if it is long and the memory for long ones is used up.
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
