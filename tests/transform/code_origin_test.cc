// SPDX-License-Identifier: Apache-2.0
#include "transform/code_origin.h"

#include <array>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

// The origin of a function in `program`, whose main() is in `main_file`.
CodeOrigin OriginOf(std::string_view name, std::string_view file = "",
                    std::string_view system_name = "",
                    std::string_view program = "/srv/app/bin/shop-server",
                    std::string_view main_file = "/home/me/shop/main.cc") {
  Profile profile;
  profile.functions.push_back({.name = profile.strings.Intern("main"),
                               .filename = profile.strings.Intern(main_file)});
  profile.lines = {{.function = {1}}};
  profile.locations.push_back({.lines = {0, 1}});
  profile.functions.push_back(
      {.name = profile.strings.Intern(name),
       .system_name = profile.strings.Intern(system_name),
       .filename = profile.strings.Intern(file)});
  const std::array files = {program};
  return OriginClassifier(profile, files).OriginOf(profile.functions.back());
}

TEST(OriginClassifierTest, IsTheProgramByDefault) {
  EXPECT_EQ(OriginOf("shop::Order::Add(int)"), CodeOrigin::kProgram);
  EXPECT_EQ(OriginOf("f()", "/home/me/shop/order.cc"), CodeOrigin::kProgram);
}

TEST(OriginClassifierTest, GoesByNameBeforeFile) {
  EXPECT_EQ(OriginOf("xmalloc", "/home/me/shop/util.c"), CodeOrigin::kWrapper);
  EXPECT_EQ(OriginOf("std::vector<int>::push_back(int&&)"),
            CodeOrigin::kStandardLibrary);
  EXPECT_EQ(OriginOf("boost::f()", "/home/me/shop/order.cc"),
            CodeOrigin::kThirdParty);
}

TEST(OriginClassifierTest, LeavesNamesAsOfOpenSslToTheProgramThatDefinesThem) {
  for (const char* name : {"decoder_init", "ec_open", "ERR_print"}) {
    EXPECT_EQ(OriginOf(name), CodeOrigin::kThirdParty) << name;
    EXPECT_EQ(OriginOf(name, "/home/me/shop/util.c"), CodeOrigin::kProgram)
        << name;
    EXPECT_EQ(OriginOf(name, "crypto/err/err.c"), CodeOrigin::kThirdParty)
        << name;
  }
}

TEST(OriginClassifierTest, LeavesALibraryToItsOwnProgram) {
  constexpr std::string_view kName = "rocksdb::DB::Get()";
  EXPECT_EQ(OriginOf(kName), CodeOrigin::kThirdParty);
  EXPECT_EQ(OriginOf(kName, "", "", "/srv/tool", "/home/me/RocksDB/a/main.cc"),
            CodeOrigin::kProgram);
}

TEST(OriginClassifierTest, GoesByTheSourceFile) {
  EXPECT_EQ(OriginOf("f()", "/usr/include/c++/12/bits/x.h"),
            CodeOrigin::kStandardLibrary);
  EXPECT_EQ(OriginOf("f()", "/home/me/shop/third_party/zlib/inflate.c"),
            CodeOrigin::kThirdParty);
  EXPECT_EQ(OriginOf("f()", "/usr/include/fmt/core.h"),
            CodeOrigin::kThirdParty);
}

TEST(OriginClassifierTest, SharesOnlyWholeFoldersWithMain) {
  const auto origin_beside = [](std::string_view main) {
    return OriginOf("f()", "/home/me/vendor/inflate.c", "", "/srv/tool", main);
  };
  EXPECT_EQ(origin_beside("/home/me/vendor/main.cc"), CodeOrigin::kProgram);
  EXPECT_EQ(origin_beside("/home/me/vendor_tool/main.cc"),
            CodeOrigin::kThirdParty);
}

TEST(OriginClassifierTest, KnowsTheRustLibraryOfDistributions) {
  for (const char* file :
       {"/usr/src/rustc-1.63.0/library/core/src/ops/function.rs",
        "/usr/src/rustc-1.63.0/vendor/hashbrown/src/map.rs"})
    EXPECT_EQ(OriginOf("core::ops::function::FnOnce::call_once", file),
              CodeOrigin::kRustLibrary)
        << file;
}

TEST(OriginClassifierTest, GoesByTheCrateOfARustFunctionWithoutFile) {
  const auto origin_of = [](std::string_view name) {
    return OriginOf(name, "", "_RNvC4shop3run");
  };
  EXPECT_EQ(origin_of("shop_server::run"), CodeOrigin::kProgram);
  EXPECT_EQ(origin_of("shop_store::run"), CodeOrigin::kProgram);
  EXPECT_EQ(origin_of("<alloc::vec::Vec as shop_store::Row>::f"),
            CodeOrigin::kProgram);
  EXPECT_EQ(origin_of("alloc::vec::Vec::push"), CodeOrigin::kRustLibrary);
  EXPECT_EQ(origin_of("tokio::runtime::run"), CodeOrigin::kThirdParty);
  // Not the program's main().
  EXPECT_EQ(origin_of("tokio_util::runtime::main"), CodeOrigin::kThirdParty);
}

TEST(OriginClassifierTest, DoesNotGoByAShortWordThatCratesShare) {
  const auto origin_of = [](std::string_view name) {
    return OriginOf(name, "", "_RNvC7net_app3run", "/srv/app/bin/net-app");
  };
  EXPECT_EQ(origin_of("net_app::run"), CodeOrigin::kProgram);
  EXPECT_EQ(origin_of("net_store::run"), CodeOrigin::kThirdParty);
}

TEST(HasVendoredFolderTest, LooksAtWholeFolders) {
  EXPECT_TRUE(HasVendoredFolder("/srv/app/third_party/zlib/inflate.c"));
  EXPECT_TRUE(HasVendoredFolder("vendor/x.c"));
  EXPECT_FALSE(HasVendoredFolder("/srv/app/my_third_party/x.c"));
  EXPECT_FALSE(HasVendoredFolder("/srv/app/vendor"));
  EXPECT_FALSE(HasVendoredFolder(""));
}

}  // namespace
}  // namespace heapprof
