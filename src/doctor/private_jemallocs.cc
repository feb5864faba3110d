// SPDX-License-Identifier: Apache-2.0
#include "heapprof/doctor/private_jemallocs.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "heapprof/base/as_text.h"
#include "heapprof/base/base_name.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/record/jemalloc_facts.h"

namespace heapprof {
namespace {

// Returns the bytes up to the end of what is loaded. Debug information, of
// which there may be very much, follows.
std::string_view LoadedPart(const ElfImage& image) {
  const auto bytes = image.bytes();
  uint64_t end = 0;
  for (const LoadSegment& segment : image.load_segments())
    if (segment.file_offset < bytes.size())
      end = std::max(end, segment.file_offset +
                              std::min(segment.file_size,
                                       bytes.size() - segment.file_offset));
  return AsText(bytes.first(end));
}

bool HasPrivateJemalloc(const std::string& file) {
  constexpr std::string_view kMark = "<jemalloc>";
  const auto image = ElfImage::Open(file);
  if (!image) return false;
  const std::string_view part = LoadedPart(*image);
  if (memmem(part.data(), part.size(), kMark.data(), kMark.size()) == nullptr)
    return false;
  const auto facts = FindJemallocIn(part);
  return facts && !facts->ReplacesMalloc();
}

}  // namespace

std::vector<std::string> FindPrivateJemallocs(
    std::span<const std::string> files) {
  std::vector<std::string> found;
  std::ranges::copy_if(files, std::back_inserter(found), HasPrivateJemalloc);
  return found;
}

std::string PrivateJemallocText(std::span<const std::string> files) {
  std::vector<std::string_view> names;
  for (const std::string& file : files) names.push_back(BaseName(file));
  const bool is_one = names.size() == 1;
  return fmt::format("{} {} a jemalloc of {} own: what {} is not in the dump",
                     fmt::join(names, ", "), is_one ? "has" : "have",
                     is_one ? "its" : "their",
                     is_one ? "it allocates" : "they allocate");
}

}  // namespace heapprof
