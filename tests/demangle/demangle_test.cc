// SPDX-License-Identifier: Apache-2.0
#include "heapprof/demangle/demangle.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "demangle/demangle_name.h"
#include "demangle/repeat.h"
#include "heapprof/demangle/rust_mangling.h"

namespace heapprof {
namespace {

std::string Demangle(std::string_view name) {
  return DemangleAll(std::array{name}).front();
}

// The digits of numbers in back-references: C++ uses base 36, Rust base 62.
std::string SequenceId(size_t number, size_t base) {
  constexpr std::string_view kCxx = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr std::string_view kRust =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
  if (number == 0) return "_";
  std::string digits = "_";
  --number;
  do {
    digits.insert(0, 1, (base == 36 ? kCxx : kRust)[number % base]);
    number /= base;
  } while (number > 0);
  return digits;
}

// b<b<int, int>, b<b<int, int>, b<int, int> >, ...>: each argument is twice as
// long as the previous one. `first` is the number of the first argument.
std::string DoublingTypes(std::string_view class_template, size_t first) {
  std::string types = std::string(class_template) + "IiiE";
  for (size_t i = first; i < first + 40; ++i) {
    const std::string previous = "S" + SequenceId(i, 36);
    types.append(class_template).append("I").append(previous);
    types.append(previous).append("E");
  }
  return types;
}

std::string RustBomb() {
  std::string body = "INvC1a1f";
  size_t previous = body.size();
  body += "TuuE";
  for (int i = 0; i < 40; ++i) {
    const std::string reference = "B" + SequenceId(previous, 62);
    previous = body.size();
    body.append("T").append(reference).append(reference).append("E");
  }
  return "_R" + body + "E";
}

// The demangler would look for a parameter pack in 2^40 places, without
// producing any text.
std::string SilentBomb() {
  return "_Z1fIJEEvDp1bI" + DoublingTypes("S0_", 2) + "E";
}

TEST(DemangleTest, KeepsTheMarkOfAStub) {
  EXPECT_EQ(Demangle("_Znwm@plt"), "operator new(unsigned long)@plt");
  EXPECT_EQ(Demangle("malloc@plt"), "malloc@plt");
}

TEST(DemangleTest, DemanglesLikeBinutils) {
  constexpr std::array<std::array<std::string_view, 2>, 15> kCases = {{
      {"_Z1fv", "f()"},
      {"_Znwm", "operator new(unsigned long)"},
      {"_ZNSt6vectorIiSaIiEE9push_backERKi",
       "std::vector<int, std::allocator<int> >::push_back(int const&)"},
      {"_Z1fSs", "f(std::string)"},
      {"_ZN3app12_GLOBAL__N_13Foo3barEv",
       "app::(anonymous namespace)::Foo::bar()"},
      {"_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const"},
      {"_Z1fv.isra.0.cold", "f() [clone .isra.0] [clone .cold]"},
      {"_Z1fv.llvm.123", "f() [clone .llvm.123]"},
      {"_ZTV1A", "vtable for A"},
      // Rust, the older scheme: looks like C++, ends in a hash.
      {"_ZN4core3ptr13drop_in_place17h0123456789abcdefE",
       "core::ptr::drop_in_place"},
      {"_ZN3foo3bar17h0123456789abcdefE.llvm.123", "foo::bar"},
      {"_ZN50_$LT$T$u20$as$u20$core..convert..Into$LT$U$GT$$GT$4into17"
       "h0123456789abcdefE",
       "<T as core::convert::Into<U>>::into"},
      // Rust v0.
      {"_RINvNtC3std3mem8align_ofjdE", "std::mem::align_of::<usize, f64>"},
      {"_RNvC1a1f.llvm.123", "a::f"},
      {"_RNvC1au8_8ugadl", "_RNvC1au8_8ugadl"},
  }};
  for (const auto& [mangled, expected] : kCases)
    EXPECT_EQ(Demangle(mangled), expected);
}

TEST(DemangleTest, AcceptsEveryConstructOfRustV0) {
  constexpr std::array<std::array<std::string_view, 2>, 10> kCases = {{
      {"_RNCNvC1a1f0", "a::f::{closure#0}"},
      {"_RNvMs_NtC1a1bNtB4_1c3get", "<a::b::c>::get"},
      {"_RNvXC1aNtB2_1cNtB2_1t3get", "<a::c as a::t>::get"},
      {"_RNvYNtC1a1cNtB4_1t3get", "<a::c as a::t>::get"},
      {"_RINvC1a1fRShQePuOjAhj4_TabEE",
       "a::f::<&[u8], &mut str, *const (), *mut usize, [u8; 4], (i8, bool)>"},
      {"_RINvC1a1fFUKCEuFGL0_RL0_hEuE", "_RINvC1a1fFUKCEuFGL0_RL0_hEuE"},
      {"_RINvC1a1fFUKChEjE", "a::f::<unsafe extern \"C\" fn(u8) -> usize>"},
      {"_RINvC1a1fFG_RL0_hEuE", "a::f::<for<'a> fn(&'a u8)>"},
      {"_RINvC1a1fDNtB2_1tp1XhEL_E", "a::f::<dyn a::t<X = u8>>"},
      {"_RINvC1a1fKb1_Kc61_Kxn5_KpE", "a::f::<true, 'a', -5, _>"},
  }};
  for (const auto& [mangled, expected] : kCases)
    EXPECT_EQ(Demangle(mangled), expected);
}

TEST(DemangleTest, RecognizesNamesOfRust) {
  EXPECT_TRUE(MayBeRust("_ZN3foo3bar17h0123456789abcdefE"));
  EXPECT_TRUE(MayBeRust("_RNvC3foo3bar"));
  EXPECT_TRUE(MayBeRust("_ZN17has_hash17h0123456789abcdefE.llvm.1"));
  for (const char* name :
       {"_ZN3foo3barEv", "_Z1fv", "main", "", "17h",
        "_ZN17handle_jump_widenEii", "_ZN3foo17h0123456789abcdef",
        "_ZN3foo17h0123456789abcdefaE", "_ZN3foo17h0123456789abcdeE",
        "_ZN3foo17h0123456789ABCDEFE"})
    EXPECT_FALSE(MayBeRust(name)) << name;
}

TEST(DemangleTest, DecodesUnicodeIdentifiersOfRust) {
  EXPECT_EQ(Demangle("_RNqCs4fqI2P2rA04_11utf8_idents"
                     "u30____7hkackfecea1cbdathfdh9hlq6y"),
            "utf8_idents::საჭმელად_გემრიელი_სადილი");
}

TEST(DemangleTest, ReturnsOtherNamesUnchanged) {
  const std::vector<std::string> names = {"",
                                          "main",
                                          "_start",
                                          "_Z",
                                          "_R",
                                          "__ZN1aE",
                                          "_Zfoo",
                                          "_R1a",
                                          "foo.cold",
                                          "_ZN1a",
                                          "_GLOBAL__I_a",
                                          "malloc@plt",
                                          "_RC0",
                                          "f()",
                                          "\xff\xfe_Z",
                                          "Z1fv\n",
                                          "_ZN1fEv garbage"};
  const std::vector<std::string_view> views(names.begin(), names.end());
  EXPECT_EQ(DemangleAll(views), names);
}

TEST(DemangleTest, ReturnsNamesWithZeroBytesUnchanged) {
  constexpr std::string_view kName("_Z1fv\0x", 7);
  EXPECT_EQ(Demangle(kName), kName);
}

TEST(DemangleTest, KeepsTheOrderOfABatch) {
  constexpr std::array<std::string_view, 5> kNames = {"_Z1fv", "main", "_Z1gi",
                                                      "_Z", "_RNvC1a1f"};
  const std::vector<std::string> expected = {"f()", "main", "g(int)", "_Z",
                                             "a::f"};
  EXPECT_EQ(DemangleAll(kNames), expected);
  EXPECT_TRUE(DemangleAll({}).empty());
}

TEST(DemangleTest, DemanglesNamesUpToTheLengthLimit) {
  const std::string identifier(kMaxMangledLength - 8, 'a');
  const std::string fits =
      "_Z" + std::to_string(identifier.size()) + identifier;
  EXPECT_EQ(Demangle(fits + "v"), identifier + "()");
  EXPECT_EQ(Demangle(fits + "PPi"), fits + "PPi");
}

TEST(DemangleTest, ReturnsBombsUnchangedAtOnce) {
  const std::vector<std::string> bombs = {
      "_Z1f1a" + DoublingTypes("S_", 1).substr(2), RustBomb()};
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& bomb : bombs) {
    EXPECT_LT(bomb.size(), 700u);
    EXPECT_EQ(Demangle(bomb), bomb);
  }
  // Milliseconds, if the machine is not busy; years without a limit.
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(DemangleTest, SkipsNamesThatComputeWithoutEnd) {
  // The second one makes the parser read each level twice.
  const std::vector<std::string> names = {
      "_Z1fv", SilentBomb(),
      "_ZN1a" + Repeat("cvT_I", 60) + "iE" + Repeat("E", 60) + "Ev", "_Z1gv"};
  const std::vector<std::string_view> views(names.begin(), names.end());
  const std::vector<std::string> expected = {"f()", names[1], names[2], "g()"};
  EXPECT_EQ(DemangleAll(views), expected);
}

TEST(DemangleTest, GivesUpOnABatchOfNamesThatComputeWithoutEnd) {
  const std::string bomb = SilentBomb();
  std::vector<std::string_view> names(30, bomb);
  names.front() = "_Z1fv";
  names.back() = "_Z1gv";
  const std::vector<std::string> results = DemangleAll(names);
  EXPECT_EQ(results.front(), "f()");
  EXPECT_EQ(results[1], bomb);
  EXPECT_EQ(results.back(), "_Z1gv");
}

TEST(DemangleTest, AnswersTheSameOnAnyNumberOfThreads) {
  std::vector<std::string> names;
  std::vector<std::string> expected;
  for (int i = 0; i < 10'000; ++i) {
    const std::string identifier = "f" + std::to_string(i);
    names.push_back("_Z" + std::to_string(identifier.size()) + identifier +
                    "v");
    expected.push_back(identifier + "()");
  }
  expected[5'000] = names[5'000] = SilentBomb();
  const std::vector<std::string_view> views(names.begin(), names.end());
  for (const unsigned jobs : {1U, 2U, 7U})
    EXPECT_EQ(DemangleAll(views, jobs), expected) << jobs;
}

TEST(DemanglingTest, GivesEachNameAsSoonAsItIsReady) {
  std::vector<std::string_view> names(5'000, "_Z1fv");
  names[3'000] = "plain";
  const std::string bomb = SilentBomb();
  names[4'000] = bomb;
  for (const unsigned jobs : {1U, 2U}) {
    const Demangling demangling(names, jobs);
    EXPECT_EQ(demangling.Get(4'999), "f()");
    EXPECT_TRUE(demangling.IsReady(4'999));
    EXPECT_EQ(demangling.Get(4'000), bomb);
    EXPECT_EQ(demangling.Get(3'000), "plain");
    EXPECT_EQ(demangling.Get(0), "f()");
  }
  const Demangling unused({names.begin(), names.begin() + 4'000}, 2);
}

TEST(DemangleTest, SurvivesHostileNestings) {
  std::vector<std::string> names = {
      "_Z1f" + Repeat("1aI", 5000) + "i" + Repeat("E", 1000),
      "_Z1f" + Repeat("1aI", 4000) + "i" + Repeat("E", 4000),
      "_Z" + Repeat("N1a", 5000),
      "_Z1fIXad" + Repeat("ad", 7000) + "Li0EEEvv",
      "_Z1f" + Repeat("PF", 5000) + "i" + Repeat("vE", 2000) + "v",
      "_Z1f" + Repeat("A1_", 5000) + "i",
      "_Z1f" + Repeat("M1a", 5000) + "i",
      "_Z" + Repeat("Z1fvE", 3200),
      "_Z" + Repeat("cv", 8000) + "i",
      "_Z1f" + Repeat("Dp", 8000) + "i",
      "_R" + Repeat("I", 16000) + "C1a",
      "_R" + Repeat("Y", 16000),
      "_R" + Repeat("Nv", 4000) + "C1a" + Repeat("1b", 4000),
      "_RINvC1a1f" + Repeat("DC1a", 4000) + "uE",
      "_ZN" + Repeat("1a", 8000) + "17h0123456789abcdefE"};
  for (const char* pointer : {"P", "R", "O", "K", "V"})
    names.push_back("_Z1f" + Repeat(pointer, 16000) + "i");
  for (const char* type : {"R", "S", "T", "F", "P"})
    names.push_back("_RINvC1a1f" + Repeat(type, 16000) + "uE");
  const std::vector<std::string_view> views(names.begin(), names.end());
  EXPECT_EQ(DemangleAll(views), names);
}

// The printer reserves stack for each pair of a template argument list and a
// reference to a template parameter.
TEST(DemangleTest, SurvivesManyTemplateCopies) {
  for (int count : {100, 700, 740, 2000}) {
    const std::string name = "_Z1fI" + Repeat("1aIiE", count) + "Ev" +
                             Repeat("RT_", std::min(count, 1500));
    EXPECT_NE(Demangle(name), "");
  }
}

TEST(DemangleTest, ReturnsRustBackReferencesToThemselvesUnchanged) {
  for (std::string_view name :
       {"_RB_", "_RNvB_1f", "_RINvC1a1fB7_E", "_RINvC1a1fTB7_EE",
        "_RINvC1a1fKB8_E", "_RINvC1a1fDB8_EL_E", "_RINvC1a1fB8_B7_E",
        // Points into an identifier that contains a back-reference to itself.
        "_RINvC1a3fB5B5_E", "_RINvC1a1fBzzzzzzzzzzzz_E"})
    EXPECT_EQ(Demangle(name), name);
}

TEST(DemangleTest, FollowsLongChainsOfRustBackReferences) {
  std::string body = "INvC1a1fRu";
  size_t previous = 8;
  while (body.size() < 16000) {
    const std::string reference = "B" + SequenceId(previous, 62);
    previous = body.size();
    body += "RRRRRRRRRRRRRRRRRRRR" + reference;
  }
  const std::string name = "_R" + body + "E";
  EXPECT_EQ(Demangle(name), name);
}

TEST(DemangleTest, ReturnsRustBindersWithHugeCountsUnchanged) {
  // The first one is not printed, so a limit on the output would not stop the
  // count.
  for (std::string_view name :
       {"_RMINtC1a1cFGzzzzzz_EuEu", "_RINvC1a1fFGzzzzzz_EuE"})
    EXPECT_EQ(Demangle(name), name);
}

TEST(DemangleTest, SurvivesOverflowWithinUnicodeIdentifiers) {
  constexpr std::string_view kType = "NtC1au15gdel_5qa_6nxaxa";
  const std::string fits = "_RINvC1a1f" + Repeat(kType, 300) + "E";
  EXPECT_TRUE(Demangle(fits).starts_with("a::f::<a::gdel_5"));
  const std::string long_type = "_RINvC1a1f" + Repeat(kType, 700) + "E";
  EXPECT_EQ(Demangle(long_type), long_type);
  // The last piece does not fit: 8000 characters of two bytes.
  const std::string identifier =
      "_RNvC1au12001_" + Repeat("a", 4000) + "_" + Repeat("a", 8000);
  EXPECT_EQ(Demangle(identifier), identifier);
}

}  // namespace
}  // namespace heapprof
