// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/compact_names.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/demangle/names.h"
#include "heapprof/demangle/shown_names.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CompactNamesTest, StoresOnlyWhatNoOtherFormHas) {
  const std::string name =
      "void ns::Run<std::vector<int, A<int> > >(ns::Task<B<int> >)";
  const CompactNames forms = CompactShownNames(name, ShortName(name));
  EXPECT_THAT(
      forms.more,
      ElementsAre("void ns::Run<std::vector<int, A<int>>>(ns::Task<B<int>>)"));
}

TEST(CompactNamesTest, HasAllShownNames) {
  for (const std::string name :
       {"main", "f(int)", "void f<int>(int)", "a::b<c<int> >::d(int) const &",
        "bool ns::f<{lambda(int)#2}>(g()::{lambda(int)#1})",
        "core::ptr::drop_in_place<alloc::vec::Vec<u8>>",
        "std::string ns::X::f[abi:cxx11](int) [clone .isra.0]"}) {
    SCOPED_TRACE(name);
    const std::string short_name = ShortName(name);
    const CompactNames forms = CompactShownNames(name, short_name);
    std::vector<std::string> all = {name};
    if (short_name != name) all.push_back(short_name);
    all.insert(all.end(), forms.more.begin(), forms.more.end());
    for (const auto& [text, start, size] : forms.parts)
      all.push_back(
          (text == 0 ? name : forms.more[text - 1]).substr(start, size));
    std::ranges::sort(all);
    EXPECT_EQ(all, ShownNames(name));
  }
}

TEST(CompactNamesTest, IsEmptyForPlainNames) {
  const CompactNames forms = CompactShownNames("main", "main");
  EXPECT_THAT(forms.more, IsEmpty());
  EXPECT_TRUE(forms.parts.empty());
}

}  // namespace
}  // namespace heapprof
