// SPDX-License-Identifier: Apache-2.0
//
// Shortens function names: for comparisons between two builds, and for display.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heapprof {

// Normalizes a demangled name, so that a function has the same name in every
// build. Removes " [clone .isra.0]" annotations and bare clone suffixes, Rust
// hashes ("::h0123456789abcdef", "crate[0123456789abcdef]"), the numbers of
// lambdas, closures, impls and unnamed types ("{lambda(int)#2}" becomes
// "{lambda(int)}", "{closure#3}" "{closure}", "$_0" "$_"), "@VERSION" (but not
// "@plt") and ABI tags ("[abi:cxx11]"). Rust's "<a::Type<T>>::f" becomes
// "a::Type<T>::f". "<lambda(int)>" and "> >", which depend on the compiler,
// become "{lambda(int)}" and ">>". Normalizing a name twice changes nothing
// more.
std::string NormalizeName(std::string_view demangled);

// A demangled name without the suffix of a cloned or split function: " [clone
// .isra.0]", " (.cold)", ".part.0".
std::string_view WithoutCloneSuffix(std::string_view demangled);

// jeprof's short form: removes argument lists with a following " const", then
// template arguments, then everything up to the last blank that precedes
// "word::". Heap-profile reports print this form.
//
// Names that jeprof's regular expressions mangle stay readable here (jeprof's
// result in parentheses):
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

// Between the full and the short form: without argument lists and return type,
// but with template arguments, e.g. "std::map<int, char>::at" for "char const&
// std::map<int, char>::at(int const&) const". A return type before a name
// without "::" stays, as in the short form.
std::string TemplateName(std::string_view demangled);

// How much of a name a report shows (an option).
enum class NameStyle : uint8_t { kFull, kTemplate, kShort };

// Returns the normalized name in the form `style`.
std::string StyledName(std::string_view demangled, NameStyle style);

}  // namespace heapprof
