// SPDX-License-Identifier: Apache-2.0
#include "demangle/demangle_here.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "demangle/repeat.h"
#include "heapprof/demangle/demangle.h"

namespace heapprof {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kHasAddressSanitizer = true;
#elif defined(__has_feature)
constexpr bool kHasAddressSanitizer = __has_feature(address_sanitizer);
#else
constexpr bool kHasAddressSanitizer = false;
#endif

// AddressSanitizer cannot follow a thread that changes its stack.
class DemangleHereTest : public testing::Test {
 protected:
  void SetUp() override {
    if (kHasAddressSanitizer) GTEST_SKIP();
  }
};

TEST_F(DemangleHereTest, RunsOnAStackOfItsOwn) {
  constexpr size_t kLarge = size_t{32} << 20;
  bool is_done = false;
  RunOnOwnStack(2 * kLarge, [&] {
    volatile char room[kLarge];
    room[0] = 1;
    is_done = room[0] == 1;
  });
  EXPECT_TRUE(is_done);
}

TEST_F(DemangleHereTest, LeavesNamesThatTakeTooLong) {
  const auto sink = std::make_unique<DemangleSink>();
  // The parser reads each level twice.
  const std::string bomb =
      "_ZN1a" + Repeat("cvT_I", 60) + "iE" + Repeat("E", 60) + "Ev";
  std::vector<bool> results;
  int exceeded = 0;
  RunOnOwnStack(kDemangleStackSize, [&] {
    NameTimeLimit limit(std::chrono::milliseconds(30));
    for (const std::string& name :
         {std::string("_Z1fv"), bomb, bomb, std::string("_Z1gv")}) {
      limit.Restart(*sink);
      results.push_back(DemangleName(name, *sink));
    }
    limit.Stop();
    exceeded = limit.exceeded();
  });
  EXPECT_EQ(results, (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(std::string(sink->text.data(), sink->size), "g()");
  EXPECT_EQ(exceeded, 2);
}

TEST_F(DemangleHereTest, SurvivesDeepNesting) {
  const auto sink = std::make_unique<DemangleSink>();
  const std::string deep = "_Z1f" + Repeat("P", 16000) + "i";
  bool is_demangled = true;
  RunOnOwnStack(kDemangleStackSize,
                [&] { is_demangled = DemangleName(deep, *sink); });
  EXPECT_FALSE(is_demangled);  // longer than the limit
}

}  // namespace
}  // namespace heapprof
