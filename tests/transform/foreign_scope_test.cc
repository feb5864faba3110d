// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/foreign_scope.h"

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

std::string Found(std::string_view main_file, std::string_view file,
                  int size = 51) {
  Profile profile =
      ProfileOf(fmt::format("app!main%{}:1;app!engine::Load%{}:2 {}\n"
                            "app!main%{}:1;app!Start%/src/app/start.cc:3 {}\n",
                            main_file, file, size, main_file, 100 - size));
  const auto found =
      FindForeignScope(profile, OwnCode(profile), Metric::kInuseSpace);
  return found ? fmt::format("{} {}", found->scope, found->percent) : "none";
}

TEST(FindForeignScopeTest, FindsALibraryThatHoldsMost) {
  EXPECT_EQ(Found("/src/app/main.cc", "/src/app/engine/src/load.cc"),
            "engine 51");
  EXPECT_EQ(Found("/src/app/main.cc", "/src/app/engine/src/load.cc", 50),
            "none");
}

// A library may have a main(), too.
TEST(FindForeignScopeTest, TakesTheMainOfTheProgram) {
  for (const std::string_view library :
       {"libtool.so!main", "libtool.so!main%/src/engine/m.cc:1"}) {
    Profile profile = ProfileOf(
        fmt::format("{};f 1\n"
                    "app!main%/src/app/main.cc:1;"
                    "app!engine::Load%/src/app/engine/src/load.cc:2 99\n",
                    library));
    profile.main_binary = profile.strings.Intern("app");
    const auto found =
        FindForeignScope(profile, OwnCode(profile), Metric::kInuseSpace);
    ASSERT_TRUE(found) << library;
    EXPECT_EQ(found->scope, "engine") << library;
  }
}

TEST(FindForeignScopeTest, FindsNothingInTheProgramsOwnFolders) {
  EXPECT_EQ(Found("/src/app/main.cc", "/src/app/engine/load.cc"), "none");
  EXPECT_EQ(Found("/src/engine/main.cc", "/src/engine/src/load.cc"), "none");
}

}  // namespace
}  // namespace heapprof
