// SPDX-License-Identifier: Apache-2.0
#include "cli/inputs/address_list.h"

#include <charconv>
#include <limits>
#include <optional>
#include <ranges>
#include <utility>

#include "heapprof/parse/mapping_assigner.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/profile_builder.h"

namespace heapprof {
namespace {

constexpr std::string_view kMark = "0x";

// Returns the address after the first "0x"; nothing if it exceeds 64 bits.
std::optional<uint64_t> AddressIn(std::string_view line) {
  const std::string_view digits = line.substr(line.find(kMark) + kMark.size());
  uint64_t address = 0;
  const auto [end, error] = std::from_chars(
      digits.data(), digits.data() + digits.size(), address, 16);
  if (error != std::errc()) return std::nullopt;
  return address;
}

bool HasAddress(std::string_view line) {
  const size_t mark = line.find(kMark);
  constexpr std::string_view kDigits = "0123456789abcdefABCDEF";
  return mark != line.npos && mark + kMark.size() < line.size() &&
         kDigits.contains(line[mark + kMark.size()]);
}

// Treats addresses outside the memory map as virtual addresses of the ELF file
// at the path `program`.
void AssignProgram(const std::string& program, ProfileBuilder& builder) {
  Profile& profile = builder.profile();
  const StringId filename = builder.InternString(program);
  const MappingId mapping =
      builder.AddMapping({.limit = std::numeric_limits<uint64_t>::max(),
                          .filename = filename,
                          .is_file = true,
                          .address_space = AddressSpace::kFileAddress});
  for (Location& location : profile.locations | std::views::drop(1))
    if (location.mapping.IsNone()) {
      location.mapping = mapping;
      location.module_address = location.address;
    }
  if (profile.main_binary.IsNone()) profile.main_binary = filename;
}

}  // namespace

AddressList ReadAddressList(std::string_view text, const std::string& program,
                            Diagnostics& diagnostics) {
  AddressList list;
  ProfileBuilder builder;
  std::string map;
  for (const auto part : std::views::split(text, '\n')) {
    const std::string_view line(part.begin(), part.end());
    if (ParseMapLine(line)) {
      map += line;
      map += '\n';
    } else if (HasAddress(line)) {
      const auto address = AddressIn(line);
      list.locations.push_back(address ? builder.InternAddress(*address, false)
                                       : LocationId{});
    }
  }
  if (!map.empty())
    AssignMappings(MemoryMap::Parse(map, "standard input", diagnostics),
                   builder);
  if (!program.empty()) AssignProgram(program, builder);
  list.profile = std::move(builder).Finish();
  return list;
}

}  // namespace heapprof
