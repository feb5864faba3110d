// SPDX-License-Identifier: Apache-2.0
#include "heapprof/base/start_processor.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

std::vector<int> Members(const cpu_set_t& set) {
  std::vector<int> members;
  for (int i = 0; i < CPU_SETSIZE; ++i)
    if (CPU_ISSET(i, &set)) members.push_back(i);
  return members;
}

std::vector<int> Allowed() {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof(set), &set), 0);
  return Members(set);
}

std::vector<int> ChosenBy(const StartProcessor& processor) {
  pthread_attr_t attributes;
  EXPECT_EQ(pthread_attr_init(&attributes), 0);
  EXPECT_TRUE(processor.SetIn(attributes));
  cpu_set_t set;
  EXPECT_EQ(pthread_attr_getaffinity_np(&attributes, sizeof(set), &set), 0);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
  return Members(set);
}

// The system may move this thread at any time, but does so rarely.
template <typename Check>
bool HoldsOnce(Check check) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i)
    if (check()) return true;
  return false;
}

TEST(StartProcessorTest, AnyOtherIsNotTheCurrentOne) {
  if (Allowed().size() < 2) GTEST_SKIP() << "one processor";
  EXPECT_TRUE(HoldsOnce([] {
    std::vector<int> others = Allowed();
    std::erase(others, sched_getcpu());
    return ChosenBy(*StartProcessor::AnyOther()) == others;
  }));
}

TEST(StartProcessorTest, GivesEachThreadAProcessor) {
  const std::vector<int> allowed = Allowed();
  EXPECT_TRUE(HoldsOnce([&allowed] {
    std::set<int> all;
    int last = -1;
    for (size_t i = 0; i < allowed.size(); ++i) {
      const std::vector<int> chosen = ChosenBy(*StartProcessor::ForThread(i));
      EXPECT_EQ(chosen.size(), 1u);
      last = chosen.front();
      all.insert(last);
    }
    return std::ranges::equal(all, allowed) && last == sched_getcpu();
  }));
}

TEST(StartProcessorTest, BeginsAgainAfterTheLastProcessor) {
  const size_t count = Allowed().size();
  EXPECT_TRUE(HoldsOnce([count] {
    return ChosenBy(*StartProcessor::ForThread(0)) ==
           ChosenBy(*StartProcessor::ForThread(count));
  }));
}

TEST(StartProcessorTest, ReleaseAllowsAllProcessors) {
  const std::vector<int> allowed = Allowed();
  const auto processor = StartProcessor::ForThread(0);
  ASSERT_TRUE(processor);
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_TRUE(processor->SetIn(attributes));
  struct Thread {
    const StartProcessor& processor;
    std::vector<int> before, after;
  } thread{*processor, {}, {}};
  pthread_t id;
  ASSERT_EQ(pthread_create(
                &id, &attributes,
                [](void* opaque) -> void* {
                  auto& here = *static_cast<Thread*>(opaque);
                  here.before = Allowed();
                  here.processor.Release();
                  here.after = Allowed();
                  return nullptr;
                },
                &thread),
            0);
  EXPECT_EQ(pthread_join(id, nullptr), 0);
  EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
  EXPECT_EQ(thread.before.size(), 1u);
  EXPECT_EQ(thread.after, allowed);
}

// A thread that waits where it was started, as if it had not begun, until the
// end.
class WaitingThread {
 public:
  explicit WaitingThread(const StartProcessor& processor) {
    pthread_attr_t attributes;
    EXPECT_EQ(pthread_attr_init(&attributes), 0);
    EXPECT_TRUE(processor.SetIn(attributes));
    EXPECT_EQ(pthread_create(
                  &id_, &attributes,
                  [](void* is_over) -> void* {
                    static_cast<std::atomic<bool>*>(is_over)->wait(false);
                    return nullptr;
                  },
                  &is_over_),
              0);
    EXPECT_EQ(pthread_attr_destroy(&attributes), 0);
  }
  ~WaitingThread() {
    is_over_ = true;
    is_over_.notify_all();
    EXPECT_EQ(pthread_join(id_, nullptr), 0);
  }
  WaitingThread(const WaitingThread&) = delete;
  WaitingThread& operator=(const WaitingThread&) = delete;

  pthread_t id() const { return id_; }

  std::vector<int> Allowed() const {
    cpu_set_t set;
    EXPECT_EQ(pthread_getaffinity_np(id_, sizeof(set), &set), 0);
    return Members(set);
  }

 private:
  pthread_t id_ = {};
  std::atomic<bool> is_over_ = false;
};

TEST(StartProcessorTest, BringHereLetsAThreadLeaveItsProcessor) {
  const auto processor = StartProcessor::ForThread(0);
  ASSERT_TRUE(processor);
  const WaitingThread thread(*processor);
  EXPECT_EQ(thread.Allowed().size(), 1u);
  processor->BringHere(thread.id());
  EXPECT_EQ(thread.Allowed(), Allowed());
}

TEST(StartProcessorTest, BringHereLeavesAThreadThatHasBegun) {
  std::vector<int> others = Allowed();
  if (others.size() < 2) GTEST_SKIP() << "one processor";
  const auto processor = StartProcessor::ForThread(0);
  ASSERT_TRUE(processor);
  const WaitingThread thread(*processor);
  std::erase(others, thread.Allowed().front());
  cpu_set_t other = {};
  CPU_SET(others.front(), &other);
  ASSERT_EQ(pthread_setaffinity_np(thread.id(), sizeof(other), &other), 0);
  processor->BringHere(thread.id());
  EXPECT_EQ(thread.Allowed(), Members(other));
}

}  // namespace
}  // namespace heapprof
