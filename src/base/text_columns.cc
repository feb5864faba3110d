// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/text_columns.h"

#include <algorithm>

namespace heapprof {
namespace {

// Characters in UTF-8, whose bytes have the order of the characters.
struct Characters {
  std::string_view first, last;
};

// Those of East Asian Width "wide" or "fullwidth", except single symbols.
constexpr Characters kWide[] = {
    {"\u1100", "\u115f"},          // Hangul Jamo
    {"\u2e80", "\u303e"},          // radicals, punctuation
    {"\u3041", "\ua4cf"},          // kana, Bopomofo, Han, Yi ...
    {"\ua960", "\ua97f"},          // Hangul Jamo Extended-A
    {"\uac00", "\ud7a3"},          // Hangul
    {"\uf900", "\ufaff"},          // Han
    {"\ufe10", "\ufe19"},          // vertical forms
    {"\ufe30", "\ufe6f"},          // compatibility forms
    {"\uff01", "\uff60"},          // fullwidth forms
    {"\uffe0", "\uffe6"},          // fullwidth signs
    {"\U00016fe0", "\U0001b2ff"},  // Tangut, kana
    {"\U0001f300", "\U0001f64f"},  // pictographs, emoticons
    {"\U0001f680", "\U0001f6ff"},  // transport
    {"\U0001f900", "\U0001f9ff"},  // more pictographs
    {"\U00020000", "\U0003fffd"},  // Han
};

// Those that change the character before them, in the scripts that have only
// few, and those that nobody sees.
constexpr Characters kCombining[] = {
    {"\u0300", "\u036f"},          // diacritical marks
    {"\u0483", "\u0489"},          // Cyrillic
    {"\u0591", "\u05bd"},          // Hebrew
    {"\u064b", "\u065f"},          // Arabic
    {"\u0e31", "\u0e31"},          // Thai
    {"\u0e34", "\u0e3a"},          // Thai
    {"\u0e47", "\u0e4e"},          // Thai
    {"\u1ab0", "\u1aff"},          // more diacritical marks
    {"\u1dc0", "\u1dff"},          // more diacritical marks
    {"\u200b", "\u200d"},          // zero-width space, joiners
    {"\u20d0", "\u20f0"},          // marks for symbols
    {"\u3099", "\u309a"},          // kana
    {"\ufe00", "\ufe0f"},          // variation selectors
    {"\ufe20", "\ufe2f"},          // half marks
    {"\U000e0100", "\U000e01ef"},  // more variation selectors
};

template <size_t kCount>
bool IsAmong(const Characters (&ranges)[kCount], std::string_view character) {
  return std::ranges::any_of(ranges, [=](const Characters& range) {
    return character.size() == range.first.size() && range.first <= character &&
           character <= range.last;
  });
}

// Returns the first character of `text`, which is not empty.
std::string_view FirstCharacter(std::string_view text) {
  size_t end = 1;
  while (end < text.size() && IsContinuationByte(text[end])) ++end;
  return text.substr(0, end);
}

size_t WidthOf(std::string_view character) {
  if (character.size() == 1) return 1;
  if (IsAmong(kCombining, character)) return 0;
  return IsAmong(kWide, character) ? 2 : 1;
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
