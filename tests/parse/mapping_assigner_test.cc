// SPDX-License-Identifier: Apache-2.0
#include "heapprof/parse/mapping_assigner.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/check_valid.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

// A profile with these return addresses in a process with this map.
Profile Assign(std::string_view map, const std::vector<uint64_t>& addresses,
               bool are_return_addresses = true) {
  ProfileBuilder builder;
  for (uint64_t address : addresses)
    builder.InternAddress(address, are_return_addresses);
  Diagnostics diagnostics;
  AssignMappings(MemoryMap::Parse(map, "a.heap", diagnostics), builder);
  EXPECT_TRUE(diagnostics.empty());
  Profile profile = std::move(builder).Finish();
  EXPECT_EQ(CheckValid(profile), "");
  return profile;
}

// "module+address" of each location.
std::vector<std::string> Modules(const Profile& profile) {
  std::vector<std::string> modules;
  for (size_t i = 1; i < profile.locations.size(); ++i) {
    const Location& location = profile.locations[i];
    const Mapping& mapping = profile.mappings[location.mapping.index()];
    modules.push_back(fmt::format("{}+{:x}", profile.String(mapping.filename),
                                  location.module_address));
  }
  return modules;
}

constexpr std::string_view kMap =
    "55000000-55001000 r--p 00000000 fe:00 7  /bin/prog\n"
    "55001000-55002000 r-xp 00001000 fe:00 7  /bin/prog\n"
    "55002000-55003000 rw-p 00002000 fe:00 7  /bin/prog\n"
    "7f000000-7f001000 r-xp 00005000 fe:00 8  /lib/libc.so.6\n"
    "7f100000-7f101000 rwxp 00000000 00:00 0\n"
    "7fff0000-7fff1000 r-xp 00000000 00:00 0  [vdso]\n";

TEST(MappingAssignerTest, TurnsAddressesIntoFileOffsets) {
  EXPECT_THAT(Modules(Assign(kMap, {0x55001234, 0x7f000010})),
              ElementsAre("/bin/prog+1234", "/lib/libc.so.6+5010"));
}

TEST(MappingAssignerTest, KeepsAddressesOfCodeOutsideFiles) {
  EXPECT_THAT(Modules(Assign(kMap, {0x7f100010, 0x7fff0010})),
              ElementsAre("[anon]+7f100010", "[vdso]+10"));
}

TEST(MappingAssignerTest, GivesTheLibraryOfRecordOneNameInAllRuns) {
  for (const std::string_view path :
       {"/tmp/heapprof-a1B2c3/libheapprof_record.so",
        "/memfd:libheapprof_record.so (deleted)"})
    EXPECT_THAT(
        Modules(Assign(fmt::format("55001000-55002000 r-xp 00001000 fe:00 7 "
                                   "/bin/prog\n7f100000-7f101000 r-xp 00000000 "
                                   "00:01 8 {}\n",
                                   path),
                       {0x7f100010})),
        ElementsAre("libheapprof_record.so+7f100010"));
}

TEST(MappingAssignerTest, LeavesAddressesOutsideCodeUnmapped) {
  EXPECT_THAT(Modules(Assign(kMap, {0, 1, 0x55000800, 0x55002800, 0x60000000,
                                    0xac3a800000000000, ~uint64_t{0}})),
              ElementsAre("+0", "+1", "+55000800", "+55002800", "+60000000",
                          "+ac3a800000000000", "+ffffffffffffffff"));
}

TEST(MappingAssignerTest, LooksUpTheCallNotTheAddressAfterIt) {
  // A call that never returns may end its mapping.
  EXPECT_THAT(Modules(Assign(kMap, {0x55001000, 0x55002000})),
              ElementsAre("+55001000", "/bin/prog+2000"));
  EXPECT_THAT(Modules(Assign(kMap, {0x55001000, 0x55002000}, false)),
              ElementsAre("/bin/prog+1000", "+55002000"));
}

TEST(MappingAssignerTest, MakesOneMappingPerFileTheProgramFirst) {
  const Profile profile = Assign(
      "55001000-55002000 r-xp 00001000 fe:00 7  /bin/prog\n"
      "55002000-55003000 rwxp 00000000 00:00 0\n"
      "55003000-55004000 r-xp 00003000 fe:00 7  /bin/prog\n"
      "7f000000-7f001000 r-xp 00005000 fe:00 8  /lib/libc.so.6 (deleted)\n"
      "7f800000-7f801000 r-xp 00005000 fe:00 9  /lib/libc.so.6\n",
      {0x55001010, 0x55002010, 0x55003010});
  EXPECT_THAT(Modules(profile), ElementsAre("/bin/prog+1010", "/bin/prog+2010",
                                            "/bin/prog+3010"));
  ASSERT_EQ(profile.mappings.size(), 4u);
  const Mapping& program = profile.mappings[1];
  EXPECT_EQ(program.start, 0x55001000u);
  EXPECT_EQ(program.limit, 0x55004000u);
  EXPECT_EQ(program.file_offset, 0x1000u);
  EXPECT_TRUE(program.is_file);
  EXPECT_FALSE(program.deleted);
  EXPECT_EQ(profile.String(profile.main_binary), "/bin/prog");
  // The same path twice, but another file.
  EXPECT_TRUE(profile.mappings[2].deleted);
  EXPECT_FALSE(profile.mappings[3].deleted);
}

// As with 'ulimit -s unlimited', or if a program is started through ld.so.
TEST(MappingAssignerTest, FindsTheProgramAboveItsLibraries) {
  const std::string libraries =
      "15001000-15002000 r-xp 00001000 fe:00 7  /lib/libstdc++.so.6.0.30\n"
      "15003000-15004000 r-xp 00001000 fe:00 8  /lib/plugin.so\n"
      "15005000-15006000 r-xp 00000000 00:00 0  [vdso]\n";
  const Profile profile =
      Assign(libraries + "55001000-55002000 r-xp 00001000 fe:00 9  /bin/prog\n",
             {0x15003010, 0x55001010});
  EXPECT_EQ(profile.String(profile.main_binary), "/bin/prog");
  EXPECT_EQ(profile.mappings.at(1).filename, profile.main_binary);
  EXPECT_THAT(Modules(profile),
              ElementsAre("/lib/plugin.so+1010", "/bin/prog+1010"));

  const Profile only_libraries = Assign(libraries, {0x15003010});
  EXPECT_EQ(only_libraries.String(only_libraries.main_binary),
            "/lib/libstdc++.so.6.0.30");
}

TEST(MappingAssignerTest, KeepsABuildIdFromTheMap) {
  const Profile profile =
      Assign("55001000 55002000 /bin/prog (@1000) 0a1b2c\n", {0x55001010});
  EXPECT_EQ(profile.String(profile.mappings.at(1).build_id), "0a1b2c");
  EXPECT_THAT(Modules(profile), ElementsAre("/bin/prog+1010"));
}

TEST(MappingAssignerTest, RemembersThatThereWasAMap) {
  EXPECT_TRUE(Assign("", {0x1000}).has_memory_map);
}

TEST(MappingAssignerTest, SurvivesOffsetsThatOverflow) {
  EXPECT_THAT(
      Modules(Assign("1000-3000 r-xp fffffffffffff000 fe:00 7 /a\n", {0x2800})),
      ElementsAre("/a+800"));
}

}  // namespace
}  // namespace heapprof
