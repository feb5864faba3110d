// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/parse_profile.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "heapprof/io/line_cursor.h"
#include "parse/heap_v2_parser.h"
#include "parse/symbolized_parser.h"

namespace heapprof {
namespace {

// Lines that may stand in front of any text header: commands ("%warn …"), and
// jemalloc's leak report, which lands in the dump when a daemon has closed its
// standard error and the dump got that descriptor.
struct Preamble {
  size_t bytes = 0;
  size_t lines = 0;
};

// "--- heap": any number of blanks may precede the word.
bool StartsWithMarker(std::string_view text, std::string_view word) {
  constexpr std::string_view kDashes = "---";
  if (!text.starts_with(kDashes)) return false;
  text.remove_prefix(kDashes.size());
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text.starts_with(word);
}

bool IsPreambleLine(std::string_view line) {
  return line.starts_with('%') || line.starts_with("<jemalloc>: ") ||
         StartsWithMarker(line, "heap") || StartsWithMarker(line, "growth");
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
          "profile says",
          fmt::format("{}: {}", name, line->substr(kWarn.size())));
    preamble.bytes = bytes.size() - cursor.rest().size();
    preamble.lines = cursor.line_number();
  }
  return preamble;
}

// pprof files start with field 1 (sample_type), a message of a few bytes.
bool LooksLikePprof(std::string_view bytes) {
  constexpr size_t kLongestValueType = 16;
  return bytes.size() > 2 && bytes[0] == '\x0a' &&
         static_cast<unsigned char>(bytes[1]) <= kLongestValueType &&
         (bytes[2] == '\x08' || bytes[2] == '\x10');
}

InputFormat DetectText(std::string_view text) {
  if (StartsWithMarker(text, "symbol")) return InputFormat::kSymbolized;
  if (StartsWithMarker(text, "contention") || StartsWithMarker(text, "Stacks:"))
    return InputFormat::kContention;
  if (text.starts_with("heap_v2/")) return InputFormat::kHeapV2;
  if (text.starts_with("heap profile:")) return InputFormat::kFlatHeap;
  if (text.starts_with('{')) return InputFormat::kJson;
  return InputFormat::kUnknown;
}

}  // namespace

InputFormat DetectFormat(std::string_view bytes) {
  if (bytes.empty()) return InputFormat::kEmpty;
  if (bytes.starts_with("\x7f"
                        "ELF"))
    return InputFormat::kElf;
  if (LooksLikePprof(bytes)) return InputFormat::kPprof;
  constexpr size_t kCpuHeader = 8;
  if (bytes.size() >= kCpuHeader &&
      bytes.substr(0, kCpuHeader) == std::string_view("\0\0\0\0\0\0\0\0", 8))
    return InputFormat::kCpuProfile;
  return DetectText(bytes.substr(SkipPreamble(bytes, "", nullptr).bytes));
}

bool IsProfile(InputFormat format) {
  switch (format) {
    case InputFormat::kHeapV2:
    case InputFormat::kSymbolized:
    case InputFormat::kFlatHeap:
    case InputFormat::kPprof:
    case InputFormat::kJson:
      return true;
    case InputFormat::kCpuProfile:
    case InputFormat::kContention:
    case InputFormat::kElf:
    case InputFormat::kEmpty:
    case InputFormat::kUnknown:
      return false;
  }
  return false;
}

std::string_view DescribeFormat(InputFormat format) {
  switch (format) {
    case InputFormat::kHeapV2:
      return "a jemalloc heap dump";
    case InputFormat::kSymbolized:
      return "a symbolized heap profile";
    case InputFormat::kFlatHeap:
      return "a flat 'heap profile:' dump";
    case InputFormat::kPprof:
      return "a pprof profile";
    case InputFormat::kJson:
      return "a JSON file";
    case InputFormat::kCpuProfile:
      return "a gperftools CPU profile";
    case InputFormat::kContention:
      return "a lock contention profile";
    case InputFormat::kElf:
      return "an ELF file";
    case InputFormat::kEmpty:
      return "an empty file";
    case InputFormat::kUnknown:
      return "in an unknown format";
  }
  return "";
}

std::string_view ProducersOf(InputFormat format) {
  switch (format) {
    case InputFormat::kHeapV2:
      return "jemalloc 4.0 or later";
    case InputFormat::kSymbolized:
      return "jeprof --raw, or a service with its own symbols";
    case InputFormat::kFlatHeap:
      return "jemalloc 3.6 or earlier, gperftools, or tcmalloc";
    case InputFormat::kPprof:
    case InputFormat::kJson:
    case InputFormat::kCpuProfile:
    case InputFormat::kContention:
    case InputFormat::kElf:
    case InputFormat::kEmpty:
    case InputFormat::kUnknown:
      return "";
  }
  return "";
}

Result<Profile> ParseProfile(std::string_view bytes, const std::string& name,
                             Diagnostics& diagnostics) {
  const InputFormat format = DetectFormat(bytes);
  if (format != InputFormat::kHeapV2 && format != InputFormat::kSymbolized) {
    return Fail(ErrorKind::kNotMine,
                fmt::format("{}: expected a jemalloc heap dump ('heap_v2/…') "
                            "or a symbolized profile ('--- symbol'), but it "
                            "is {}",
                            name, DescribeFormat(format)));
  }
  const Preamble preamble = SkipPreamble(bytes, name, &diagnostics);
  bytes.remove_prefix(preamble.bytes);
  const size_t first_line = preamble.lines + 1;
  return format == InputFormat::kHeapV2
             ? ParseHeapV2(bytes, name, first_line,
                           FrameAddresses::kReturnAddresses, diagnostics)
             : ParseSymbolized(bytes, name, first_line, diagnostics);
}

}  // namespace heapprof
