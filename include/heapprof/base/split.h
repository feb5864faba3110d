// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

namespace heapprof {

// Returns the parts of `text` between its separators. Two separators in a row
// have an empty part between them; empty text has no part.
inline std::vector<std::string_view> Split(std::string_view text,
                                           char separator) {
  std::vector<std::string_view> parts;
  for (const auto part : std::views::split(text, separator))
    parts.emplace_back(part.begin(), part.end());
  return parts;
}

// Returns copies of the parts that are not empty.
inline std::vector<std::string> SplitNonEmpty(std::string_view text,
                                              char separator) {
  std::vector<std::string> parts;
  for (const std::string_view part : Split(text, separator))
    if (!part.empty()) parts.emplace_back(part);
  return parts;
}

// Returns the position of `word` in `choices`, such as "auto|always|never".
inline std::optional<size_t> FindChoice(std::string_view choices,
                                        std::string_view word) {
  size_t position = 0;
  for (const std::string_view choice : Split(choices, '|')) {
    if (choice == word) return position;
    ++position;
  }
  return std::nullopt;
}

// Returns the word at `position`, of which `choices` must have more. The
// inverse of FindChoice().
inline std::string_view ChoiceAt(std::string_view choices, size_t position) {
  while (position-- > 0) choices.remove_prefix(choices.find('|') + 1);
  return choices.substr(0, choices.find('|'));
}

// Returns the words of `choices` as a sentence has them: "auto, always or
// never".
inline std::string ChoicesText(std::string_view choices) {
  const std::vector<std::string_view> words = Split(choices, '|');
  std::string text(words.front());
  for (size_t i = 1; i < words.size(); ++i) {
    text += i + 1 < words.size() ? ", " : " or ";
    text += words[i];
  }
  return text;
}

}  // namespace heapprof
