// SPDX-License-Identifier: Apache-2.0
//
// Names of any length are kept, as long as they do not take too much memory in
// all: a small file may let a hundred thousand functions share a long name.
#pragma once

#include <cstdint>
#include <string>

namespace heapprof {

class TextBudget {
 public:
  // Cuts `text` if it is long and the memory for long ones is used up.
  void Limit(std::string& text) {
    constexpr size_t kAlwaysKept = 512;
    if (text.size() <= kAlwaysKept) return;
    if (text.size() > left_)
      text.resize(kAlwaysKept);
    else
      left_ -= text.size();
  }

 private:
  uint64_t left_ = 64 << 20;
};

}  // namespace heapprof
