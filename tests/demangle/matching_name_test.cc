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
      {"ns::f<unsigned long, std::string&, char*>",
       {"ns::f<long unsigned int, const std::__cxx11::string&, const char *>",
        "ns::f<unsigned long, std::__1::string const&, char const*>"}},
      {"ns::f<short, unsigned short, long long, unsigned long long, long>",
       {"ns::f<short int, short unsigned int, long long int, long long "
        "unsigned int, long int>"}},
      {"ns::f<main::{lambda}::{lambda}>",
       {"ns::f<main()::<lambda()>::<lambda(auto:27)> >",
        "void ns::f<main::$_0::operator()(int) const::{lambda(auto:1)#1}>()"}},
      {"std::thread::thread<main::{lambda}, void>",
       {"std::thread::thread<main::$_3, , void>(main::$_3&&)"}},
      {"app::f<std::vector<g::Local>, std::map<int, long>, std::unique_ptr<A>>",
       {"app::f<std::vector<g(size_t)::Local>, std::map<int, long int>, "
        "std::unique_ptr<A> >",
        "void app::f<std::vector<g(unsigned long)::Local, "
        "std::allocator<g(unsigned long)::Local> >, std::map<int, long, "
        "std::less<int>, std::allocator<std::pair<int const, long> > >, "
        "std::unique_ptr<A, std::default_delete<A> > >(int)"}},
      {"app::f<97, 4, -2, 3, 5, true, (app::Mode)1>",
       {"app::f<'a', 4, -2, 3, 5, true, (app::Mode)1>",
        "void app::f<(char)97, (short)4, -2l, 3u, 5ull, true, "
        "(app::Mode)1>()"}},
      {"f<void(int, long), int(&)[3]>",
       {"f<void(int, long int), int (&)[3]>",
        "int* f<void (int, long), int (&) [3]>(unsigned long)"}},
      {"f<(anonymous namespace)::A>",
       {"f<<unnamed>::A>", "void f<(anonymous namespace)::A>()"}},
      {"a::B::operator()",
       {"a::B::operator()", "a::B::operator()(int, long) &&",
        "a::B::operator()() const &"}},
      {"a::operator<<<long>",
       {"a::operator<< <long int>",
        "a::B& a::operator<< <long>(a::B&, long const&)"}},
      {"f::{lambda}::__invoke",
       {"f()::{lambda(int)#1}::_FUN(int)", "f()::$_0::__invoke(int)"}},
      {"a::f::{closure}", {"a::f::{{closure}}", "a::f::{closure#3}"}},
      {"a::f::{shim:vtable}", {"a::f{{vtable.shim}}", "a::f::{shim:vtable#0}"}},
  };
  for (const Match& match : matches)
    for (const std::string_view name : match.names)
      EXPECT_EQ(MatchingName(name), match.expected) << name;
}

TEST(MatchingNameTest, KeepsWhatTellsFunctionsApart) {
  for (const std::string_view name :
       {"main", "f<1>", "ns::f<2>", "a::operator()", "operator<",
        "(anonymous namespace)::f", "a::(anonymous namespace)::f",
        "<(A, B) as Trait>::f", "std::function<void(int)>::operator()",
        "a::full<null>", "array<4, unsigned>", "malloc@plt",
        "f<my_short int_t>", "f<long integer>", "f<xconst y>"})
    EXPECT_EQ(MatchingName(name), TemplateName(name)) << name;
  EXPECT_EQ(MatchingName("ns::f<2>(int)"), "ns::f<2>");
  EXPECT_EQ(MatchingName("http.(*Server).Serve"), "http.(*Server).Serve");
  EXPECT_EQ(MatchingName("a::(anonymous namespace)::f(int)"),
            "a::(anonymous namespace)::f");
  EXPECT_EQ(MatchingName("f("), "f");
}

TEST(LooseMatchingNameTest, DropsWhatBuildsMayChange) {
  EXPECT_EQ(LooseMatchingName("std::vector<int>::push_back"),
            "std::vector::push_back");
  EXPECT_EQ(LooseMatchingName("<Vec<T> as Extend<T>>::extend"),
            "<Vec as Extend>::extend");
  EXPECT_EQ(LooseMatchingName("_GLOBAL__sub_I_main"),
            LooseMatchingName("_GLOBAL__sub_I_main.cc"));
  EXPECT_EQ(LooseMatchingName("__static_initialization_and_destruction_0"),
            LooseMatchingName("__cxx_global_var_init"));
}

}  // namespace
}  // namespace heapprof
