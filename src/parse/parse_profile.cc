// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/parse_profile.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "heapprof/base/byte_order_mark.h"
#include "heapprof/io/line_cursor.h"
#include "parse/describe_content.h"
#include "parse/dump_reader.h"
#include "parse/flat_parser.h"
#include "parse/folded_parser.h"
#include "parse/heap_v2_parser.h"
#include "parse/json_log_parser.h"
#include "parse/pprof_reader.h"
#include "parse/preamble.h"
#include "parse/symbolized_parser.h"

namespace heapprof {

class InputHead {
 public:
  explicit InputHead(std::string_view bytes)
      : bytes_(WithoutByteOrderMark(bytes)) {}

  std::string_view bytes() const { return bytes_; }
  bool StartsWith(std::string_view start) const {
    return bytes_.starts_with(start);
  }
  // Returns the input without the few lines that may precede a text dump.
  std::string_view Text() const {
    if (!text_) text_ = bytes_.substr(SkipToDump(bytes_, "", nullptr).bytes);
    return *text_;
  }

 private:
  std::string_view bytes_;
  mutable std::optional<std::string_view> text_;
};

struct ParseInput {
  std::string_view bytes;
  const std::string& name;  // for messages
  const ParseOptions& options;
};

namespace {

bool IsEmpty(const InputHead& head) { return head.bytes().empty(); }

bool IsElf(const InputHead& head) {
  return head.StartsWith(
      "\x7f"
      "ELF");
}

// True if the type in the ELF header, in either byte order, is ET_CORE.
bool IsCoreFile(const InputHead& head) {
  constexpr size_t kType = 16;
  if (!IsElf(head) || head.bytes().size() <= kType) return false;
  const std::string_view type = head.bytes().substr(kType, 2);
  return type == std::string_view("\4\0", 2) ||
         type == std::string_view("\0\4", 2);
}

// Removes numbers that may come first in a pprof file, such as the time, with
// which Go's runtime begins a CPU profile.
std::string_view WithoutNumbers(std::string_view bytes) {
  constexpr size_t kMostNumbers = 4, kLongestNumber = 10;
  // Fields 9, 10, 12, 13 and 14.
  constexpr std::string_view kNumbers = "\x48\x50\x60\x68\x70";
  for (size_t i = 0;
       i < kMostNumbers && !bytes.empty() && kNumbers.contains(bytes.front());
       ++i) {
    size_t size = 1;
    while (size < std::min(bytes.size(), kLongestNumber) &&
           (static_cast<unsigned char>(bytes[size]) & 0x80) != 0)
      ++size;
    bytes.remove_prefix(std::min(size + 1, bytes.size()));
  }
  return bytes;
}

// Recognises a pprof file by its first field but for numbers, a short message
// of type ValueType. This is field 1 (sample_type) or, if Go's runtime has
// written the file, field 11 (period_type).
bool IsPprof(const InputHead& head) {
  constexpr size_t kLongestValueType = 16;
  const std::string_view bytes = WithoutNumbers(head.bytes());
  return bytes.size() > 2 && (bytes[0] == '\x0a' || bytes[0] == '\x5a') &&
         static_cast<unsigned char>(bytes[1]) <= kLongestValueType &&
         (bytes[2] == '\x08' || bytes[2] == '\x10');
}

// The header of a gperftools CPU profile is an array of 64-bit words: 0, then
// 3, the number of the header words that follow.
bool IsCpuProfile(const InputHead& head) {
  return head.StartsWith(std::string_view("\0\0\0\0\0\0\0\0\3", 9));
}

bool IsSymbolized(const InputHead& head) {
  return StartsWithMarker(head.Text(), "symbol");
}

bool IsContention(const InputHead& head) {
  return StartsWithMarker(head.Text(), "contention") ||
         StartsWithMarker(head.Text(), "Stacks:");
}

bool IsHeapV2(const InputHead& head) {
  return head.Text().starts_with(kHeapV2Start);
}

bool IsFlatHeap(const InputHead& head) {
  return head.Text().starts_with(kFlatStart);
}

bool IsJson(const InputHead& head) { return head.Text().starts_with('{'); }

bool IsFolded(const InputHead& head) { return LooksFolded(head.bytes()); }

bool IsAnything(const InputHead& /*head*/) { return true; }

// Skips what precedes the dump, then calls the parser of a text format.
template <Result<Profile> (*kParse)(const DumpSource&, Diagnostics&)>
Result<Profile> ParseText(const ParseInput& input, Diagnostics& diagnostics) {
  const Preamble preamble = SkipToDump(input.bytes, input.name, &diagnostics);
  return kParse({.text = input.bytes.substr(preamble.bytes),
                 .name = input.name,
                 .first_line = preamble.lines + 1,
                 .options = input.options},
                diagnostics);
}

Result<Profile> ParsePprof(const ParseInput& input, Diagnostics& diagnostics) {
  if (input.options.min_age != 0) return LacksAges(input.name);
  return ReadPprof(input.bytes, input.name, input.options, diagnostics);
}

Result<Profile> ParseJson(const ParseInput& input, Diagnostics& diagnostics) {
  if (input.options.min_age != 0) return LacksAges(input.name);
  return ParseJsonLog(input.bytes, input.name, input.options.maps, diagnostics);
}

Result<Profile> ParseFoldedStacks(const ParseInput& input,
                                  Diagnostics& diagnostics) {
  return ParseFolded(input.bytes, input.name, input.options, diagnostics);
}

using enum InputKind;

// To add a format, add a row here and the files of its parser. Binary formats
// come first, because a binary file should not be searched for the preamble of
// a text format.
constexpr InputFormat kFormats[] = {
    {"empty", kOther, "an empty file", "", IsEmpty},
    {"core", kOther, "a core file, the memory of a process", "", IsCoreFile},
    {"elf", kBinary, "an ELF file", "", IsElf},
    {"pprof", kProfile, "a pprof profile", "", IsPprof, ParsePprof},
    {"cpu", kOther, "a gperftools CPU profile", "", IsCpuProfile},
    {"symbolized", kDump, "a symbolized heap profile",
     "jeprof --raw, or a service with its own symbols", IsSymbolized,
     ParseText<ParseSymbolized>},
    {"contention", kOther, "a lock contention profile", "", IsContention},
    {"heap_v2", kDump, "a jemalloc heap dump", "jemalloc 4.0 or later",
     IsHeapV2, ParseText<ParseHeapV2>},
    {"flat", kDump, "a flat 'heap profile:' dump",
     "jemalloc 3.6 or earlier, gperftools, or tcmalloc", IsFlatHeap,
     ParseText<ParseFlat>},
    {"folded", kProfile, "folded stacks", "", IsFolded, ParseFoldedStacks},
    {"json", kLog, "a JSON file",
     "jemalloc 5.2 or later (prof_log, prof_recent)", IsJson, ParseJson},
    {"unknown", kOther, "in an unknown format", "", IsAnything},
};

// True if only a profile has a parser, and every row says what it is.
constexpr bool IsComplete(const InputFormat& format) {
  const bool should_be_profile =
      format.kind != kOther && format.kind != kBinary;
  return format.IsProfile() == should_be_profile && !format.description.empty();
}
static_assert(std::ranges::all_of(kFormats, IsComplete));

bool IsUnknown(const InputFormat& format) {
  return &format == std::end(kFormats) - 1;
}

// Returns a description of `bytes`, whose format is `format`, for messages.
std::string_view Describe(std::string_view bytes, const InputFormat& format) {
  return IsUnknown(format) ? DescribeContent(bytes) : format.description;
}

// Says what should be there instead of `bytes`, which are no profile.
std::string_view Expectation(std::string_view bytes) {
  if (bytes.empty()) return "what wrote it has failed, as on a full disk";
  return "expected a heap dump ('heap_v2/…' or 'heap profile:'), a symbolized "
         "profile ('--- symbol'), a pprof profile or folded stacks ('main;f "
         "4096' on each line)";
}

}  // namespace

const InputFormat& DetectFormat(std::string_view bytes) {
  const InputHead head(bytes);
  return *std::ranges::find_if(kFormats, [&head](const InputFormat& format) {
    return format.recognise(head);
  });
}

Result<void> CheckPackedHead(std::string_view head,
                             std::string_view compression) {
  const InputFormat& format = DetectFormat(head);
  if (format.IsProfile()) return {};
  // If the whole head is a preamble (lines that may come before a dump), the
  // dump may still follow.
  const size_t preamble = SkipPreamble(head, "", nullptr).bytes;
  if (IsUnknown(format) && preamble == head.size()) return {};
  return Fail(ErrorKind::kOtherFormat,
              fmt::format("{} compressed with {}, not a profile",
                          Describe(head, format), compression));
}

Result<Profile> ParseProfile(std::string_view bytes, const std::string& name,
                             Diagnostics& diagnostics,
                             const ParseOptions& options) {
  const InputFormat& format = DetectFormat(bytes);
  if (format.IsProfile() && !options.sample_type.empty() &&
      format.parse != ParsePprof)
    return Fail(ErrorKind::kUsage,
                fmt::format("{}: --sample-type is for pprof profiles, and this "
                            "is {}",
                            name, format.description));
  if (format.IsProfile())
    return format.parse({.bytes = WithoutByteOrderMark(bytes),
                         .name = name,
                         .options = options},
                        diagnostics);
  return Fail(ErrorKind::kOtherFormat,
              fmt::format("{}: {}, not a profile; {}", name,
                          Describe(bytes, format), Expectation(bytes)));
}

Result<MemoryMap> ParseMaps(std::string_view bytes, const std::string& name,
                            Diagnostics& diagnostics) {
  const InputFormat& format = DetectFormat(bytes);
  std::string_view text = WithoutByteOrderMark(bytes);
  std::string_view what = Describe(bytes, format);
  if (format.IsProfile()) {
    what = "a profile without a memory map";
    LineCursor cursor(bytes);
    auto line = cursor.Next();
    while (line && !DumpReader::IsMapsMarker(*line)) line = cursor.Next();
    text = cursor.rest();
  }
  Diagnostics warnings;
  MemoryMap map = MemoryMap::Parse(text, name, warnings);
  if (map.entries().empty()) {
    return Fail(ErrorKind::kNoData,
                fmt::format("{}: expected a dump with a memory map or a copy "
                            "of /proc/PID/maps, found {}",
                            name, what));
  }
  diagnostics.Merge(warnings);
  return map;
}

}  // namespace heapprof
