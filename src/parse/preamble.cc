// SPDX-License-Identifier: Apache-2.0
#include "parse/preamble.h"

#include <algorithm>

#include <fmt/core.h>

#include "heapprof/base/byte_order_mark.h"
#include "heapprof/io/line_cursor.h"
#include "parse/heap_v2_parser.h"

namespace heapprof {
namespace {

constexpr std::string_view kDashes = "---";  // before the name of a section

bool IsPreambleLine(std::string_view line) {
  return line.starts_with('%') || line.starts_with("<jemalloc>: ") ||
         StartsWithMarker(line, "heap") || StartsWithMarker(line, "growth");
}

}  // namespace

bool StartsWithMarker(std::string_view text, std::string_view word) {
  if (!text.starts_with(kDashes)) return false;
  text.remove_prefix(kDashes.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.starts_with(word);
}

Preamble SkipPreamble(std::string_view bytes, const std::string& name,
                      Diagnostics* diagnostics) {
  Preamble preamble;
  LineCursor cursor(bytes);
  while (const auto line = cursor.Next()) {
    if (!IsPreambleLine(*line)) break;
    constexpr std::string_view kWarn = "%warn ";
    if (diagnostics != nullptr && line->starts_with(kWarn))
      diagnostics->Warn(
          WarningKind::kProfileSays,
          fmt::format("{}: {}", name, line->substr(kWarn.size())));
    preamble.bytes = bytes.size() - cursor.rest().size();
    preamble.lines = cursor.line_number();
  }
  return preamble;
}

Preamble SkipToDump(std::string_view bytes, const std::string& name,
                    Diagnostics* diagnostics) {
  constexpr size_t kLookedAt = 4096;
  const Preamble preamble = SkipPreamble(bytes, name, diagnostics);
  const std::string_view rest = bytes.substr(preamble.bytes);
  if (rest.starts_with(kDashes)) return preamble;  // a section with its marker
  LineCursor cursor(rest.substr(0, kLookedAt));
  while (const auto line = cursor.Next()) {
    if (!HeapV2Period(WithoutByteOrderMark(*line))) continue;
    if (cursor.line_number() == 1) break;
    if (diagnostics != nullptr)
      diagnostics->Warn(
          WarningKind::kForeignLines,
          fmt::format("{}: left out what comes before the dump, which begins "
                      "at line {}",
                      name, preamble.lines + cursor.line_number()));
    const std::string_view header = rest.substr(cursor.line_offset());
    return {.bytes = bytes.size() - WithoutByteOrderMark(header).size(),
            .lines = preamble.lines + cursor.line_number() - 1};
  }
  return preamble;
}

}  // namespace heapprof
