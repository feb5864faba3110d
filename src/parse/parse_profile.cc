// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/parse_profile.h"

#include <utility>

#include <fmt/format.h>

#include "heapprof/io/line_cursor.h"
#include "parse/describe_content.h"
#include "parse/dump_reader.h"
#include "parse/flat_parser.h"
#include "parse/heap_v2_parser.h"
#include "parse/json_log_parser.h"
#include "parse/pprof_reader.h"
#include "parse/preamble.h"
#include "parse/symbolized_parser.h"

namespace heapprof {
namespace {

// pprof files start with field 1 (sample_type) or, as Go's runtime writes them,
// with field 11 (period_type): a short message.
bool LooksLikePprof(std::string_view bytes) {
  constexpr size_t kLongestValueType = 16;
  return bytes.size() > 2 && (bytes[0] == '\x0a' || bytes[0] == '\x5a') &&
         static_cast<unsigned char>(bytes[1]) <= kLongestValueType &&
         (bytes[2] == '\x08' || bytes[2] == '\x10');
}

// Checks the type in the ELF header, in either byte order.
bool IsCoreFile(std::string_view bytes) {
  constexpr size_t kType = 16;
  const std::string_view type =
      bytes.size() > kType ? bytes.substr(kType, 2) : std::string_view();
  return type == std::string_view("\4\0", 2) ||
         type == std::string_view("\0\4", 2);
}

// The name of `bytes`, in this format, for messages.
std::string_view Describe(std::string_view bytes, InputFormat format) {
  return format == InputFormat::kUnknown ? DescribeContent(bytes)
                                         : DescribeFormat(format);
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
    return IsCoreFile(bytes) ? InputFormat::kCoreFile : InputFormat::kElf;
  if (LooksLikePprof(bytes)) return InputFormat::kPprof;
  // Zero samples, then three more header words.
  if (bytes.starts_with(std::string_view("\0\0\0\0\0\0\0\0\3", 9)))
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
    case InputFormat::kCoreFile:
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
    case InputFormat::kCoreFile:
      return "a core file, the memory of a process";
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
    case InputFormat::kJson:
      return "jemalloc 5.2 or later (prof_log, prof_recent)";
    case InputFormat::kPprof:
    case InputFormat::kCpuProfile:
    case InputFormat::kContention:
    case InputFormat::kElf:
    case InputFormat::kCoreFile:
    case InputFormat::kEmpty:
    case InputFormat::kUnknown:
      return "";
  }
  return "";
}

Result<void> CheckPackedHead(std::string_view head, std::string_view packing) {
  const InputFormat format = DetectFormat(head);
  if (IsProfile(format)) return {};
  // The lines before a dump may be longer than the head.
  const size_t preamble = SkipPreamble(head, "", nullptr).bytes;
  if (format == InputFormat::kUnknown && preamble == head.size()) return {};
  return Fail(ErrorKind::kNotMine,
              fmt::format("{} compressed with {}, not a profile",
                          Describe(head, format), packing));
}

Result<Profile> ParseProfile(std::string_view bytes, const std::string& name,
                             Diagnostics& diagnostics,
                             const ParseOptions& options) {
  const InputFormat format = DetectFormat(bytes);
  if (format == InputFormat::kJson)
    return ParseJsonLog(bytes, name, options.maps, diagnostics);
  if (format == InputFormat::kPprof)
    return ReadPprof(bytes, name, options, diagnostics);
  if (format != InputFormat::kHeapV2 && format != InputFormat::kFlatHeap &&
      format != InputFormat::kSymbolized) {
    return Fail(ErrorKind::kNotMine,
                fmt::format("{}: {}, not a profile; expected a heap dump "
                            "('heap_v2/…' or 'heap profile:'), a symbolized "
                            "profile ('--- symbol') or a pprof profile",
                            name, Describe(bytes, format)));
  }
  const Preamble preamble = SkipPreamble(bytes, name, &diagnostics);
  const DumpSource source = {.text = bytes.substr(preamble.bytes),
                             .name = name,
                             .first_line = preamble.lines + 1,
                             .options = options};
  if (format == InputFormat::kHeapV2) return ParseHeapV2(source, diagnostics);
  if (format == InputFormat::kFlatHeap) return ParseFlat(source, diagnostics);
  return ParseSymbolized(source, diagnostics);
}

Result<MemoryMap> ParseMaps(std::string_view bytes, const std::string& name,
                            Diagnostics& diagnostics) {
  const InputFormat format = DetectFormat(bytes);
  std::string_view text = bytes;
  std::string_view what = Describe(bytes, format);
  if (IsProfile(format)) {
    what = "a profile without a memory map";
    LineCursor cursor(bytes);
    auto line = cursor.Next();
    while (line && !DumpReader::IsMapsMarker(*line)) line = cursor.Next();
    text = cursor.rest();
  }
  Diagnostics findings;
  MemoryMap map = MemoryMap::Parse(text, name, findings);
  if (map.entries().empty()) {
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: expected a dump with a memory map or a copy "
                            "of /proc/PID/maps, found {}",
                            name, what));
  }
  diagnostics.Merge(findings);
  return map;
}

}  // namespace heapprof
