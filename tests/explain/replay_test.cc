// SPDX-License-Identifier: Apache-2.0
#include "explain/replay.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

constexpr uint32_t kInnocent = 0, kKeeper = 1;
constexpr uint64_t kLive = UINT64_MAX;

// Objects that come one after the other, each at the next point in time.
class ObjectList {
 public:
  // Returns the number of the first one.
  size_t Add(uint32_t holder, size_t count, uint64_t thread = 0) {
    for (size_t i = 0; i < count; ++i)
      objects_.push_back({holder, thread, ++time_, kLive});
    return objects_.size() - count;
  }
  void Free(size_t object) { objects_[object].freed = ++time_; }
  void FreeAt(size_t object, uint64_t time) { objects_[object].freed = time; }
  uint64_t time() const { return time_; }
  Replay Run() const { return ReplayObjects(objects_, 2); }

 private:
  std::vector<ReplayedObject> objects_;
  uint64_t time_ = 0;
};

// Two slabs of one holder, and others of which one object in 32 stays.
Replay RunSurvivors(size_t slabs) {
  ObjectList list;
  list.Add(kInnocent, 64);
  const size_t first = list.Add(kKeeper, 32 * slabs);
  for (size_t i = 0; i < 32 * slabs; ++i)
    if (i % 32 != 0) list.Free(first + i);
  return list.Run();
}

TEST(ReplayTest, FewSurvivorsKeepTheirSlabs) {
  const Replay replay = RunSurvivors(3);
  EXPECT_EQ(replay.objects, 160u);
  EXPECT_EQ(replay.live, 67u);
  EXPECT_EQ(replay.free, 93u);
  EXPECT_DOUBLE_EQ(replay.free_share, 93.0 / 160);
  EXPECT_EQ(replay.holders[kInnocent].share, 0);
  EXPECT_EQ(replay.holders[kInnocent].live, 64u);
  EXPECT_EQ(replay.holders[kKeeper].share, 1);
  EXPECT_EQ(replay.holders[kKeeper].live, 3u);
  // Three objects, all of one holder, say little: the cube root of 0.025.
  EXPECT_NEAR(replay.holders[kKeeper].bounds.lower, 0.2924, 0.0001);
  EXPECT_EQ(replay.holders[kKeeper].bounds.upper, 1);
}

TEST(ReplayTest, FewFreeRegionsMayBeAnybodys) {
  const Replay replay = RunSurvivors(2);
  EXPECT_EQ(replay.free, 62u);
  EXPECT_EQ(replay.holders[kKeeper].share, 1);
  EXPECT_EQ(replay.holders[kKeeper].bounds.lower, 0);
  EXPECT_EQ(replay.holders[kInnocent].bounds.upper, 1);
  EXPECT_LT(RunSurvivors(3).holders[kInnocent].bounds.upper, 0.75);
}

TEST(ReplayTest, DividesASlabAmongItsObjects) {
  ObjectList list;
  list.Add(kInnocent, 3);
  list.Add(kKeeper, 1);
  for (size_t i = list.Add(kKeeper, 28); i < 32; ++i) list.Free(i);
  const Replay replay = list.Run();
  EXPECT_DOUBLE_EQ(replay.free_share, 28.0 / 32);
  EXPECT_DOUBLE_EQ(replay.holders[kInnocent].share, 0.75);
  EXPECT_DOUBLE_EQ(replay.holders[kKeeper].share, 0.25);
  EXPECT_LE(replay.holders[kKeeper].bounds.lower, 0.25);
  EXPECT_GE(replay.holders[kKeeper].bounds.upper, 0.25);
}

TEST(ReplayTest, FillsTheLowestFreeRegionFirst) {
  ObjectList list;
  list.Add(kInnocent, 64);
  list.Free(40);
  list.Free(3);
  list.Add(kKeeper, 1);
  // Region 3 is taken; of the second slab, region 40 is free.
  EXPECT_EQ(list.Run().holders[kInnocent].share, 1);
  list.Add(kKeeper, 1);
  EXPECT_EQ(list.Run().free_share, 0);
}

TEST(ReplayTest, GivesEmptySlabsBack) {
  ObjectList list;
  list.Add(kInnocent, 32);
  for (size_t i = 0; i < 32; ++i) list.Free(i);
  const size_t first = list.Add(kKeeper, 2);
  list.Free(first);
  // Two regions of a new slab, or there would be 31 free ones.
  const Replay replay = list.Run();
  EXPECT_DOUBLE_EQ(replay.free_share, 1.0 / 2);
  EXPECT_EQ(replay.holders[kKeeper].share, 1);
}

TEST(ReplayTest, ThreadsShareNoSlabs) {
  ObjectList list;
  list.Add(kInnocent, 31);
  list.Free(list.Add(kInnocent, 1));
  list.Add(kKeeper, 1, /*thread=*/7);
  for (size_t i = 0; i < 3; ++i) list.Free(list.Add(kKeeper, 1, 7));
  const Replay replay = list.Run();
  EXPECT_DOUBLE_EQ(replay.free_share, 2.0 / 34);
  EXPECT_DOUBLE_EQ(replay.holders[kKeeper].share, 1.0 / 2);
}

TEST(ReplayTest, RegionsThatNobodyHasUsedAreNotKept) {
  ObjectList list;
  list.Add(kInnocent, 40);
  Replay replay = list.Run();
  EXPECT_EQ(replay.free_share, 0);
  EXPECT_EQ(replay.holders[kInnocent].share, 0);
  // The first thing that goes is all that is free.
  list.Add(kKeeper, 2);
  list.Free(41);
  replay = list.Run();
  EXPECT_DOUBLE_EQ(replay.free_share, 1.0 / 42);
  EXPECT_DOUBLE_EQ(replay.holders[kKeeper].share, 1.0 / 9);
}

TEST(ReplayTest, ObjectsComeBeforeOthersGoAtTheSameTime) {
  ObjectList list;
  list.Add(kInnocent, 32);
  list.Add(kKeeper, 1);
  list.FreeAt(0, list.time());
  // Else, there would be no free region.
  EXPECT_DOUBLE_EQ(list.Run().free_share, 1.0 / 33);
}

TEST(ReplayTest, SaysNothingOfNoLiveObjects) {
  ObjectList list;
  list.Add(kKeeper, 1);
  list.FreeAt(0, list.time());
  const Replay replay = list.Run();
  EXPECT_EQ(replay.live, 0u);
  EXPECT_EQ(replay.holders[kKeeper].share, 0);
  EXPECT_EQ(ReplayObjects({}, 0).objects, 0u);
}

}  // namespace
}  // namespace heapprof
