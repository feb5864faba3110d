// SPDX-License-Identifier: Apache-2.0
//
// Pure functions over function names: what is cut for comparison between two
// builds, and what is cut for display.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// The form of a demangled name in which one function has one name in every
// build: without " [clone .isra.0]" annotations and bare clone suffixes, Rust
// hashes ("::h0123456789abcdef", "crate[0123456789abcdef]"), the numbers of
// lambdas, closures, impls and unnamed types ("{lambda(int)#2}" becomes
// "{lambda(int)}", "{closure#3}" "{closure}", "$_0" "$_"), "@VERSION" (but with
// "@plt") and ABI tags ("[abi:cxx11]"). Rust's "<a::Type<T>>::f" becomes
// "a::Type<T>::f". "<lambda(int)>" and "> >", as found in debug
// information or not depending on the compiler, become "{lambda(int)}" and
// ">>". Normalizing twice changes nothing more.
std::string NormalizeName(std::string_view demangled);

// A demangled name without what the compiler added when it cloned or split the
// function: " [clone .isra.0]", " (.cold)", ".part.0".
std::string_view WithoutCloneSuffix(std::string_view demangled);

// jeprof's short form: argument lists with a following " const" removed, then
// template arguments, then everything up to the last blank that precedes
// "word::". Heap-profile reports print this form.
//
// What jeprof's regular expressions cut to pieces stays readable here, jeprof's
// result in parentheses:
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
// For every name without any of these the result equals jeprof's.
std::string ShortName(std::string_view demangled);

// Between the two: without argument lists and return type, but with template
// arguments, "std::map<int, char>::at" of "char const& std::map<int,
// char>::at(int const&) const". A return type in front of a name without "::"
// stays, as in the short form.
std::string TemplateName(std::string_view demangled);

// How much of a name a report shows, if the user says so.
enum class NameStyle : uint8_t { kFull, kTemplate, kShort };

// The normalized name in one of the forms above.
std::string StyledName(std::string_view demangled, NameStyle style);

}  // namespace heapprof
