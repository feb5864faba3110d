// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

struct Match {
  std::string_view expected;
  std::vector<std::string_view> names;
};

// As gcc 12 and clang 19 name the same functions, optimized and not.
TEST(MatchingNameTest, IsEqualForAllCompilers) {
  const std::vector<Match> matches = {
      {"app::Insert", {"app::Insert", "app::Insert(app::Store&, int)"}},
      {"app::Sessions::{lambda}::operator()",
       {"app::Sessions::{lambda}::operator()",
        "app::Sessions(std::vector<app::S, std::allocator<app::S> >&, int)"
        "::{lambda(int)#1}::operator()(int) const",
        "app::Sessions(std::vector<app::S, std::allocator<app::S>>&, int)"
        "::$_0::operator()(int) const"}},
      {"main::{lambda}::operator()",
       {"main::{unnamed type#1}::operator()",
        "main::{lambda()#1}::operator()() const",
        "main::$_1::operator()() const", "main::{unnamed}::operator()"}},
      {"std::__invoke<main::{lambda}>",
       {"std::__invoke<main()::<lambda()> >",
        "std::__invoke_result<main::{lambda()#1}>::type "
        "std::__invoke<main::{lambda()#1}>(main::{lambda()#1}&&)",
        "std::__invoke_result<main::$_0>::type "
        "std::__invoke<main::$_0>(main::$_0&&)"}},
      {"std::thread::_Invoker<std::tuple<main::{lambda}>>::_M_invoke<0>",
       {"std::thread::_Invoker<std::tuple<main()::<lambda()> > >::_M_invoke<0>",
        "void std::thread::_Invoker<std::tuple<main::{lambda()#1}> >"
        "::_M_invoke<0ul>(std::_Index_tuple<0ul>)"}},
  };
  for (const Match& match : matches)
    for (const std::string_view name : match.names)
      EXPECT_EQ(MatchingName(name), match.expected) << name;
}

TEST(MatchingNameTest, KeepsWhatTellsFunctionsApart) {
  for (const std::string_view name :
       {"main", "f<1>", "ns::f<2>", "a::operator()", "operator<",
        "(anonymous namespace)::f", "a::(anonymous namespace)::f",
        "<(A, B) as Trait>::f", "std::function<void (int)>::operator()",
        "a::full<null>", "array<4, unsigned>", "malloc@plt"})
    EXPECT_EQ(MatchingName(name), TemplateName(name)) << name;
  EXPECT_EQ(MatchingName("ns::f<2>(int)"), "ns::f<2>");
  EXPECT_EQ(MatchingName("http.(*Server).Serve"), "http.(*Server).Serve");
  EXPECT_EQ(MatchingName("a::(anonymous namespace)::f(int)"),
            "a::(anonymous namespace)::f");
  EXPECT_EQ(MatchingName("f("), "f");
}

}  // namespace
}  // namespace heapprof
