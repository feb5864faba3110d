// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/missing_index.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DemangledNamesTest, FindAddedNames) {
  DemangledNames demangled;
  demangled.Add("_Z1fv", "f()");
  demangled.Add("_Z1gv", "g()");
  EXPECT_THAT(demangled.FindAll({"_Z1gv", "_Z1hv", "", "_Z1fv", "_Z1gv"}),
              ElementsAre("g()", "", "", "f()", "g()"));
  EXPECT_THAT(demangled.FindAll({}), IsEmpty());
}

TEST(DemangledNamesTest, KeepTheFirstFormOfAName) {
  DemangledNames demangled;
  demangled.Add("_Z1fv", "f()");
  demangled.Add("_Z1fv", "other()");
  EXPECT_THAT(demangled.FindAll({"_Z1fv"}), ElementsAre("f()"));
}

TEST(DemangledNamesTest, AreCopies) {
  constexpr int kNames = 5000;
  DemangledNames demangled;
  std::vector<std::string> names;
  for (int i = 0; i < kNames; ++i) {
    std::string name = fmt::format("_Z1fILi{}EEvv", i);
    names.push_back(name);
    std::string form = fmt::format("void f<{}>()", i);
    demangled.Add(name, form);
    name.assign(name.size(), 'x');
    form.assign(form.size(), 'x');
  }
  const std::vector<std::string_view> forms =
      demangled.FindAll({names.begin(), names.end()});
  ASSERT_EQ(forms.size(), names.size());
  for (int i = 0; i < kNames; ++i)
    EXPECT_EQ(forms[static_cast<size_t>(i)], fmt::format("void f<{}>()", i));
}

// If nothing was demangled, an index need not search.
TEST(DemangledNamesTest, FindNothingIfEmpty) {
  EXPECT_THAT(DemangledNames().FindAll({"_Z1fv"}), IsEmpty());
}

}  // namespace
}  // namespace heapprof
