// SPDX-License-Identifier: Apache-2.0
#include "parse/preamble.h"

#include <algorithm>

#include <fmt/core.h>

#include "heapprof/io/line_cursor.h"

namespace heapprof {

bool StartsWithMarker(std::string_view text, std::string_view word) {
  constexpr std::string_view kDashes = "---";
  if (!text.starts_with(kDashes)) return false;
  text.remove_prefix(kDashes.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.starts_with(word);
}

namespace {

bool IsPreambleLine(std::string_view line) {
  return line.starts_with('%') || line.starts_with("<jemalloc>: ") ||
         StartsWithMarker(line, "heap") || StartsWithMarker(line, "growth");
}

}  // namespace

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

}  // namespace heapprof
