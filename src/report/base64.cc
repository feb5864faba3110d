// SPDX-License-Identifier: Apache-2.0
#include "report/base64.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "heapprof/base/byte_sink.h"

namespace heapprof {
namespace {

constexpr size_t kGroup = 3;  // bytes, which become four characters

// Encodes one to three bytes.
std::array<char, 4> Encoded(std::string_view group) {
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
  return text;
}

}  // namespace

void WriteBase64(std::string_view bytes, ByteSink& out) {
  for (size_t i = 0; i < bytes.size(); i += kGroup) {
    const auto text = Encoded(bytes.substr(i, kGroup));
    out.Append({text.data(), text.size()});
  }
}

}  // namespace heapprof
