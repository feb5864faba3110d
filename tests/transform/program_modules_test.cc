// SPDX-License-Identifier: Apache-2.0
#include "transform/program_modules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

// The origin of the library at `path` in a process of `program`.
ModuleOrigin OriginOfModule(std::string_view path, std::string_view program) {
  ProfileBuilder builder;
  builder.profile().main_binary = builder.InternString(program);
  for (const std::string_view file : {program, path})
    builder.AddMapping(
        {.filename = builder.InternString(file), .is_file = true});
  const Profile profile = std::move(builder).Finish();
  return ModuleOrigins(profile).at(2);
}

TEST(ModuleOriginsTest, IncludesLibrariesBesideTheProgram) {
  constexpr const char* kProgram = "/srv/app/bin/server";
  EXPECT_EQ(OriginOfModule("/srv/app/lib/libstore.so", kProgram),
            ModuleOrigin::kProgram);
  EXPECT_EQ(OriginOfModule("/srv/app/vendor/libz.so.1", kProgram),
            ModuleOrigin::kOther);
  EXPECT_EQ(OriginOfModule("/usr/lib/libwhatever.so", kProgram),
            ModuleOrigin::kOther);
  EXPECT_EQ(OriginOfModule("/opt/other/libwhatever.so", kProgram),
            ModuleOrigin::kOther);
}

TEST(ModuleOriginsTest, KnowsEachOfSeveralPrograms) {
  ProfileBuilder builder;
  for (const char* path :
       {"/usr/bin/perl", "/usr/bin/redis-server", "/usr/lib/libz.so.1"})
    builder.AddMapping(
        {.filename = builder.InternString(path), .is_file = true});
  builder.profile().main_binary = builder.InternString("/usr/bin/perl");
  builder.profile().other_programs = {
      builder.InternString("/usr/bin/redis-server")};
  const Profile profile = std::move(builder).Finish();
  EXPECT_THAT(
      ModuleOrigins(profile),
      testing::ElementsAre(ModuleOrigin::kProgram, ModuleOrigin::kProgram,
                           ModuleOrigin::kProgram, ModuleOrigin::kOther));
}

TEST(ModuleOriginsTest, KnowsTheProgramByItsPath) {
  EXPECT_EQ(OriginOfModule("/opt/other/server", "/srv/app/bin/server"),
            ModuleOrigin::kOther);
}

TEST(ModuleOriginsTest, MatchesLibrariesOfInstalledProgramsByName) {
  constexpr const char* kCeph = "/usr/bin/ceph-osd";
  constexpr const char* kFolder = "/usr/lib/x86_64-linux-gnu/";
  const auto origin_of = [&](const std::string& name) {
    return OriginOfModule(kFolder + name, kCeph);
  };
  EXPECT_EQ(origin_of("ceph/libceph-common.so.2"), ModuleOrigin::kProgram);
  EXPECT_EQ(origin_of("librados.so.2"), ModuleOrigin::kPerhaps);
  // Only the first word of its name says whose library it is.
  EXPECT_EQ(origin_of("libsome-ceph.so.2"), ModuleOrigin::kPerhaps);
  // Short words are in the names of other programs, too.
  EXPECT_EQ(OriginOfModule("/usr/lib/libvimcat.so.1", "/usr/bin/vim"),
            ModuleOrigin::kPerhaps);
  EXPECT_EQ(origin_of("libz.so.1"), ModuleOrigin::kOther);
  EXPECT_EQ(origin_of("libc.so.6"), ModuleOrigin::kOther);
  EXPECT_EQ(origin_of("libjemalloc.so.2"), ModuleOrigin::kOther);
}

TEST(ModuleOriginsTest, IncludesAnInterpretersOwnLibrary) {
  constexpr const char* kPython = "/home/me/.pyenv/versions/3.11/lib/";
  const std::string library = std::string(kPython) + "libpython3.11.so.1.0";
  EXPECT_EQ(
      OriginOfModule(library, "/home/me/.pyenv/versions/3.11/bin/python3.11"),
      ModuleOrigin::kProgram);
  EXPECT_EQ(OriginOfModule(library, "/srv/app/bin/server"),
            ModuleOrigin::kOther);
  EXPECT_EQ(OriginOfModule("/srv/app/lib/libpython3.11.so.1.0",
                           "/srv/app/bin/server"),
            ModuleOrigin::kOther);
}

TEST(ModuleOriginsTest, CountsCodeOutsideFilesAsTheProgram) {
  EXPECT_EQ(ModuleOrigins(ProfileOf("main 1\n")).at(0), ModuleOrigin::kProgram);
  EXPECT_EQ(OriginOfModule("[vdso]", "/srv/app"), ModuleOrigin::kOther);
}

}  // namespace
}  // namespace heapprof
