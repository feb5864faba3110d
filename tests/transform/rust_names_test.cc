// SPDX-License-Identifier: Apache-2.0
#include "transform/rust_names.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

// "type/trait"
std::string Crates(std::string_view name) {
  const auto [type, trait] = CratesOf(name);
  return fmt::format("{}/{}", type, trait);
}

TEST(CratesOfTest, TakesTheFirstComponentOfAPath) {
  EXPECT_EQ(Crates("app::row::Row<u8>::push"), "app/");
  EXPECT_EQ(Crates("app[1f2e]::main"), "app/");
}

TEST(CratesOfTest, TakesTypeAndTrait) {
  EXPECT_EQ(Crates("<app::Row as core::clone::Clone>::clone"), "app/core");
  EXPECT_EQ(Crates("<alloc::vec::Vec<app::Row> as io::Read>::read"),
            "alloc/io");
  // The " as " of an argument is not the one of the type.
  EXPECT_EQ(Crates("<a::T<<b::U as c::V>::W> as d::X>::f"), "a/d");
}

TEST(CratesOfTest, SkipsOperatorsOfTypes) {
  EXPECT_EQ(Crates("<&mut app::Row as core::fmt::Debug>::fmt"), "app/core");
  EXPECT_EQ(Crates("<[u8]>::repeat"), "/");
  EXPECT_EQ(Crates("<fn(u8) -> app::Row as shop::Store>::fill"), "/shop");
}

TEST(IsStandardCrateTest, IncludesCratesLinkedIntoStd) {
  for (const char* crate : {"core", "alloc", "std", "hashbrown", "gimli"})
    EXPECT_TRUE(IsStandardCrate(crate)) << crate;
  for (const char* crate : {"", "app", "stdx", "tokio"})
    EXPECT_FALSE(IsStandardCrate(crate)) << crate;
}

TEST(IsRustFunctionTest, GoesByFileManglingOrStandardCrate) {
  const auto is_rust = [](std::string_view name, std::string_view file = "",
                          std::string_view system_name = "") {
    Profile profile;
    const Function function = {
        .name = profile.strings.Intern(name),
        .system_name = profile.strings.Intern(system_name),
        .filename = profile.strings.Intern(file)};
    return IsRustFunction(profile, function);
  };
  EXPECT_TRUE(is_rust("app::f", "/src/main.rs"));
  EXPECT_TRUE(is_rust("app::f", "", "_RNvC3app1f"));
  EXPECT_TRUE(is_rust("core::ops::call"));
  EXPECT_FALSE(is_rust("core::ops::call(int)"));
  EXPECT_FALSE(is_rust("app::f", "/src/main.cc", "_ZN3app1fEv"));
}

}  // namespace
}  // namespace heapprof
