// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/group_candidates.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "scope app 3", the largest first.
std::vector<std::string> CandidatesIn(std::string_view stacks,
                                      size_t most = 12) {
  constexpr std::string_view kKinds[] = {"scope", "crate", "folder", "module"};
  const Profile profile = ProfileOf(stacks);
  std::vector<std::string> texts;
  for (const GroupCandidate& candidate :
       FindGroupCandidates(profile, Metric::kInuseSpace, most))
    texts.push_back(fmt::format("{} {} {}",
                                kKinds[static_cast<size_t>(candidate.kind)],
                                candidate.text, candidate.value));
  return texts;
}

TEST(GroupCandidatesTest, FindsNamespacesFoldersAndBinaries) {
  EXPECT_THAT(
      CandidatesIn("/srv/app!main;/srv/app!store::Table::Add 40\n"
                   "/srv/app!main;/srv/app!net::Read 30\n"
                   "/srv/app!main;/srv/app!parse_row%/b/app/src/row/parse.c:3 "
                   "20\n"
                   "/srv/app!main;/srv/libplain.so!load 10\n"),
      ElementsAre("scope store 40", "scope net 30", "folder src/row 20",
                  "module libplain.so 10"));
}

TEST(GroupCandidatesTest, ChargesTheCallThatSaysWhatTheMemoryIsFor) {
  EXPECT_THAT(CandidatesIn("/srv/app!main;/srv/app!net::Read;"
                           "/srv/app!std::vector::push_back;/srv/app!xmalloc "
                           "5\n"),
              ElementsAre("scope net 5"));
  EXPECT_THAT(CandidatesIn("/srv/app!main 0\n/usr/lib/libc.so.6!fopen 5\n"),
              IsEmpty());
}

TEST(GroupCandidatesTest, LeavesOutWhatIsTooSmall) {
  EXPECT_THAT(CandidatesIn("/srv/app!net::Read 991\n"
                           "/srv/app!log::Write 5\n"
                           "/srv/app!zip::Pack 4\n"),
              ElementsAre("scope net 991", "scope log 5"));
}

TEST(GroupCandidatesTest, DividesANamespaceWithMostOfTheMemory) {
  EXPECT_THAT(CandidatesIn("/srv/app!app::cache::Table::Grow 50\n"
                           "/srv/app!app::net::Read 30\n"
                           "/srv/app!app::Run 15\n"
                           "/srv/app!zip::Pack::Write 5\n"),
              ElementsAre("scope app::cache 50", "scope app::net 30",
                          "scope app 15", "scope zip 5"));
  // Less than 5 % are not worth a row.
  EXPECT_THAT(CandidatesIn("/srv/app!app::cache::Table::Grow 90\n"
                           "/srv/app!app::net::Read 6\n"
                           "/srv/app!app::log::Write 4\n"),
              ElementsAre("scope app::cache::Table 90", "scope app::net 6",
                          "scope app 4"));
  EXPECT_THAT(CandidatesIn("/srv/app!a::b::c::d::e::f::Grow 100\n"),
              ElementsAre("scope a::b::c::d 100"));
}

TEST(GroupCandidatesTest, FindsCratesOfRust) {
  EXPECT_THAT(
      CandidatesIn("/srv/app!<core::cell::Cell<u8> as "
                   "shop::Store>::fill%/b/shop/src/a.rs:1 20\n"
                   "/srv/app!tokio::runtime::spawn%/b/tokio-1.2/src/b.rs:1 "
                   "10\n"),
      ElementsAre("crate shop 20", "crate tokio 10"));
}

TEST(GroupCandidatesTest, LooksBehindStandardCrates) {
  EXPECT_THAT(CandidatesIn("/srv/app!shop::add%/b/shop/src/a.rs:1;"
                           "/srv/app!<T as alloc::slice::ConvertVec>::to_vec%"
                           "/rustc/1/library/alloc/src/slice.rs:1 5\n"),
              ElementsAre("crate shop 5"));
}

// Of "store::Add;std::vector::push_back", the binary would get what store has.
TEST(GroupCandidatesTest, LeavesOutABinaryOfWhichAPartIsACandidate) {
  EXPECT_THAT(CandidatesIn("/srv/app!store::Add;/srv/app!std::vector::push_back"
                           " 40\n/srv/app!parse_row 60\n"),
              ElementsAre("scope store 40"));
}

TEST(GroupCandidatesTest, DividesACrateWithMostOfTheMemory) {
  EXPECT_THAT(CandidatesIn(
                  "/srv/app!shop::cart::add%/b/shop/src/cart.rs:1 50\n"
                  "/srv/app!<shop::store::Row as "
                  "core::clone::Clone>::clone%/b/shop/src/store.rs:1 30\n"
                  "/srv/app!<u8 as shop::Store>::fill%/b/shop/src/a.rs:1 20\n"),
              ElementsAre("crate shop::cart 50", "crate shop::store 30",
                          "crate shop 20"));
}

TEST(GroupCandidatesTest, LeavesOutSmallOnes) {
  EXPECT_THAT(CandidatesIn("/srv/app!a::F::f 1000\n/srv/app!b::F::f 400\n"
                           "/srv/app!c::F::f 1\n"),
              ElementsAre("scope a::F 1000", "scope b 400"));
  EXPECT_THAT(CandidatesIn("/srv/app!a::F::f 5\n/srv/app!b::F::f 4\n"
                           "/srv/app!c::F::f 3\n",
                           2),
              ElementsAre("scope a 5", "scope b 4"));
}

}  // namespace
}  // namespace heapprof
