// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/unloaded_libraries.h"

#include <string>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// Returns a dump with one address, which is in a file if `file` has a name.
Profile DumpWith(const std::string& file, uint64_t address) {
  Profile dump;
  dump.has_memory_map = true;
  if (!file.empty())
    dump.mappings.push_back({.start = 0x1000,
                             .limit = 0x2000,
                             .file_offset = 0x400,
                             .filename = dump.strings.Intern(file),
                             .is_file = true});
  dump.locations.push_back({.address = address, .module_address = address});
  return dump;
}

// Returns the file and the position in it, as in "/lib/a.so+0x410".
std::string PlaceIn(const Profile& dump) {
  const Location& location = dump.locations.back();
  if (location.mapping.IsNone()) return "none";
  return std::string(
             dump.String(dump.mappings[location.mapping.index()].filename)) +
         "+" + std::to_string(location.module_address);
}

TEST(UnloadedLibrariesTest, FindsTheFileOfAnEarlierDump) {
  UnloadedLibraries libraries;
  libraries.Learn(DumpWith("/lib/a.so", 0x1010));
  const auto place = [&](uint64_t address) {
    Profile later = DumpWith("", address);
    libraries.Restore(later);
    return PlaceIn(later);
  };
  EXPECT_EQ(place(0x1010), "/lib/a.so+1040");
  // A return address follows its call.
  EXPECT_EQ(place(0x1000), "none");
  EXPECT_EQ(place(0x2000), "/lib/a.so+5120");
  EXPECT_EQ(place(0x2001), "none");
}

TEST(UnloadedLibrariesTest, KnowsTheLastFileAtAnAddress) {
  UnloadedLibraries libraries;
  libraries.Learn(DumpWith("/lib/a.so", 0x1010));
  Profile wide = DumpWith("/lib/b.so", 0x1010);
  wide.mappings.back().start = 0xf00;
  wide.mappings.back().limit = 0x1800;
  libraries.Learn(wide);
  Profile later = DumpWith("", 0x1010);
  libraries.Restore(later);
  EXPECT_EQ(PlaceIn(later), "/lib/b.so+1296");
  later = DumpWith("", 0x1900);
  libraries.Restore(later);
  EXPECT_EQ(PlaceIn(later), "none");
}

// One file may have other files between its code.
TEST(UnloadedLibrariesTest, DoesNotGuessBetweenFiles) {
  UnloadedLibraries libraries;
  Profile dump = DumpWith("/lib/a.so", 0x1010);
  dump.mappings.push_back({.start = 0x800,
                           .limit = 0x4000,
                           .filename = dump.strings.Intern("/lib/twice.so"),
                           .is_file = true});
  libraries.Learn(dump);
  Profile later = DumpWith("", 0x1010);
  libraries.Restore(later);
  EXPECT_EQ(PlaceIn(later), "none");
}

TEST(UnloadedLibrariesTest, LeavesAddressesThatHaveAFile) {
  UnloadedLibraries libraries;
  libraries.Learn(DumpWith("/lib/a.so", 0x1010));
  Profile later = DumpWith("/lib/b.so", 0x1010);
  later.locations.back().mapping = {
      static_cast<uint32_t>(later.mappings.size() - 1)};
  libraries.Restore(later);
  EXPECT_EQ(PlaceIn(later), "/lib/b.so+4112");
  // Without a memory map, nothing tells that they have none.
  later = DumpWith("", 0x1010);
  later.has_memory_map = false;
  libraries.Restore(later);
  EXPECT_EQ(PlaceIn(later), "none");
}

}  // namespace
}  // namespace heapprof
