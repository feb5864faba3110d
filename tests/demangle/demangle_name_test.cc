// SPDX-License-Identifier: Apache-2.0
#include "demangle/demangle_name.h"

#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

class DemangleNameTest : public testing::Test {
 protected:
  // "-" if the name cannot be demangled.
  std::string Demangled(const std::string& name) {
    if (!DemangleName(name, *sink_)) return "-";
    return std::string(sink_->text.data(), sink_->size);
  }

  std::unique_ptr<DemangleSink> sink_ = std::make_unique<DemangleSink>();
};

TEST(IsMangledTest, GoesByThePrefixAndTheLength) {
  EXPECT_TRUE(IsMangled("_Z1fv"));
  EXPECT_TRUE(IsMangled("_RNvC1a1f"));
  for (const char* other : {"", "_", "main", "Z1fv", "__Z1fv", "_r"})
    EXPECT_FALSE(IsMangled(other)) << other;
  std::string longest = "_Z";
  longest.resize(kMaxMangledLength, 'x');
  EXPECT_TRUE(IsMangled(longest));
  EXPECT_FALSE(IsMangled(longest + 'x'));
  EXPECT_FALSE(IsMangled(std::string_view("_Z1f\0v", 6)));
}

TEST_F(DemangleNameTest, FillsTheSinkAnewForEachName) {
  EXPECT_EQ(Demangled("_ZN5space8functionEi"), "space::function(int)");
  EXPECT_EQ(Demangled("_Z1fv"), "f()");
  EXPECT_EQ(Demangled("_Z"), "-");
  EXPECT_EQ(Demangled("_Z1gv"), "g()");
}

TEST_F(DemangleNameTest, TriesCxxForNamesThatOnlyLookLikeRust) {
  EXPECT_EQ(Demangled("_ZN3foo17h0123456789abcdefE"), "foo");
  // A hash has more than one digit.
  EXPECT_EQ(Demangled("_ZN3foo17h1111111111111111E"), "foo::h1111111111111111");
}

TEST_F(DemangleNameTest, DoesNotCheckTheSuffixOfARustName) {
  EXPECT_EQ(Demangled("_RNvC1a1f"), "a::f");
  EXPECT_EQ(Demangled("_RNvC1a1f.llvm.123"), "a::f");
}

TEST_F(DemangleNameTest, RejectsRustNamesThatEndTooEarlyOrTooLate) {
  for (const char* name : {"_R", "_RN", "_RNvC1a", "_RNvC1a2f", "_RNvC1a1fx"})
    EXPECT_EQ(Demangled(name), "-") << name;
}

}  // namespace
}  // namespace heapprof
