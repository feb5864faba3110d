// SPDX-License-Identifier: Apache-2.0
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

// Pairs of DW_AT_name as gcc 12 writes it and the demangled symbol of the same
// function, without its return type and arguments.
TEST(DemanglerSpellingTest, GivesTheNameOfTheSymbol) {
  const std::vector<std::pair<std::string_view, std::string_view>> names = {
      {"f<long unsigned int>", "f<unsigned long>"},
      {"f<short unsigned int, long long int>", "f<unsigned short, long long>"},
      {"f<__int128 unsigned>", "f<unsigned __int128>"},
      {"f<const char*>", "f<char const*>"},
      {"f<const char* const*>", "f<char const* const*>"},
      {"f<const long unsigned int&>", "f<unsigned long const&>"},
      {"f<char* const>", "f<char* const>"},
      {"f<const volatile int>", "f<volatile int const>"},
      {"f<const char [5]>", "f<char const [5]>"},
      {"f<const int (*)[3]>", "f<int const (*) [3]>"},
      {"f<int (&)[3]>", "f<int (&) [3]>"},
      {"f<void(int, long int)>", "f<void (int, long)>"},
      {"f<void (*)(const char*)>", "f<void (*)(char const*)>"},
      {"f<int (ns::T::*)(long int) const>", "f<int (ns::T::*)(long) const>"},
      {"f<std::function<void(long unsigned int)>>",
       "f<std::function<void (unsigned long)>>"},
      {"f<std::pair<const std::string, const ns::T*>>",
       "f<std::pair<std::string const, ns::T const*>>"},
      {"f<std::map<const ns::A<int>&, char>>",
       "f<std::map<ns::A<int> const&, char>>"},
      {"f<'a', ',', '\\012', '\\''>",
       "f<(char)97, (char)44, (char)10, (char)39>"},
      {"f<std::nullptr_t>", "f<decltype(nullptr)>"},
      {"f<(ns::<unnamed>::Kind)1>", "f<(ns::(anonymous namespace)::Kind)1>"},
      {"f<g(const char*)::Local>", "f<g(char const*)::Local>"},
      {"f<g(int)::<lambda(const char*)> >",
       "f<g(int)::{lambda(char const*)} >"},
      {"f<const g()::<lambda(auto:1)> >", "f<g()::{lambda(auto:1)} const>"},
      {"f<main()::<lambda()> >", "f<main::{lambda()} >"},
      {"f<main(int, char**)::Local, ns::main()::Local>",
       "f<main::Local, ns::main()::Local>"},
      {"f<g()::<unnamed struct> >", "f<g()::{unnamed type} >"},
      {"operator<< <long int>", "operator<< <long>"},
      {"A<long int>::operator()<short int>", "A<long>::operator()<short>"},
  };
  for (const auto& [name, expected] : names) {
    EXPECT_EQ(DemanglerSpelling(name), expected);
    EXPECT_EQ(DemanglerSpelling(expected), expected);
  }
}

TEST(DemanglerSpellingTest, KeepsOtherNames) {
  for (const std::string_view name :
       {"", "f", "ns::(anonymous namespace)::f", "ns::f(int)::{lambda}",
        "core::ptr::drop_in_place<[T]>", "f<&'a str>", "f<'", "f<'\\", "f<'\\'",
        "const f", "operator<", "operator()", "f(", "f<>)",
        "f<x::{lambda(int)#1}>", "http.(*Server).Serve", "f<xlong int>"})
    EXPECT_EQ(DemanglerSpelling(name), name);
}

}  // namespace
}  // namespace heapprof
