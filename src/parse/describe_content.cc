// SPDX-License-Identifier: Apache-2.0
#include "parse/describe_content.h"

#include <algorithm>

namespace heapprof {
namespace {

using namespace std::string_view_literals;

struct Kind {
  size_t offset;
  std::string_view magic;
  std::string_view description;
};

constexpr std::string_view kStats =
    "jemalloc's stats, which 'heapprof explain DUMP --stats FILE' reads";

constexpr Kind kKinds[] = {
    {0, "PERFILE2"sv, "a perf.data file of Linux perf"},
    {0, "SQLite format 3\0"sv, "a SQLite database"},
    {0, "JAVA PROFILE 1."sv, "a Java heap dump"},
    {0, "desc: "sv, "a file of Valgrind's massif"},
    {0, "# callgrind format"sv,
     "a file for callgrind_annotate and KCachegrind"},
    {0, "= Start\n@ "sv, "a log of glibc's mtrace()"},
    {0, "v 10"sv, "a file of heaptrack"},
    {0, "FLR\0"sv, "a recording of Java's Flight Recorder"},
    {0, "___ Begin jemalloc statistics"sv, kStats},
    {0, "PK\x03\x04"sv, "a zip archive"},
    {257, "ustar"sv, "a tar archive"},
    {0, "!<arch>\n"sv, "a static library (ar archive)"},
    {0, "7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive"},
    {0, "\x04\x22\x4d\x18"sv, "an lz4 file"},
    {0, "MZ"sv, "a program for Windows"},
    {0, "\xcf\xfa\xed\xfe"sv, "a program for macOS (Mach-O)"},
    {0, "\xca\xfe\xba\xbe"sv, "a program for macOS or a Java class"},
    {0, "BC\xc0\xde"sv, "LLVM bitcode"},
    {0, "\x89PNG"sv, "a PNG picture"},
    {0, "%PDF-"sv, "a PDF file"},
    {0, "<?xml"sv, "an XML file"},
    {0, "<!DOCTYPE"sv, "an HTML file"},
    {0, "<html"sv, "an HTML file"},
    {0, "HTTP/"sv, "an HTTP response with its header ('curl -i')"},
    {0, "<svg"sv, "an SVG picture"},
    {0, "#!"sv, "a script"},
    {0, "version https://git-lfs"sv,
     "a pointer of Git LFS ('git lfs pull' fetches the file)"},
    {0, "\xff\xfe"sv,
     "text in UTF-16, as PowerShell's '>' writes it (iconv -f UTF-16 -t UTF-8 "
     "converts it)"},
    {0, "\xfe\xff"sv, "text in UTF-16 (iconv -f UTF-16 -t UTF-8 converts it)"},
};

}  // namespace

bool IsText(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
           c == '\x1b';
  });
}

std::string_view DescribeContent(std::string_view bytes) {
  for (const Kind& kind : kKinds)
    if (bytes.size() > kind.offset &&
        bytes.substr(kind.offset).starts_with(kind.magic))
      return kind.description;
  constexpr size_t kLookedAt = 4096;
  const std::string_view head = bytes.substr(0, kLookedAt);
  if (head.find_first_not_of('\0') == head.npos) return "a file of zeros";
  return IsText(head) ? "a text file" : "a binary file of unknown format";
}

std::string_view DescribeJson(std::string_view bytes) {
  struct Key {
    std::string_view text;
    std::string_view description;
  };
  constexpr Key kKeys[] = {
      {"\"jemalloc\"", kStats},
      {"\"dhatFileVersion\"", "a file of Valgrind's DHAT"},
      {"speedscope.app/", "a file for speedscope"},
      {"\"heapprof.", "a report of heapprof"},
      {"{\"v\":1,\"dump\":", "rows of heapprof --ndjson"},
  };
  constexpr size_t kLookedAt = 256;
  const std::string_view head = bytes.substr(0, kLookedAt);
  for (const Key& key : kKeys)
    if (head.find(key.text) != head.npos) return key.description;
  return "another JSON file";
}

}  // namespace heapprof
