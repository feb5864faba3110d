// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/printable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace heapprof {
namespace {

struct Utf8Range {
  std::string_view first, last;  // of the same length
};

constexpr Utf8Range kControls[] = {
    {std::string_view("\0", 1), "\x1f"},
    {"\x7f", "\x7f"},
    {"\xc2\x80", "\xc2\x9f"},
    {"\xd8\x9c", "\xd8\x9c"},          // U+061C, Arabic letter mark
    {"\xe2\x80\x8e", "\xe2\x80\x8f"},  // U+200E, left-to-right mark ...
    {"\xe2\x80\xa8", "\xe2\x80\xae"},  // U+2028, line separator ...
    {"\xe2\x81\xa6", "\xe2\x81\xa9"},  // U+2066, left-to-right isolate ...
};

// Returns the number of bytes of the control character at the start of `text`,
// or 0 if there is none.
size_t ControlLength(std::string_view text) {
  for (const auto& [first, last] : kControls) {
    const std::string_view start = text.substr(0, first.size());
    if (start.size() == first.size() && first <= start && start <= last)
      return first.size();
  }
  return 0;
}

// Most bytes of names are plain ASCII. They need no search in kControls.
bool IsPlain(char c) { return c >= ' ' && c < '\x7f'; }

// Unlike a search, looks at every byte, so that the compiler can take many at
// once.
bool IsAllPlain(std::string_view text) {
  uint8_t others = 0;
  for (const char c : text)
    others = static_cast<uint8_t>(others | (IsPlain(c) ? 0 : 1));
  return others == 0;
}

// Returns the first position, from `at`, of a "##[" or "##vso[", which begin a
// command wherever they are in a line; npos if there is none.
size_t FindCommand(std::string_view text, size_t at) {
  for (; (at = text.find("##", at)) != text.npos; ++at) {
    const std::string_view rest = text.substr(at + 2);
    if (rest.starts_with('[') || rest.starts_with("vso[")) break;
  }
  return at;
}

void DisarmCommands(std::string& text) {
  for (size_t at = 0; (at = FindCommand(text, at)) != text.npos; ++at)
    text[at + 1] = '?';
}

}  // namespace

bool IsPrintable(std::string_view text) {
  return IsAllPlain(text) && FindCommand(text, 0) == text.npos;
}

std::string Printable(std::string_view text) {
  if (IsPrintable(text)) return std::string(text);
  std::string printable;
  printable.reserve(text.size());
  while (true) {
    const auto plain = static_cast<size_t>(
        std::ranges::find_if_not(text, IsPlain) - text.begin());
    printable += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    const size_t length = ControlLength(text);
    printable += length == 0 ? text.front() : '?';
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  DisarmCommands(printable);
  return printable;
}

}  // namespace heapprof
