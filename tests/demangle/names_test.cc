// SPDX-License-Identifier: Apache-2.0
#include "heapprof/demangle/names.h"

#include <array>
#include <random>
#include <regex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/demangle/shown_names.h"

namespace heapprof {
namespace {

struct Case {
  std::string_view name;
  std::string_view expected;
};

void ExpectNormal(const std::vector<Case>& cases) {
  for (const auto& [name, expected] : cases) {
    const std::string once = NormalizeName(name);
    EXPECT_EQ(once, expected) << name;
    EXPECT_EQ(NormalizeName(once), once) << name;
  }
}

TEST(NormalizeNameTest, CutsCloneSuffixes) {
  ExpectNormal({
      {"ns::f(int) [clone .isra.0]", "ns::f(int)"},
      {"ns::f(int) [clone .part.0] [clone .cold]", "ns::f(int)"},
      {"ns::f(int) [clone .constprop.0.isra.1]", "ns::f(int)"},
      {"ns::f(int) [clone .llvm.123456789]", "ns::f(int)"},
      {"ns::f(int) (.cold)", "ns::f(int)"},
      {"ns::f(int) (.isra.0)", "ns::f(int)"},
      {"f.isra.0.cold", "f"},
      {"f.lto_priv.3", "f"},
      {"f.llvm.123456789", "f"},
  });
}

TEST(NormalizeNameTest, CutsRustHashes) {
  ExpectNormal({
      {"core::fmt::write::h0123456789abcdef", "core::fmt::write"},
      {"<alloc::vec::Vec<T> as core::ops::Drop>::drop::hfedcba9876543210",
       "<alloc::vec::Vec<T> as core::ops::Drop>::drop"},
      {"app::f::h0123456789abcdef.llvm.77", "app::f"},
      {"alloc[4f2a7c9d0e1b2233]::vec::f", "alloc::vec::f"},
      {"<<a::T>::S>::f", "<<a::T>::S>::f"},
      {"<alloc[4f2a7c9d0e1b2233]::vec::Vec<app[0123456789abc]::T>>::push",
       "alloc::vec::Vec<app::T>::push"},
      // Not hashes: too short, capital letters, not at the end, a size.
      {"app::h0123456789abcde", "app::h0123456789abcde"},
      {"app::h0123456789ABCDEF", "app::h0123456789ABCDEF"},
      {"app::h0123456789abcdef::f", "app::h0123456789abcdef::f"},
      {"app::f(char[16])", "app::f(char[16])"},
      {"app::f(char [100000000000])", "app::f(char [100000000000])"},
  });
}

TEST(NormalizeNameTest, CutsTheNumbersOfUnnamedThings) {
  ExpectNormal({
      {"f()::{lambda(int)#2}::operator()(int) const",
       "f()::{lambda(int)}::operator()(int) const"},
      {"f()::{lambda({lambda()#1})#12}::operator()",
       "f()::{lambda({lambda()})}::operator()"},
      {"app::main::{closure#0}::{closure#3}",
       "app::main::{closure}::{closure}"},
      {"app::{impl#7}::f", "app::{impl}::f"},
      {"f()::{unnamed type#1}::g()", "f()::{unnamed type}::g()"},
      {"f()::$_0::operator()(int) const", "f()::$_::operator()(int) const"},
      {"f()::$_12::operator()", "f()::$_::operator()"},
      {"g<$_3>(int)", "g<$_>(int)"},
      // Significant numbers.
      {"f(decltype ({parm#1}+{parm#2}))", "f(decltype ({parm#1}+{parm#2}))"},
      {"f()::{default arg#2}::{lambda()#1}",
       "f()::{default arg#2}::{lambda()}"},
      {"std::array<int, 12>::at", "std::array<int, 12>::at"},
      {"f1(int)", "f1(int)"},
  });
}

TEST(NormalizeNameTest, CutsVersionsAndAbiTags) {
  ExpectNormal({
      {"foo@@GLIBC_2.2.5", "foo"},
      {"foo@VERS_1", "foo"},
      {"ns::f[abi:cxx11](int)", "ns::f(int)"},
      {"ns::f[abi:cxx11][abi:ne180100](int)", "ns::f(int)"},
      {"ns::g<ns::f[abi:v1]()>", "ns::g<ns::f()>"},
      {"foo@libfoo_1.0", "foo"},
      {"operator new(unsigned long)@@GLIBCXX_3.4",
       "operator new(unsigned long)"},
      {"ns::A::f(int) const@@V1", "ns::A::f(int) const"},
      // No version, or a name that cannot have one.
      {"user@host(int)", "user@host(int)"},
      {"..@4.crcB3_loop", "..@4.crcB3_loop"},
      {"..@crc_loop", "..@crc_loop"},
      {"crc@4.loop", "crc@4.loop"},
      {"malloc@plt", "malloc@plt"},
      {"operator new(unsigned long)@plt", "operator new(unsigned long)@plt"},
      {"Function:load /app/lib@next", "Function:load /app/lib@next"},
      {"@V1", "@V1"},
  });
}

// Rust's newer mangling puts the type of a method in brackets.
TEST(NormalizeNameTest, SpellsRustsMethodsTheSameForBothManglings) {
  ExpectNormal({
      {"<alloc::string::String>::push", "alloc::string::String::push"},
      {"<alloc::vec::Vec<<a::B as c::D>::E>>::push::<f::G>",
       "alloc::vec::Vec<<a::B as c::D>::E>::push::<f::G>"},
      {"<a::B>::f::{closure#0}", "a::B::f::{closure}"},
      {"<a::B as c::D>::f", "<a::B as c::D>::f"},
      {"<[a::B]>::repeat", "<[a::B]>::repeat"},
      {"<&a::B>::f", "<&a::B>::f"},
      {"<dyn a::B>::f", "<dyn a::B>::f"},
      {"<str>::len", "<str>::len"},
      {"<a::B>", "<a::B>"},
      {"<a::B", "<a::B"},
  });
  EXPECT_EQ(ShortName("<alloc::raw_vec::RawVec<u8>>::reserve"),
            "alloc::raw_vec::RawVec::reserve");
  EXPECT_EQ(TemplateName("<alloc::raw_vec::RawVec<u8>>::reserve"),
            "alloc::raw_vec::RawVec<u8>::reserve");
}

TEST(NormalizeNameTest, SpellsBracketsTheSameForEveryCompiler) {
  ExpectNormal({
      {"std::vector<std::vector<int> >::f()",
       "std::vector<std::vector<int>>::f()"},
      {"a<b<c<int> > >", "a<b<c<int>>>"},
      {"f()::<lambda(int)>::operator()", "f()::{lambda(int)}::operator()"},
      {"f()::<lambda(a<b> )>::operator()", "f()::{lambda(a<b> )}::operator()"},
      {"g<f()::<lambda()> >(int)", "g<f()::{lambda()}>(int)"},
      // Operators keep their blanks and their spelling.
      {"A::operator> (int)", "A::operator> (int)"},
      {"A::operator-> ()", "A::operator-> ()"},
      {"A::operator>>(int)", "A::operator>>(int)"},
      {"A::operator<(int)", "A::operator<(int)"},
      {"A::operator<=><int>", "A::operator<=><int>"},
  });
}

TEST(NormalizeNameTest, LeavesOtherNamesAlone) {
  ExpectNormal({
      {"", ""},
      {"main", "main"},
      {"ns::f(int, char const*) const &", "ns::f(int, char const*) const &"},
      {"operator new(unsigned long)", "operator new(unsigned long)"},
      {"[stack]", "[stack]"},
      {"]]>>}}", "]]>>}}"},
      {"{", "{"},
  });
}

// The names of one function in two builds, by two compilers or versions.
TEST(NormalizeNameTest, GivesOneNameToAFunctionInTwoBuilds) {
  const std::vector<Case> pairs = {
      {"app::run()::{lambda(int)#1}::operator()(int) const",
       "app::run()::{lambda(int)#2}::operator()(int) const [clone .isra.0]"},
      {"std::map<int, std::vector<a> >::at(int)",
       "std::map<int, std::vector<a>>::at(int) [clone .cold]"},
      {"app::f[abi:cxx11]()", "app::f()"},
      {"app::parse::h0123456789abcdef", "app::parse::hfedcba9876543210"},
      {"app[0123456789abcdef]::parse", "app[fedcba9876543210]::parse"},
      {"app::run()::$_0::operator()()", "app::run()::$_7::operator()()"},
  };
  for (const auto& [one, other] : pairs)
    EXPECT_EQ(NormalizeName(one), NormalizeName(other));
}

TEST(NormalizeNameTest, ChangesNothingMoreTheSecondTime) {
  constexpr std::array<std::string_view, 28> kPieces = {"<",
                                                        ">",
                                                        "> ",
                                                        "(",
                                                        ")",
                                                        "{",
                                                        "}",
                                                        "[",
                                                        "]",
                                                        "#1",
                                                        "lambda(",
                                                        "::",
                                                        "$_0",
                                                        "7",
                                                        ".cold",
                                                        ".isra.0",
                                                        "@V1",
                                                        "[abi:x]",
                                                        "closure",
                                                        " [clone .part.0]",
                                                        "->",
                                                        "operator",
                                                        "abc",
                                                        "::h0123456789abcdef",
                                                        " ",
                                                        " (.cold)",
                                                        "a[0123456789abcdef]",
                                                        "parm#1"};
  std::mt19937 random(5);
  for (int round = 0; round < 20'000; ++round) {
    std::string name;
    for (size_t i = 1 + random() % 12; i > 0; --i)
      name += kPieces[random() % kPieces.size()];
    const std::string once = NormalizeName(name);
    ASSERT_EQ(NormalizeName(once), once) << name;
  }
}

// jeprof's three substitutions, literally.
std::string JeprofShortName(std::string name) {
  static const std::regex kArguments(R"(\([^()]*\)(\s*const)?)");
  static const std::regex kTemplate(R"(<[^<>]*>)");
  static const std::regex kLeadingType(R"(^.*\s+(\w+::))");
  for (const std::regex* pattern : {&kArguments, &kTemplate}) {
    std::string before;
    do {
      before = name;
      name = std::regex_replace(name, *pattern, "");
    } while (name != before);
  }
  return std::regex_replace(name, kLeadingType, "$1",
                            std::regex_constants::format_first_only);
}

TEST(WithoutCloneSuffixTest, CutsOnlyCloneSuffixes) {
  const std::vector<Case> cases = {
      {"ns::f(int) [clone .isra.0]", "ns::f(int)"},
      {"ns::f(int) [clone .part.0] [clone .cold]", "ns::f(int)"},
      {"ns::f(int) (.cold)", "ns::f(int)"},
      {"f.isra.0.cold", "f"},
      {"ns::f(int)::{lambda(int)#2}", "ns::f(int)::{lambda(int)#2}"},
      {"f[abi:cxx11](int)", "f[abi:cxx11](int)"},
      {"malloc@@GLIBC_2.2.5", "malloc@@GLIBC_2.2.5"},
  };
  for (const auto& [name, expected] : cases)
    EXPECT_EQ(WithoutCloneSuffix(name), expected) << name;
}

TEST(ShortNameTest, EqualsJeprofsForOrdinaryNames) {
  const std::vector<Case> cases = {
      {"std::vector<int>::push_back(int&&)", "std::vector::push_back"},
      {"void ns::f<int>(int)", "ns::f"},
      {"void f<int>(int)", "void f"},
      {"main::{lambda(int)#1}::run(int) const", "main::{lambda#1}::run"},
      {"ns::f(int) [clone .isra.0]", "ns::f [clone .isra.0]"},
      {"A::b(int) const &", "A::b &"},
      {"operator new(unsigned long, std::align_val_t)", "operator new"},
      {"ns::f<a<b<c> > >(d<e>, void (*)(int))", "ns::f"},
      {"std::map<int, a::b> ns::g<int>(int)", "ns::g"},
      {"main", "main"},
      {"", ""},
  };
  for (const auto& [name, expected] : cases) {
    EXPECT_EQ(ShortName(name), expected) << name;
    EXPECT_EQ(JeprofShortName(std::string(name)), expected) << name;
  }
}

TEST(ShortNameTest, KeepsNamesReadableThatJeprofMangles) {
  struct Difference {
    std::string_view name;
    std::string_view expected;
    std::string_view jeprofs;
  };
  for (const auto& [name, expected, jeprofs] : std::vector<Difference>{
           {"A::operator()(int) const", "A::operator()", "A::operator"},
           {"ns::X<&A::operator->>::f()", "ns::X::f", "ns::X>::f"},
           {"ns::Foo<&A::operator->>::bar(int)", "ns::Foo::bar",
            "ns::Foo>::bar"},
           {"A::operator std::string() const", "A::operator std::string",
            "std::string"},
           {"app::(anonymous namespace)::f()", "app::(anonymous namespace)::f",
            "app::::f"},
           {"int (*ns::h(int))(char)", "ns::h", "int "},
           {"main()::<lambda(int)>", "main::<lambda>", "main::"},
           {"<Vec<T> as ops::Drop>::drop", "<Vec as ops::Drop>::drop",
            "::drop"},
           {"<alloc::vec::Vec<T> as core::ops::Drop>::drop",
            "<alloc::vec::Vec as core::ops::Drop>::drop", "::drop"},
           {"core::num::<impl u32>::pow", "core::num::<impl u32>::pow",
            "core::num::::pow"},
           {"core::mem::drop::<T>", "core::mem::drop", "core::mem::drop::"},
           {"main::{lambda(int)#1}::operator()(int) const",
            "main::{lambda#1}::operator()", "main::{lambda#1}::operator"},
           {"A::operator<(A const&) const", "A::operator<", "A::operator<"},
           {"bool operator< <int>(int)", "bool operator<", "bool operator< "},
       }) {
    EXPECT_EQ(ShortName(name), expected) << name;
    EXPECT_EQ(JeprofShortName(std::string(name)), jeprofs) << name;
  }
}

// Names without operators, Rust paths, function pointers as results and
// anonymous namespaces.
class NameMaker {
 public:
  explicit NameMaker(unsigned seed) : random_(seed) {}

  std::string Make() {
    std::string name;
    if (Draw(3) == 0) name = Type(2) + ' ';
    name += Qualified(2);
    if (Draw(4) != 0) name += '(' + Types(3) + ')';
    constexpr std::array<std::string_view, 6> kTails = {
        "", "", " const", " const &", " [clone .cold]", " &&"};
    name += kTails[Draw(kTails.size())];
    return name;
  }

 private:
  size_t Draw(size_t limit) { return random_() % limit; }

  std::string Identifier() {
    constexpr std::array<std::string_view, 8> kNames = {
        "a", "f2", "ns", "Foo_Bar", "vector", "const_x", "_M_x", "~X"};
    return std::string(kNames[Draw(kNames.size())]);
  }

  std::string Qualified(int depth) {
    std::string name = Identifier();
    for (size_t i = Draw(3); i > 0; --i) {
      if (depth > 0 && Draw(3) == 0) name += '<' + Types(depth - 1) + '>';
      name += "::";
      name +=
          Draw(6) == 0 ? "{lambda(" + Types(depth - 1) + ")#1}" : Identifier();
    }
    if (depth > 0 && Draw(3) == 0) name += '<' + Types(depth - 1) + '>';
    return name;
  }

  std::string Type(int depth) {
    constexpr std::array<std::string_view, 5> kTails = {"", "*", "&", " const&",
                                                        " [3]"};
    std::string type = Draw(3) == 0 ? "unsigned int" : Qualified(depth);
    if (depth > 0 && Draw(6) == 0) type += " (*)(" + Types(depth - 1) + ')';
    return type.append(kTails[Draw(kTails.size())]);
  }

  std::string Types(int depth) {
    std::string types;
    for (size_t i = depth < 0 ? 0 : Draw(3); i > 0; --i) {
      if (!types.empty()) types += ", ";
      types += Type(depth - 1);
    }
    return types;
  }

  std::mt19937 random_;
};

TEST(ShortNameTest, EqualsJeprofsForRandomNames) {
  NameMaker maker(3);
  for (int round = 0; round < 5000; ++round) {
    const std::string name = maker.Make();
    ASSERT_EQ(ShortName(name), JeprofShortName(name)) << name;
  }
}

TEST(TemplateNameTest, CutsArgumentsButNotTemplateArguments) {
  const Case cases[] = {
      {"ns::f(int)", "ns::f"},
      {"void ns::f<int, char>(int)", "ns::f<int, char>"},
      {"std::map<int, std::string>::at(int const&) const",
       "std::map<int, std::string>::at"},
      {"std::pair<a, b> ns::X<int, char>::f<ns::Y>(std::vector<int>)",
       "ns::X<int, char>::f<ns::Y>"},
      {"f<void (*)(int)>(int)", "f<void (*)(int)>"},
      {"void g<int, std::string>(int)", "void g<int, std::string>"},
      {"A::operator()(int) const", "A::operator()"},
      {"bool ns::operator< <int>(ns::X<int> const&)", "ns::operator<<int>"},
      {"ns::X<&A::operator->>::f()", "ns::X<&A::operator->>::f"},
      {"A<int>::operator std::string() const", "A<int>::operator std::string"},
      {"app::(anonymous namespace)::f<int>(int)",
       "app::(anonymous namespace)::f<int>"},
      {"int (*ns::h<char>(int))(char)", "ns::h<char>"},
      {"<Vec<T> as ops::Drop>::drop", "<Vec<T> as ops::Drop>::drop"},
      {"core::mem::drop::<T>", "core::mem::drop<T>"},
      {"operator new(unsigned long)", "operator new"},
      {"malloc", "malloc"},
      {"", ""},
      // Not names: nothing is lost, nothing is read out of bounds.
      {"f<int(", "f<int("},
      {"f>(", "f>("},
      {"a\6b<c>", "a<c>b\6"},
  };
  for (const auto& [name, expected] : cases)
    EXPECT_EQ(TemplateName(name), expected) << name;
}

TEST(WithoutReturnTypeTest, RemovesItFromTemplateInstances) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"void f<14>(long)", "f<14>(long)"},
      {"auto ns::f<int>(int) const", "ns::f<int>(int) const"},
      {"int const* (anonymous namespace)::f<int>(int)",
       "(anonymous namespace)::f<int>(int)"},
      {"decltype (a+b) f<int, long>(int)", "f<int, long>(int)"},
      {"A& ns::operator<< <long>(A&, long)", "ns::operator<< <long>(A&, long)"},
      {"std::vector<int>* f<int>", "f<int>"},
  };
  for (const auto& [name, expected] : cases) {
    EXPECT_EQ(WithoutReturnType(name), expected);
    EXPECT_EQ(WithoutReturnType(expected), expected);
  }
}

TEST(WithoutReturnTypeTest, KeepsOtherNames) {
  for (const std::string_view name :
       {"", "f", "f(int)", "A::operator bool() const", "operator new(size_t)",
        "load /app/lib", "<A as B>::f", "core::f::<u8>", "A::operator<(A)",
        "(anonymous namespace)::f(int)", "f{lambda(int)#1}::operator()(int)"})
    EXPECT_EQ(WithoutReturnType(name), name);
}

TEST(ShownNamesTest, HasEachFormOnce) {
  EXPECT_THAT(ShownNames("main"), testing::ElementsAre("main"));
  EXPECT_THAT(
      ShownNames("void ns::f<int>(char) [clone .isra.0]"),
      testing::IsSupersetOf({"void ns::f<int>(char) [clone .isra.0]",
                             "void ns::f<int>(char)", "ns::f<int>(char)",
                             "ns::f<int>", "ns::f"}));
}

// ShownNames() makes all forms at once, from what they have in common.
TEST(ShownNamesTest, HasTheNamesOfAllStyles) {
  for (const std::string_view name :
       {"main", "f(int)", "void f<int>(int)", "a::b<c<int> >::d(int) const &",
        "a::b<int>::d() &&::{lambda()#1}::operator()() const",
        "bool ns::f<{lambda(int)#2}>(g()::{lambda(int)#1})",
        "core::ptr::drop_in_place<alloc::vec::Vec<u8>>",
        "std::string ns::X::f[abi:cxx11](int) [clone .isra.0]"}) {
    const std::string normal = NormalizeName(name);
    for (const std::string& form :
         {std::string(name), normal, std::string(WithoutReturnType(normal)),
          StyledName(name, NameStyle::kTemplate),
          StyledName(name, NameStyle::kShort), TemplateName(name),
          ShortName(name)})
      EXPECT_THAT(ShownNames(name), testing::Contains(form)) << name;
  }
}

TEST(StyledNameTest, NormalizesInEveryStyle) {
  struct StyleCase {
    std::string_view name;
    std::string_view full, with_template, short_name;
  };
  const StyleCase cases[] = {
      {"void ns::f<int>(char) [clone .isra.0]", "void ns::f<int>(char)",
       "ns::f<int>", "ns::f"},
      {"void f<14>(long)", "void f<14>(long)", "f<14>", "f"},
      {"A::f(int) const &", "A::f(int) const &", "A::f", "A::f"},
      {"ns::g[abi:cxx11](int)", "ns::g(int)", "ns::g", "ns::g"},
      {"app::Vec<T>::push::h0123456789abcdef", "app::Vec<T>::push",
       "app::Vec<T>::push", "app::Vec::push"},
      {"app::f.llvm.123456789", "app::f", "app::f", "app::f"},
      {"memcpy@@GLIBC_2.14", "memcpy", "memcpy", "memcpy"},
  };
  for (const auto& [name, full, with_template, short_name] : cases) {
    EXPECT_EQ(StyledName(name, NameStyle::kFull), full);
    EXPECT_EQ(StyledName(name, NameStyle::kTemplate), with_template);
    EXPECT_EQ(StyledName(name, NameStyle::kShort), short_name);
  }
}

}  // namespace
}  // namespace heapprof
