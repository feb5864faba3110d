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

TEST(ShownNamesTest, GiveTheFormsOfThoseThatWereShown) {
  ShownNames shown;
  shown.Add("_Z1fv", "f()");
  shown.Add("_Z1gv", "g()");
  EXPECT_THAT(shown.FormsOf({"_Z1gv", "_Z1hv", "", "_Z1fv", "_Z1gv"}),
              ElementsAre("g()", "", "", "f()", "g()"));
  EXPECT_THAT(shown.FormsOf({}), IsEmpty());
}

TEST(ShownNamesTest, KeepTheFirstFormOfAName) {
  ShownNames shown;
  shown.Add("_Z1fv", "f()");
  shown.Add("_Z1fv", "other()");
  EXPECT_THAT(shown.FormsOf({"_Z1fv"}), ElementsAre("f()"));
}

TEST(ShownNamesTest, AreCopies) {
  constexpr int kNames = 5000;
  ShownNames shown;
  std::vector<std::string> names;
  for (int i = 0; i < kNames; ++i) {
    std::string name = fmt::format("_Z1fILi{}EEvv", i);
    names.push_back(name);
    std::string form = fmt::format("void f<{}>()", i);
    shown.Add(name, form);
    name.assign(name.size(), 'x');
    form.assign(form.size(), 'x');
  }
  const std::vector<std::string_view> forms =
      shown.FormsOf({names.begin(), names.end()});
  ASSERT_EQ(forms.size(), names.size());
  for (int i = 0; i < kNames; ++i)
    EXPECT_EQ(forms[static_cast<size_t>(i)], fmt::format("void f<{}>()", i));
}

// Where nothing was shown an index need not look.
TEST(ShownNamesTest, HaveNoFormsAtFirst) {
  EXPECT_THAT(ShownNames().FormsOf({"_Z1fv"}), IsEmpty());
}

}  // namespace
}  // namespace heapprof
