// SPDX-License-Identifier: Apache-2.0
//
// Shortens function names for display, and brings the names of two builds into
// one form, so that they can be compared.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// Normalizes a demangled name, so that a function has the same name in every
// build. Normalizing a name twice gives the same result as once.
//   name                                becomes
//   f() [clone .isra.0], f.isra.0       f(), f
//   ns::f::h0123456789abcdef (Rust)     ns::f
//   alloc[0123456789abcdef]::f (Rust)   alloc::f
//   memcpy@@GLIBC_2.14                  memcpy (but malloc@plt stays)
//   f[abi:cxx11]()                      f()
//   {lambda(int)#2}, <lambda(int)>      {lambda(int)}
//   {closure#3}, {impl#1}               {closure}, {impl}
//   {unnamed type#1}, $_0               {unnamed type}, $_
//   <a::Type<T>>::f (Rust)              a::Type<T>::f
//   A<B<C> >                            A<B<C>>
std::string NormalizeName(std::string_view demangled);

// Changes the spellings of DW_AT_name in gcc's debug information to those of
// demanglers, so that names from both sources are alike. Does nothing for what
// DW_AT_name lacks, such as default template arguments.
//   name                                becomes
//   f<long unsigned int, 'a'>           f<unsigned long, (char)97>
//   f<const char*, void(int)>           f<char const*, void (int)>
//   ns::<unnamed>::f                    ns::(anonymous namespace)::f
//   f<g()::<unnamed struct>>            f<g()::{unnamed type}>
std::string DemanglerSpelling(std::string_view dwarf_name);

// Removes the suffix of a cloned or split function from a demangled name, such
// as " [clone .isra.0]", " (.cold)" or ".part.0".
std::string_view WithoutCloneSuffix(std::string_view demangled);

// Returns the short form of a demangled name, which heap-profile reports print
// and which jeprof introduced. Removes argument lists and a "const" after them,
// then template arguments, then the return type: everything up to the last
// blank that precedes "word::".
//
// jeprof's regular expressions damage some names. ShortName() keeps such names
// readable:
//   demangled name                      result              (jeprof's result)
//   A::operator()(int) const            A::operator()       (A::operator)
//   ns::X<&A::operator->>::f()          ns::X::f            (ns::X>::f)
//   A::operator std::string() const     A::operator std::string
//                                                           (std::string)
//   app::(anonymous namespace)::f()     app::(anonymous namespace)::f
//                                                           (app::::f)
//   int (*ns::h(int))(char)             ns::h               (int )
//   main()::<lambda(int)>               main::<lambda>      (main::)
//   <Vec<T> as ops::Drop>::drop         <Vec as ops::Drop>::drop
//                                                           (::drop)
//   core::num::<impl u32>::pow          core::num::<impl u32>::pow
//                                                           (core::num::::pow)
//   core::mem::drop::<T>                core::mem::drop     (core::mem::drop::)
//   <alloc::vec::Vec<T>>::push          alloc::vec::Vec::push   (::push)
// For all other names the result equals jeprof's.
std::string ShortName(std::string_view demangled);

// Returns a form of a name between the full and the short one: without argument
// lists and return type, but with template arguments. For example, "char const&
// std::map<int, char>::at(int const&) const" becomes "std::map<int, char>::at".
// As in the short form, the return type is not removed if the function's name
// has no "::".
std::string TemplateName(std::string_view demangled);

// Removes the return type of a template instance, such as the "void" of "void
// f<int>(int)". Demanglers give other functions none.
std::string_view WithoutReturnType(std::string_view demangled);

// Returns a name that is the same for a function in the builds of all compilers
// and at all optimization levels. It is the result of TemplateName() without
// the argument lists that are inside it. Argument lists and return types cannot
// be part of the name, because gcc's debug information gives neither for static
// functions that were inlined. Therefore all overloads have the same name.
//   name                                             becomes
//   void ns::f<0ul>(int)                             ns::f<0>
//   ns::g<f()::{lambda()#1}>                         ns::g<f::{lambda}>
// gcc and clang give different names to a lambda:
//   f(int)::{lambda(int)#1}::operator()(int) const   f::{lambda}::operator()
//   f(int)::$_0::operator()(int) const               f::{lambda}::operator()
// Types have one spelling, without "const":
//   f<long unsigned int, const std::string&>      f<unsigned long,
//   std::string&>
// So do standard libraries and the manglings of Rust:
//   std::__1::f, std::__cxx11::f, a::{{closure}}  std::f, std::f, a::{closure}
std::string MatchingName(std::string_view demangled);

// Returns what is left of a MatchingName() if its function is another instance
// or has another mangling of Rust, or if a compiler made it to initialize
// variables.
//   matching name                                   becomes
//   std::vector<int>::push_back                     std::vector::push_back
//   <Vec<T> as Extend<T>>::extend                   <Vec as Extend>::extend
//   _GLOBAL__sub_I_main                             _GLOBAL__sub_I_
//   __static_initialization_and_destruction_0       __cxx_global_var_init
std::string LooseMatchingName(std::string_view matching_name);

// How much of a name a report shows (--names).
enum class NameStyle : uint8_t { kFull, kTemplate, kShort };

// Returns the normalized form of `demangled`, shortened as `style` says. The
// shortened forms have no return type.
std::string StyledName(std::string_view demangled, NameStyle style);

}  // namespace heapprof
