// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_columns.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

#include "base/character_widths.h"

namespace heapprof {
namespace {

// Returns the character that these bytes are in UTF-8; 0 if they are none.
char32_t Decoded(std::string_view bytes) {
  const auto first = static_cast<uint8_t>(bytes.front());
  const auto size = static_cast<size_t>(std::countl_one(first));
  if (size != bytes.size()) return 0;
  char32_t character = first & (0x7fu >> size);
  for (const char byte : bytes.substr(1))
    character = character << 6 | (static_cast<uint8_t>(byte) & 0x3fu);
  return character;
}

bool IsAmong(std::span<const CharacterRange> ranges, char32_t character) {
  const auto range =
      std::ranges::lower_bound(ranges, character, {}, &CharacterRange::last);
  return range != ranges.end() && range->first <= character;
}

// Returns the first character of `text`, which is not empty.
std::string_view FirstCharacter(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && IsContinuationByte(text[end])) ++end;
  return text.substr(0, end);
}

size_t WidthOf(std::string_view bytes) {
  if (bytes.size() == 1) return 1;
  const char32_t character = Decoded(bytes);
  if (IsAmong(kCombiningCharacters, character)) return 0;
  return IsAmong(kWideCharacters, character) ? 2 : 1;
}

// Returns the end of `text`, at most this many columns.
std::string_view LastColumns(std::string_view text, size_t columns) {
  size_t width = Columns(text);
  while (width > columns ||
         (width != 0 && WidthOf(FirstCharacter(text)) == 0)) {
    const std::string_view character = FirstCharacter(text);
    width -= WidthOf(character);
    text.remove_prefix(character.size());
  }
  return text;
}

}  // namespace

size_t Columns(std::string_view text) {
  size_t columns = 0;
  while (!text.empty()) {
    const std::string_view character = FirstCharacter(text);
    columns += WidthOf(character);
    text.remove_prefix(character.size());
  }
  return columns;
}

std::string_view FirstColumns(std::string_view text, size_t columns) {
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view character = FirstCharacter(rest);
    const size_t width = WidthOf(character);
    if (width > columns) break;
    columns -= width;
    rest.remove_prefix(character.size());
  }
  return text.substr(0, text.size() - rest.size());
}

std::string Shortened(std::string_view text, size_t columns) {
  if (Columns(text) <= columns) return std::string(text);
  const size_t tail = (columns - 1) * 2 / 3;
  const size_t head = columns - 1 - tail;
  return std::string(FirstColumns(text, head)) + "…" +
         std::string(LastColumns(text, tail));
}

}  // namespace heapprof
