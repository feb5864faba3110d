// SPDX-License-Identifier: Apache-2.0
#include "heapprof/record/dump_name.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "heapprof/base/char_class.h"
#include "heapprof/base/parse_number.h"

namespace heapprof {
namespace {

// Removes the part after the last dot from `name` and returns it.
std::string_view PopPart(std::string_view& name) {
  const size_t dot = name.rfind('.');
  if (dot == name.npos) return {};
  const std::string_view part = name.substr(dot + 1);
  name = name.substr(0, dot);
  return part;
}

bool IsKind(std::string_view part) {
  if (part == "f") return true;
  return !part.empty() && std::string_view("iumr").contains(part.front()) &&
         IsAllDigits(part.substr(1));
}

// Returns "gz" for "server.heap.gz"; empty if there is no dot.
std::string_view ExtensionOf(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == name.npos ? std::string_view() : name.substr(dot + 1);
}

}  // namespace

std::string_view WithoutCompressionSuffix(std::string_view name) {
  for (const std::string_view packed : kCompressionExtensions)
    if (ExtensionOf(name) == packed) name.remove_suffix(packed.size() + 1);
  return name;
}

std::string_view ProfileExtensionOf(std::string_view name) {
  const auto known = std::ranges::find(kProfileExtensions, ExtensionOf(name));
  return known == std::end(kProfileExtensions) ? std::string_view() : *known;
}

std::optional<DumpName> ParseDumpName(std::string_view path) {
  std::string_view rest = WithoutCompressionSuffix(path);
  if (PopPart(rest) != "heap") return std::nullopt;
  const std::string_view kind = PopPart(rest);
  const std::string_view sequence = PopPart(rest);
  const std::string_view process = rest;
  const std::string_view pid = PopPart(rest);
  if (!IsKind(kind) || !IsAllDigits(sequence) || !IsAllDigits(pid) ||
      rest.empty())
    return std::nullopt;
  return DumpName{.process = process,
                  .pid = pid,
                  .sequence = ParseNumber<uint64_t>(sequence).value_or(0),
                  .kind = kind.front()};
}

std::string_view ProcessOfLog(std::string_view path) {
  std::string_view rest = WithoutCompressionSuffix(path);
  if (PopPart(rest) != "json" || !IsAllDigits(PopPart(rest))) return {};
  const std::string_view process = rest;
  return IsAllDigits(PopPart(rest)) && !rest.empty() ? process
                                                     : std::string_view();
}

}  // namespace heapprof
