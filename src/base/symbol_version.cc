// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/symbol_version.h"

#include <algorithm>
#include <cstddef>

#include "heapprof/base/char_class.h"

namespace heapprof {
namespace {

// True if an '@' after `symbol` may start a version. False for local labels of
// assemblers ("..@4.loop"), and for the descriptions that JIT compilers give to
// functions ("load /app/lib").
bool MayHaveVersion(std::string_view symbol) {
  constexpr std::string_view kLast = ")>]}";
  return !symbol.empty() && IsWord(symbol.front()) &&
         (IsWord(symbol.back()) || kLast.contains(symbol.back()) ||
          symbol.ends_with(" const")) &&
         !symbol.contains('/') &&
         (!symbol.contains(' ') || symbol.contains('('));
}

}  // namespace

std::string_view CutSymbolVersion(std::string_view name) {
  if (!name.contains('@')) return name;
  const auto tail = std::ranges::find_if_not(
      name.rbegin(), name.rend(),
      [](char c) { return IsWord(c) || c == '.' || c == '-' || c == '+'; });
  const auto start = static_cast<size_t>(name.rend() - tail);
  const std::string_view version = name.substr(start);
  if (version.empty() || version == "plt" || !IsWord(version.front()) ||
      IsDigit(version.front()))
    return name;
  size_t size = start;
  while (size > 0 && name[size - 1] == '@') --size;
  return size < start && MayHaveVersion(name.substr(0, size))
             ? name.substr(0, size)
             : name;
}

}  // namespace heapprof
