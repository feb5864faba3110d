// SPDX-License-Identifier: Apache-2.0
#include "report/fit_name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heapprof {
namespace {

using ::testing::ElementsAre;

TEST(FitNameTest, CutsTheMiddleOfLongNames) {
  const std::string name = "größen__abcdefghijklmnopqrstuvwxyz";
  EXPECT_EQ(FitName(name, 6, 40), name);
  EXPECT_EQ(FitName(name, 7, 40), "größen__abc…fghijklmnopqrstuvwxyz");
  EXPECT_EQ(FitName(name, 7, 0), name);
}

TEST(FitNameTest, LeavesOutTheFirstPartsOfQualifiedNames) {
  const std::string name = "ceph::buffer::list::refill_append (inline)";
  EXPECT_EQ(FitName(name, 0, 42), name);
  EXPECT_EQ(FitName(name, 0, 41), "…::buffer::list::refill_append (inline)");
  EXPECT_EQ(FitName(name, 0, 31), "…::list::refill_append (inline)");
  EXPECT_EQ(FitName(name, 0, 30), "lis…::refill_append (inline)");
  EXPECT_EQ(FitName(name, 0, 26), "l…::refill_append (inline)");
  EXPECT_EQ(FitName("Größe::größer_als_alle_anderen", 0, 29),
            "Grö…::größer_als_alle_anderen");
}

TEST(FitNameTest, KeepsTheLastPartAlone) {
  EXPECT_EQ(FitFunction("Shared::look_up_or_create_it", 22),
            "look_up_or_create_it");
  EXPECT_EQ(FitFunction("::look_up", 8), "look_up");
  EXPECT_EQ(FitFunction("(anonymous namespace)::look_up", 18), "…::look_up");
  EXPECT_EQ(FitName("a::abcdefghijklmnopqrstuvwxyz", 0, 24),
            "abcdefgh…lmnopqrstuvwxyz");
}

TEST(FitNameTest, LeavesTemplatesAndArgumentsWhole) {
  EXPECT_EQ(FitName("std::map<a::Key, b::Value>::insert", 0, 33),
            "…::map<a::Key, b::Value>::insert");
}

TEST(FitNameTest, ShortensTypeAndTraitOfAMethodFirst) {
  const std::string name = "<exec::Join as exec::Executor>::apply::{{closure}}";
  EXPECT_EQ(FitFunction(name, 50), name);
  EXPECT_EQ(FitFunction(name, 49),
            "<…::Join as …::Executor>::apply::{{closure}}");
  EXPECT_EQ(FitFunction(name, 43), "…::Join::apply::{{closure}}");
  EXPECT_EQ(FitFunction(name, 26), "…::apply::{{closure}}");
  EXPECT_EQ(FitFunction("<T as alloc::Vec>::write_something (inline)", 42),
            "<T as …::Vec>::write_something (inline)");
  EXPECT_EQ(FitFunction("<T as alloc::Vec>::write_something (inline)", 38),
            "…::write_something (inline)");
  EXPECT_EQ(FitFunction("<&mut a::B as cc::D>::write_something", 36),
            "<&mut a::B as …::D>::write_something");
}

TEST(FitNameTest, ShortensArgumentsFirst) {
  const std::string name = "demo::Cache::Put(demo::Key, std::string) const";
  EXPECT_EQ(FitName(name, 0, 46), name);
  EXPECT_EQ(FitName(name, 0, 36), "demo::Cache::Put(demo::…tring) const");
  EXPECT_EQ(FitFunction(name, 21), "demo::Cache::Put");
  EXPECT_EQ(FitFunction(name, 15), "…::Cache::Put");
  EXPECT_EQ(
      FitFunction("(anonymous namespace)::f()::{lambda(int)#1}::operator()"
                  "(int, std::string) const",
                  40),
      "…::f()::{lambda(int)#1}::operator()");
}

TEST(FitNameTest, KeepsTheMarkOfAnInlinedCallWholeOrDropsIt) {
  EXPECT_EQ(FitFunction("ns::Create(unsigned long, Key const&) (inline)", 32),
            "ns::Create(uns… const&) (inline)");
  EXPECT_EQ(FitFunction("std::__new_allocator::allocate (inline)", 21),
            "_…::allocate (inline)");
  EXPECT_EQ(FitFunction("std::__new_allocator::allocate (inline)", 12),
            "_…::allocate");
}

TEST(FitNameTest, DropsNoOtherWords) {
  EXPECT_EQ(FitName("00007f0123456789 demo::Allocate", 0, 24),
            "00007f01… demo::Allocate");
}

TEST(FitNameTest, KeepsPartOfANameInTheNarrowestTerminal) {
  EXPECT_EQ(FitName("abcdefghijklmnopqrstuvwxyz", 60, 40), "abcd…tuvwxyz");
}

TEST(FitNameTest, CountsPrintedCharacters) {
  EXPECT_EQ(FitName("a\n\x1b[2J", 0, 80), "a??[2J");
}

TEST(FitNameAndPlaceTest, DropsOuterFoldersBeforeItCutsNames) {
  const std::string both = "ns::Allocate (inline) /src/base/mem/arena.cc:12";
  EXPECT_EQ(FitNameAndPlace(both, 0, 47), both);
  EXPECT_EQ(FitNameAndPlace(both, 0, 0), both);
  EXPECT_EQ(FitNameAndPlace(both, 0, 46),
            "ns::Allocate (inline) …/base/mem/arena.cc:12");
  EXPECT_EQ(FitNameAndPlace(both, 10, 46),
            "ns::Allocate (inline) …/arena.cc:12");
  const std::string longer = "a_name_of_many_characters src/arena.cc:12";
  EXPECT_EQ(FitNameAndPlace(longer, 49, 80), "a_name…characters …/arena.cc:12");
  EXPECT_EQ(FitNameAndPlace(longer, 55, 80), "a_na…aracters arena.cc:12");
  EXPECT_EQ(FitNameAndPlace("a_long_function src/stl_iterator.h:1234", 55, 80),
            "a_lo…unction stl_….h:1234");
  EXPECT_EQ(FitNameAndPlace("a_long_function src/stl_iterator.h:1234", 58, 80),
            "a_lo…unction stl…:1234");
  EXPECT_EQ(FitNameAndPlace("name", 0, 80), "name");
}

// Both would be "InsertOrA…WithRehashIfNeeded".
TEST(FitNamesTest, KeepsDifferentNamesDifferent) {
  const NameInLine names[] = {
      {"app::Table<int>::InsertOrAssignWithRehashIfNeeded", 12},
      {"app::Table<long>::InsertOrAssignWithRehashIfNeeded", 12},
      {"app::Table<long>::InsertOrAssignWithRehashIfNeeded", 12},
      {"app::Load", 12}};
  EXPECT_THAT(FitNames(names, 40),
              ElementsAre("…Table<int…ithRehashIfNeeded",
                          "…Table<lon…ithRehashIfNeeded",
                          "…Table<lon…ithRehashIfNeeded", "app::Load"));
  EXPECT_THAT(FitNames(names, 0), ElementsAre(names[0].name, names[1].name,
                                              names[2].name, names[3].name));
}

TEST(FitNamesTest, ShowsTheWordsBeforeADifferenceThatHaveRoom) {
  const NameInLine names[] = {{"app::Map<Kind, A>::Insert"},
                              {"app::Map<Kind, B>::Insert"}};
  EXPECT_THAT(FitNames(names, 12), ElementsAre("…A>::Insert", "…B>::Insert"));
  EXPECT_THAT(FitNames(names, 18),
              ElementsAre("…Kind, A>::Insert", "…Kind, B>::Insert"));
}

TEST(FitNamesTest, ShowsArgumentsOfOverloads) {
  const NameInLine names[] = {{"app::ReadMessage(char const*, int)"},
                              {"app::ReadMessage(std::string, int)"}};
  EXPECT_THAT(FitNames(names, 20),
              ElementsAre("Re…sage(cha…t*, int)", "Re…sage(std…ng, int)"));
}

TEST(FitNamesTest, TellsAStartOfANameFromTheName) {
  const NameInLine names[] = {{"std::vector::push_back"},
                              {"std::vector::push_back (inline)"}};
  EXPECT_THAT(FitNames(names, 15), ElementsAre("…push_back", "… (inline)"));
}

TEST(FitNamesTest, FindsADifferenceInsideACharacter) {
  const std::string start(20, 'a'), end(30, 'z');
  const std::string first = start + "ä" + end, second = start + "ö" + end;
  const NameInLine names[] = {{first}, {second}};
  EXPECT_THAT(FitNames(names, 12), ElementsAre("…äzzz…zzzzzz", "…özzz…zzzzzz"));
}

}  // namespace
}  // namespace heapprof
