// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/added_library.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

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

}  // namespace

Result<void> MapAddedLibrary(const std::string& path, Profile& profile) {
  const auto image = ElfImage::Open(path);
  if (!image) return std::unexpected(image.error());
  Mapping mapping = MappingOf(*image);
  if (mapping.limit == 0)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: no code in it, expected a library", path));
  ProfileBuilder builder(std::move(profile));
  mapping.filename = builder.InternString(path);
  const MappingId id = builder.AddMapping(mapping);
  for (Location& location : builder.profile().locations) {
    const uint64_t call = CallSiteAddress(location, location.address);
    if (!location.mapping.IsNone() || !image->IsExecutable(call)) continue;
    location.mapping = id;
    location.module_address = location.address;
  }
  profile = std::move(builder).Finish();
  return {};
}

}  // namespace heapprof
