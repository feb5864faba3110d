// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/unique_part.h"

#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

std::string_view Part(std::string_view name, size_t room,
                      const Profile& profile) {
  return UniquePart(name, profile, [room](std::string_view part) {
    return part.size() <= room;
  });
}

TEST(UniquePartTest, DropsAsFewScopesAsNecessary) {
  const Profile profile = ProfileOf("main;app::net::Session::Run() 1\n");
  const std::string_view name = "app::net::Session::Run";
  EXPECT_EQ(Part(name, 30, profile), name);
  EXPECT_EQ(Part(name, 20, profile), "net::Session::Run");
  EXPECT_EQ(Part(name, 12, profile), "Session::Run");
  // "Run" says too little.
  EXPECT_EQ(Part(name, 5, profile), name);
}

TEST(UniquePartTest, SelectsNoOtherFunction) {
  const Profile profile = ProfileOf(
      "main;app::net::Session::Start(int) 1\n"
      "main;app::db::Session::Start() 1\nmain;Restart() 1\n");
  const std::string_view name = "app::net::Session::Start";
  EXPECT_EQ(Part(name, 19, profile), "net::Session::Start");
  EXPECT_EQ(Part(name, 15, profile), name);
  EXPECT_EQ(Part("Restart", 5, profile), "Restart");
}

TEST(UniquePartTest, LeavesTemplatesWhole) {
  const Profile profile = ProfileOf("main;app::Map<ns::Key>::Insert(int) 1\n");
  EXPECT_EQ(Part("app::Map<ns::Key>::Insert", 22, profile),
            "Map<ns::Key>::Insert");
  EXPECT_EQ(Part("app::Map<ns::Key>::Insert", 15, profile), "Insert");
}

}  // namespace
}  // namespace heapprof
