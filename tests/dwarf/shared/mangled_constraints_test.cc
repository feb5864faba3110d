// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/mangled_constraints.h"

#include <initializer_list>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

using namespace std::string_view_literals;

// Names that clang 19 writes.
TEST(MangledConstraintsTest, FindsConstraintsAndDeclarations) {
  for (const std::string_view name : std::initializer_list<std::string_view>{
           "_Z6squareITk8IntegralIiEEvT_", "_ZN4demo3addIiQ8IntegralIT_EEEvS1_",
           "_ZN4demo12_GLOBAL__N_13F12ITtTpTyESt6vectorEEvm",
           "_ZN2ns1fITnNS_4ModeELS1_120EQ4FitsIT_EEEvv",
           "_ZN2ns1fILi5EQ4FitsIT_EEEvv", "_ZN2ns1fIA4_cQ4FitsIT_EEEvv",
           "_ZN2ns1fIS1_T0_Q4FitsIT_EEEvv\0more"sv})
    EXPECT_TRUE(HasConstraints(name)) << name;
}

TEST(MangledConstraintsTest, FindsNoneInIdentifiers) {
  for (const std::string_view name : std::initializer_list<std::string_view>{
           "", "_Z", "_Z1f", "main", "Queue", "_ZN6QThread5startEv",
           "_ZN4TkQT1fEv", "_ZTV5Queue", "_ZTI2Tk", "_ZN1AIT_E1fILi12EEEv",
           "_ZN1AIA10_5QueueE1fEv", "_ZN1AIA1_5QueueE1fEv",
           "_ZN1AILN2ns4ModeE12EE1QEv", "_Z9999999999999999999999Q",
           "_Z1fv\0Q"sv, "_Z1fS", "_Z1fT", "_Z1fL", "_Z1f12"})
    EXPECT_FALSE(HasConstraints(name)) << name;
}

TEST(MangledConstraintsTest, LimitsTheSize) {
  std::string name = "_ZN" + std::string(1 << 20, 'a') + "Q";
  EXPECT_FALSE(HasConstraints(name));
}

}  // namespace
}  // namespace heapprof
