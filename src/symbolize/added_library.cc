// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/added_library.h"

#include <algorithm>
#include <limits>

#include <fmt/core.h>

#include "heapprof/elf/elf_image.h"
#include "heapprof/profile/profile_builder.h"

namespace heapprof {
namespace {

Mapping MappingOf(const ElfImage& image) {
  Mapping mapping = {.start = std::numeric_limits<uint64_t>::max(),
                     .is_file = true,
                     .address_space = AddressSpace::kFileAddress};
  for (const LoadSegment& segment : image.load_segments()) {
    if (!segment.executable) continue;
    if (segment.address < mapping.start) {
      mapping.start = segment.address;
      mapping.file_offset = segment.file_offset;
    }
    mapping.limit =
        std::max(mapping.limit, segment.address + segment.memory_size);
  }
  return mapping;
}

// Adds a mapping of `image` to the profile. `bias` is runtime address minus
// file address. Returns the number of locations that were assigned to the
// mapping.
Result<size_t> MapFile(const ElfImage& image, uint64_t bias, Profile& profile) {
  Mapping mapping = MappingOf(image);
  if (mapping.limit == 0)
    return Fail(
        ErrorKind::kBadFormat,
        fmt::format("{}: no code in it, expected a library", image.path()));
  mapping.start += bias;
  mapping.limit += bias;
  ProfileBuilder builder(std::move(profile));
  mapping.filename = builder.InternString(image.path());
  const MappingId id = builder.AddMapping(mapping);
  size_t count = 0;
  for (Location& location : builder.profile().locations) {
    const uint64_t call = CallSiteAddress(location, location.address);
    if (!location.mapping.IsNone() || !image.IsExecutable(call - bias))
      continue;
    location.mapping = id;
    location.module_address = location.address - bias;
    ++count;
  }
  profile = std::move(builder).Finish();
  return count;
}

// Returns the file address of the first page that is loaded.
uint64_t FirstPage(const ElfImage& image) {
  constexpr uint64_t kPageSize = 4096;
  uint64_t first = std::numeric_limits<uint64_t>::max();
  for (const LoadSegment& segment : image.load_segments())
    first = std::min(first, segment.address);
  return first / kPageSize * kPageSize;
}

}  // namespace

Result<void> MapAddedLibrary(const std::string& path, Profile& profile) {
  const auto image = ElfImage::Open(path);
  if (!image) return std::unexpected(image.error());
  const auto count = MapFile(*image, 0, profile);
  if (!count) return std::unexpected(count.error());
  return {};
}

Result<size_t> MapAtLoadBase(const std::string& path, uint64_t load_base,
                             Profile& profile) {
  const auto image = ElfImage::Open(path);
  if (!image) return std::unexpected(image.error());
  const auto count = MapFile(*image, load_base - FirstPage(*image), profile);
  if (count && *count != 0 && profile.main_binary.IsNone())
    profile.main_binary = profile.strings.Intern(path);
  return count;
}

}  // namespace heapprof
