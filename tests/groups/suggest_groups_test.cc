// SPDX-License-Identifier: Apache-2.0
#include "heapprof/groups/suggest_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/groups/groups_file.h"

namespace heapprof {
namespace {

using Kind = GroupCandidate::Kind;

std::string FileFor(const std::vector<GroupCandidate>& candidates) {
  auto groups = SuggestGroups(candidates);
  EXPECT_TRUE(groups);
  const std::string file = WriteGroups(*std::move(groups), {});
  if (!file.empty()) {
    const auto parsed = ParseGroups(file, "suggestion");
    EXPECT_TRUE(parsed) << parsed.error().message;
  }
  return file;
}

TEST(SuggestGroupsTest, WritesARuleForEachKind) {
  EXPECT_EQ(FileFor({{Kind::kScope, "app", 4, "app::F"},
                     {Kind::kCrate, "shop", 3, "shop::f"},
                     {Kind::kFolder, "src/row.d", 2, "f"},
                     {Kind::kModule, "libz+.so", 1, "g"},
                     {Kind::kModule, "server", 1, "h"}}),
            R"(
[[groups]]
name = "app"
function = '^app::'

[[groups]]
name = "shop"
function = '^<?shop::'

[[groups]]
name = "row.d"
file = '(^|/)src/row\.d/'

[[groups]]
name = "libz+.so"
module = '(^|/)libz\+\.so(\.|$)'

[[groups]]
name = "server"
module = '(^|/)server$'
)");
}

TEST(SuggestGroupsTest, PutsInnerNamespacesFirst) {
  const std::string file =
      FileFor({{Kind::kScope, "app", 8, "app::f"},
               {Kind::kScope, "zip", 4, "zip::f"},
               {Kind::kScope, "app::net", 2, "app::net::f"},
               {Kind::kScope, "apple", 1, "apple::f"}});
  const std::string modules =
      FileFor({{Kind::kCrate, "shop", 8, "shop::f"},
               {Kind::kCrate, "shop::cart", 2, "shop::cart::f"}});
  EXPECT_LT(modules.find("'^<?shop::cart::'"), modules.find("'^<?shop::'"));
  const size_t zip = file.find("\"zip\""), net = file.find("\"app/net\""),
               app = file.find("\"app\""), apple = file.find("\"apple\"");
  EXPECT_LT(zip, net);
  EXPECT_LT(net, app);
  EXPECT_LT(app, apple);
  EXPECT_NE(apple, file.npos);
}

TEST(SuggestGroupsTest, TakesBuiltInGroups) {
  const auto groups =
      SuggestGroups({{Kind::kScope, "grpc_core", 4, "grpc_core::f"},
                     {Kind::kScope, "app", 3, "app::f"},
                     {Kind::kScope, "grpc", 2, "grpc::f"}});
  ASSERT_TRUE(groups);
  ASSERT_EQ(groups->size(), 2u);
  EXPECT_EQ(groups->front().name, "gRPC");
  EXPECT_EQ(groups->front().value, 6);
}

TEST(SuggestGroupsTest, LeavesOutNamesThatNoGroupCanHave) {
  EXPECT_EQ(FileFor({{Kind::kScope, "it's", 1, "x"},
                     {Kind::kFolder, "a/\x1b[1m", 1, "x"},
                     {Kind::kModule, "a\nb", 1, "x"},
                     {Kind::kModule, "\xff", 1, "x"},
                     {Kind::kScope, std::string(100, 'a'), 1, "x"},
                     {Kind::kFolder, "src/other", 1, "x"}}),
            "");
}

TEST(WriteGroupsTest, WritesComments) {
  EXPECT_EQ(
      WriteGroups({{.name = "a", .toml = "[[groups]]\n", .comment = "5%"}},
                  {"one\ntwo"}),
      "# one?two\n\n# 5%\n[[groups]]\n");
}

}  // namespace
}  // namespace heapprof
