// SPDX-License-Identifier: Apache-2.0
#include "report/json_values.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "heapprof/base/replace_all.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

int64_t Clamped(double whole) {
  constexpr double kLargest = 0x1p62;
  return static_cast<int64_t>(std::clamp(whole, -kLargest, kLargest));
}

void AppendEscaped(uint32_t code, std::string& out) {
  constexpr std::string_view kEscapable = "\b\f\n\r\t\"\\";
  constexpr std::string_view kEscapes = "bfnrt\"\\";
  constexpr uint32_t kFirstPair = 0x10000;
  if (code < 0x80)
    if (const size_t at = kEscapable.find(static_cast<char>(code));
        at != kEscapable.npos) {
      out += '\\';
      out += kEscapes[at];
      return;
    }
  if (code < kFirstPair) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    return;
  }
  code -= kFirstPair;
  fmt::format_to(std::back_inserter(out), "\\u{:04x}\\u{:04x}",
                 0xd800 | code >> 10, 0xdc00 | (code & 0x3ff));
}

bool IsPlain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

}  // namespace

std::string QuotedJson(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const auto plain = static_cast<size_t>(
        std::ranges::find_if_not(text, IsPlain) - text.begin());
    quoted += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const Utf8Character next = FirstCharacter(text);
    AppendEscaped(next.code, quoted);
    text.remove_prefix(next.size);
  }
  quoted += '"';
  return WithoutCommands(quoted);
}

std::string WithoutCommands(std::string_view json) {
  // "##" only occurs in strings. The runners of GitHub and Azure take "##[" and
  // "##vso[" for the start of a command.
  return ReplaceAll(json, "##", "#\\u0023");
}

int64_t WholeNumber(double value) { return Clamped(WholeValue(value)); }

WholeInterval WholeBounds(const Interval& interval) {
  const auto [lower, upper] = RoundedOutwards(interval);
  return {Clamped(lower), Clamped(upper)};
}

}  // namespace heapprof
