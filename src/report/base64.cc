// SPDX-License-Identifier: Apache-2.0
#include "report/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "heapprof/base/byte_sink.h"

namespace heapprof {
namespace {

constexpr size_t kGroup = 3;  // bytes, which become four characters

// Writes one to three bytes.
void WriteGroup(std::string_view group, ByteSink& out) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr int kBits = 6;
  uint32_t bits = 0;
  for (size_t i = 0; i < kGroup; ++i)
    bits = bits << 8 |
           (i < group.size() ? static_cast<unsigned char>(group[i]) : 0u);
  std::array<char, 4> text = {};
  for (size_t i = 0; i < text.size(); ++i)
    text[i] = i <= group.size()
                  ? kDigits[bits >> (kBits * (3 - static_cast<int>(i))) & 63]
                  : '=';
  out.Append({text.data(), text.size()});
}

}  // namespace

void Base64Stream::Append(std::string_view bytes) {
  if (!rest_.empty()) {
    const std::string_view added = bytes.substr(0, kGroup - rest_.size());
    rest_ += added;
    bytes.remove_prefix(added.size());
    if (rest_.size() < kGroup) return;
    WriteGroup(rest_, out_);
  }
  for (; bytes.size() >= kGroup; bytes.remove_prefix(kGroup))
    WriteGroup(bytes.substr(0, kGroup), out_);
  rest_ = bytes;
}

void Base64Stream::Finish() {
  if (!rest_.empty()) WriteGroup(rest_, out_);
}

}  // namespace heapprof
