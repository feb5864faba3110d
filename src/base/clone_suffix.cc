// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/clone_suffix.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace heapprof {
namespace {

// Go's functions are called "PACKAGE.FUNCTION", such as "maps.clone", so a word
// that compilers always number counts only with its number.
bool IsCloneWord(std::string_view word, bool has_number) {
  constexpr std::array<std::string_view, 4> kWords = {"cold", "hot", "warm",
                                                      "localalias"};
  constexpr std::array<std::string_view, 10> kNumbered = {
      "isra",  "part",   "constprop", "llvm",        "lto_priv",
      "clone", "__part", "__uniq",    "specialized", "memprof"};
  const auto is_in = [word](const auto& words) {
    return std::ranges::find(words, word) != words.end();
  };
  return is_in(kWords) || (has_number && is_in(kNumbered));
}

// Returns the length of `name` without its last clone suffix (".word" or
// ".word.123"), or the whole length if it has no such suffix.
size_t SizeWithoutClone(std::string_view name) {
  size_t end = name.size();
  const size_t number = name.find_last_not_of("0123456789");
  if (number != name.npos && number + 1 < end && name[number] == '.')
    end = number;
  const std::string_view stem = name.substr(0, end);
  const size_t dot = stem.find_last_not_of("abcdefghijklmnopqrstuvwxyz_");
  if (dot == name.npos || dot == 0 || name[dot] != '.') return name.size();
  return IsCloneWord(stem.substr(dot + 1), end < name.size()) ? dot
                                                              : name.size();
}

}  // namespace

std::string_view CutCloneSuffix(std::string_view name) {
  size_t before;
  do {
    before = name.size();
    name = name.substr(0, SizeWithoutClone(name));
  } while (name.size() < before);
  return name;
}

}  // namespace heapprof
