// SPDX-License-Identifier: Apache-2.0
#include "heapprof/groups/built_in_groups.h"

#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/groups/groups_file.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> NamesOfGroups(const std::vector<Group>& groups) {
  std::vector<std::string> names;
  for (const Group& group : groups) names.push_back(group.name);
  return names;
}

TEST(BuiltInGroupsTest, FindsSets) {
  const auto some = BuiltInGroups("@own,@rocksdb");
  ASSERT_TRUE(some) << some.error().message;
  EXPECT_THAT(NamesOfGroups(*some), ElementsAre("your code", "RocksDB"));
  const auto all = BuiltInGroups("@all");
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_THAT(
      NamesOfGroups(*all),
      ElementsAre("RocksDB", "Arrow", "protobuf", "gRPC", "folly", "tokio",
                  "CPython", "V8", "glibc", "libstdc++", "your code"));
}

TEST(BuiltInGroupsTest, NamesTheSetsThatItKnows) {
  const auto groups = BuiltInGroups("@own,@foo");
  ASSERT_FALSE(groups);
  EXPECT_EQ(groups.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(groups.error().message,
            "--groups=@own,@foo: expected @all or some of @rocksdb,@arrow,"
            "@protobuf,@grpc,@folly,@tokio,@cpython,@v8,@glibc,@libstdc++,"
            "@own, found '@foo'");
}

TEST(BuiltInGroupsTest, AreAFileOfGroups) {
  const auto parsed = ParseGroups(BuiltInGroupsFile(), "built-in");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(NamesOfGroups(*parsed), NamesOfGroups(*BuiltInGroups("@all")));
}

// Returns the group of a stack in a process of /srv/app, such as "[V8]".
std::string GroupOfStack(const std::string& stack) {
  Profile profile = ProfileOf("/srv/app!main 1\n" + stack + " 1\n");
  EXPECT_TRUE(AddGroupRoots(*BuiltInGroups("@all"), profile));
  const std::string text = StackText(profile, profile.samples[1].stack);
  return text.substr(0, text.find(';'));
}

TEST(BuiltInGroupsTest, KnowTheirLibraries) {
  for (const auto& [function, group] :
       std::vector<std::pair<std::string, std::string>>{
           {"rocksdb::Arena::Allocate(unsigned long)", "[RocksDB]"},
           {"rocksdb_open", "[RocksDB]"},
           {"arrow::PoolBuffer::Resize", "[Arrow]"},
           {"parquet::ColumnReader::Next", "[Arrow]"},
           {"<arrow_array::Array as core::ops::Drop>::drop", "[Arrow]"},
           {"google::protobuf::Arena::Init", "[protobuf]"},
           {"grpc_core::Slice::Copy", "[gRPC]"},
           {"gpr_malloc", "[gRPC]"},
           {"folly::IOBuf::create", "[folly]"},
           {"<tokio::net::Stream as tokio::io::Read>::poll", "[tokio]"},
           {"PyUnicode_New", "[CPython]"},
           {"_PyObject_GC_Alloc", "[CPython]"},
           {"v8::internal::Zone::Expand", "[V8]"},
           {"_dl_new_object", "[glibc]"},
           {"std::locale::_Impl::_Impl", "[libstdc++]"},
           {"(anonymous namespace)::pool::pool", "[libstdc++]"}})
    EXPECT_EQ(GroupOfStack("/usr/lib/libx.so!" + function), group) << function;
  EXPECT_EQ(GroupOfStack("/usr/lib/librocksdb.so.8!f"), "[RocksDB]");
  EXPECT_EQ(GroupOfStack("/usr/bin/python3.11!f"), "[CPython]");
}

// Containers belong to those who fill them, and what a library runs for its
// user belongs to that user.
TEST(BuiltInGroupsTest, LeaveToOthersWhatIsTheirs) {
  for (const char* called :
       {"std::vector<int>::push_back", "folly::F14Table::grow", "strdup"})
    EXPECT_EQ(GroupOfStack("/srv/app!main;/srv/app!app::Run;/srv/app!" +
                           std::string(called)),
              "[your code]")
        << called;
  EXPECT_EQ(GroupOfStack("/srv/app!main;/usr/lib/libgrpc.so.1!serve;"
                         "/srv/app!app::Answer"),
            "[your code]");
  EXPECT_EQ(GroupOfStack("/usr/lib/libc.so.6!_dl_init;/usr/lib/libx.so!x_init"),
            "[other]");
}

TEST(FindBuiltInGroupTest, FindsByFunctionOrBinary) {
  EXPECT_EQ(FindBuiltInGroup("grpc_core::f", "")->name, "gRPC");
  EXPECT_EQ(FindBuiltInGroup("f", "/libarrow.so")->name, "Arrow");
  EXPECT_EQ(FindBuiltInGroup("f", "/libc.so")->name, "");
}

}  // namespace
}  // namespace heapprof
