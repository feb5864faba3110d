// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/filter_stacks.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "support/check_valid.h"
#include "support/comparison.h"
#include "support/test_profile.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<FilterEffect> Apply(const FilterOptions& options,
                                Profile& profile) {
  const auto filters = StackFilters::Compile(options);
  EXPECT_TRUE(filters);
  auto effects = filters->Apply(profile, Metric::kInuseSpace);
  EXPECT_TRUE(effects);
  EXPECT_EQ(CheckValid(profile), "");
  return *std::move(effects);
}

// The remaining stacks, without modules.
std::vector<std::string> Filtered(const FilterOptions& options,
                                  std::string_view stacks) {
  Profile profile = ProfileOf(stacks);
  Apply(options, profile);
  return StacksOf(profile);
}

constexpr std::string_view kStacks =
    "app!main%app.cc:3;app!ns::parse(int)%app.cc:7|ns::grow<int>()%grow.h:9 5\n"
    "app!main%app.cc:4;lib.so!std::vector<int>::push_back(int) 7\n"
    "lib.so!worker 20\n";
constexpr std::string_view kParse = "main;ns::parse(int)|ns::grow<int>() 5";
constexpr std::string_view kPush = "main;std::vector<int>::push_back(int) 7";

TEST(FilterStacksTest, ChangesNothingWithoutAFilter) {
  Profile profile = ProfileOf(kStacks);
  EXPECT_THAT(Apply({}, profile), IsEmpty());
  EXPECT_THAT(StacksOf(profile), ElementsAre(kParse, kPush, "worker 20"));
}

TEST(FilterStacksTest, KeepsStacksInFocus) {
  // Matches the short name, also of inlined calls; the line; the address.
  EXPECT_THAT(Filtered({.focus = "^ns::parse$"}, kStacks), ElementsAre(kParse));
  EXPECT_THAT(Filtered({.focus = "^ns::grow$"}, kStacks), ElementsAre(kParse));
  EXPECT_THAT(Filtered({.focus = R"(^app\.cc:4$)"}, kStacks),
              ElementsAre(kPush));
  EXPECT_THAT(Filtered({.focus = R"(^\?\?:0$)"}, kStacks),
              ElementsAre(kPush, "worker 20"));
  EXPECT_THAT(Filtered({.focus = "vector<long>|push_back[<]"}, kStacks),
              IsEmpty());
  EXPECT_THAT(Filtered({.focus = "lib[.]so"}, kStacks), IsEmpty());
  Profile profile = ProfileOf("f 1\ng 2\n");
  profile.locations[1].address = 0x401234;
  profile.locations[1].is_return_address = true;
  Apply({.focus = "^0000000000401233$"}, profile);
  EXPECT_THAT(StacksOf(profile), ElementsAre("f 1"));
}

TEST(FilterStacksTest, DropsStacksToIgnore) {
  EXPECT_THAT(Filtered({.ignore = "main"}, kStacks), ElementsAre("worker 20"));
  EXPECT_THAT(Filtered({.ignore = "grow[.]h"}, kStacks),
              ElementsAre(kPush, "worker 20"));
  EXPECT_THAT(Filtered({.focus = "main", .ignore = "parse"}, kStacks),
              ElementsAre(kPush));
}

TEST(FilterStacksTest, RetainsAndExcludesFramesByTheirOutermostCall) {
  EXPECT_THAT(Filtered({.exclude = "^main$"}, kStacks),
              ElementsAre("ns::parse(int)|ns::grow<int>() 5",
                          "std::vector<int>::push_back(int) 7", "worker 20"));
  EXPECT_THAT(Filtered({.exclude = "parse"}, kStacks),
              ElementsAre("main 5", kPush, "worker 20"));
  // Inlined calls are removed with their function and are not matched
  // themselves.
  EXPECT_THAT(Filtered({.exclude = "grow"}, kStacks),
              ElementsAre(kParse, kPush, "worker 20"));
  EXPECT_THAT(Filtered({.retain = "^ns::"}, kStacks),
              ElementsAre("ns::parse(int)|ns::grow<int>() 5"));
  EXPECT_THAT(Filtered({.exclude = "."}, kStacks), IsEmpty());
  EXPECT_THAT(Filtered({.exclude = "app[.]cc"}, kStacks),
              ElementsAre(kParse, kPush, "worker 20"));
  // Focus sees only the remaining frames.
  EXPECT_THAT(Filtered({.exclude = "main", .focus = "main"}, kStacks),
              IsEmpty());
}

TEST(FilterStacksTest, KeepsStacksOfAModule) {
  EXPECT_THAT(Filtered({.module = R"(^lib\.so$)"}, kStacks),
              ElementsAre(kPush, "worker 20"));
}

TEST(FilterStacksTest, HidesCallsAtEveryLevelOfInlining) {
  constexpr std::string_view kNested =
      "lib.so!start;a!f(int)|g()|h();m;b!g();x 5\nstart2;g() 7\n";
  EXPECT_THAT(Filtered({.hide = {"^g$"}}, kNested),
              ElementsAre("start2 7", "start;f(int)|h();m;x 5"));
  EXPECT_THAT(Filtered({.hide = {"^(f|h)$"}}, kNested),
              ElementsAre("start2;g() 7", "start;g();m;g();x 5"));
  // Matches the binary and the source file, too.
  EXPECT_THAT(Filtered({.hide = {"^a$", "^lib"}}, kNested),
              ElementsAre("m;g();x 5", "start2;g() 7"));
  EXPECT_THAT(Filtered({.hide = {"grow[.]h"}}, kStacks),
              ElementsAre("main;ns::parse(int) 5", kPush, "worker 20"));
  EXPECT_THAT(Filtered({.hide = {"^(start|g)"}}, kNested),
              ElementsAre("f(int)|h();m;x 5"));
  // Focus still sees what is hidden, show_from does not.
  EXPECT_THAT(Filtered({.focus = "^x$", .hide = {"x", "f"}}, kNested),
              ElementsAre("start;g()|h();m;g() 5"));
  EXPECT_THAT(Filtered({.hide = {"^g$"}, .show_from = "^(g|m)$"}, kNested),
              ElementsAre("m;x 5"));
  EXPECT_THAT(Filtered({.hide = {"^m$"}, .prune_from = "^h$"}, kNested),
              ElementsAre("start2;g() 7", "start;f(int)|g()|h() 5"));
}

// They are wrappers, too.
TEST(FilterStacksTest, HidesTheAllocatorsOfLibrariesWithTheLibraries) {
  constexpr std::string_view kAllocators =
      "app!main;app!std::__new_allocator<int>::allocate(unsigned long) 5\n"
      "app!run;app!<alloc::alloc::Global>::alloc_impl 7\n";
  EXPECT_THAT(
      Filtered({.hide = {"@std"}}, kAllocators),
      ElementsAre("main 5", "run;<alloc::alloc::Global>::alloc_impl 7"));
  EXPECT_THAT(Filtered({.hide = {"@std,@rust"}}, kAllocators),
              ElementsAre("main 5", "run 7"));
}

TEST(FilterStacksTest, HidesBuiltInSets) {
  constexpr std::string_view kMixed =
      "app!main;app!std::vector<int>::f()|xmalloc;libc.so.6!fopen 5\n"
      "app!run;app!alloc::vec::Vec<T>::push;app!<core::A as app::T>::f 7\n";
  EXPECT_THAT(Filtered({.hide = {"@std"}}, kMixed),
              ElementsAre("main;xmalloc 5",
                          "run;alloc::vec::Vec<T>::push;<core::A as "
                          "app::T>::f 7"));
  EXPECT_THAT(Filtered({.hide = {"@std,@wrappers"}}, kMixed),
              ElementsAre("main 5",
                          "run;alloc::vec::Vec<T>::push;<core::A as "
                          "app::T>::f 7"));
  EXPECT_THAT(Filtered({.hide = {"@rust", "@wrappers"}}, kMixed),
              ElementsAre("main;std::vector<int>::f();fopen 5",
                          "run;<core::A as app::T>::f 7"));
  const auto unknown = StackFilters::Compile({.hide = {"@std,@c"}});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(unknown.error().message,
            "--hide=@std,@c: expected @std, @rust or @wrappers, found '@c'");
}

TEST(FilterStacksTest, FindsOwnCodeAutomatically) {
  Profile profile = ProfileOf(
      "/srv/app!main;/srv/app!run|std::sort<int>();/usr/lib/libz.so!f 5\n"
      "/usr/lib/libz.so!g 7\n"
      "/srv/app!main;/srv/app!app+0x1;/srv/app!xmalloc 9\n"
      "/srv/app!app+0x1;/usr/lib/libz.so!f 11\n");
  profile.main_binary = profile.strings.Intern("/srv/app");
  for (Function& function : profile.functions)
    function.unresolved = profile.String(function.name) == "app+0x1";
  const auto effects = Apply({.own = "auto"}, profile);
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("app+0x1 11", "g;[outside your code] 7", "main 9",
                          "main;run 5"));
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0].filter, "--own=auto");
  EXPECT_EQ(effects[0].not_own_stacks, 1u);
  EXPECT_EQ(effects[0].cut_stacks, 3u);
  EXPECT_THAT(Filtered({.own = "none"}, "a;b 5\n"), ElementsAre("a;b 5"));
  EXPECT_THAT(Filtered({.own = "!^engine::"}, "a;engine::f;std::g 5\n"),
              ElementsAre("a 5"));
}

TEST(FilterStacksTest, SaysThatAPatternMatchesAllCodeOfAProgram) {
  Profile profile =
      ProfileOf("/srv/app!f 5\n/srv/tool!g 7\n/lib/libz.so!h 1\n");
  profile.other_programs = {profile.strings.Intern("/srv/tool")};
  const auto binary = [&](const char* own) {
    Profile copy = profile;
    return Apply({.own = own}, copy).at(0).own_binary;
  };
  EXPECT_EQ(binary("app"), "/srv/app");
  EXPECT_EQ(binary("tool"), "/srv/tool");
  EXPECT_EQ(binary("libz"), "");
}

TEST(FilterStacksTest, ShowsFromTheMatchNearestTheRoot) {
  constexpr std::string_view kNested =
      "start;a!f(int)|g()|h();m;b!g();x 5\nstart;x 7\n";
  EXPECT_THAT(Filtered({.show_from = "^g$"}, kNested),
              ElementsAre("g()|h();m;g();x 5"));
  EXPECT_THAT(Filtered({.show_from = R"(^f\(int\)$)"}, kNested),
              ElementsAre("f(int)|g()|h();m;g();x 5"));
  EXPECT_THAT(Filtered({.show_from = "^b$"}, kNested), ElementsAre("g();x 5"));
  EXPECT_THAT(Filtered({.show_from = "app[.]cc"}, kStacks),
              ElementsAre(kParse, kPush));
  EXPECT_THAT(Filtered({.show_from = "grow[.]h"}, kStacks),
              ElementsAre("ns::grow<int>() 5"));
}

TEST(FilterStacksTest, PrunesFromTheMatchNearestTheLeaf) {
  constexpr std::string_view kNested =
      "start;f(int)|g()|h();m;b!g();x 5\nstart;y 7\n";
  EXPECT_THAT(Filtered({.prune_from = "^g$"}, kNested),
              ElementsAre("start;f(int)|g()|h();m;g() 5", "start;y 7"));
  EXPECT_THAT(Filtered({.prune_from = "^(h|m)$"}, kNested),
              ElementsAre("start;f(int)|g()|h();m 5", "start;y 7"));
  EXPECT_THAT(Filtered({.prune_from = "^f"}, kNested),
              ElementsAre("start;f(int) 5", "start;y 7"));
  // Matches the name in any form, but nothing else.
  EXPECT_THAT(Filtered({.prune_from = "^ns::grow<int>$"}, kStacks),
              ElementsAre(kParse, kPush, "worker 20"));
  EXPECT_THAT(Filtered({.prune_from = "app|lib"}, kStacks),
              ElementsAre(kParse, kPush, "worker 20"));
}

TEST(FilterStacksTest, ChargesStacksToTheFirstOwnFrame) {
  EXPECT_THAT(Filtered({.own = "^(main|ns::parse)$"}, kStacks),
              ElementsAre("main 7", "main;ns::parse(int) 5",
                          "worker;[outside your code] 20"));
  // All inlined calls in a matching module are own code, too.
  EXPECT_THAT(Filtered({.own = "^app$"}, kStacks),
              ElementsAre("main 7", kParse, "worker;[outside your code] 20"));
  EXPECT_THAT(Filtered({.own = "app[.]cc"}, kStacks),
              ElementsAre("main 7", "main;ns::parse(int) 5",
                          "worker;[outside your code] 20"));
}

TEST(FilterStacksTest, CountsStacksThatAreNotOwn) {
  Profile profile = ProfileOf("main;lib 1\nwork;lib 2\nwork;lib;lib 4\n");
  const auto effects = Apply({.own = "main"}, profile);
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0].cut_stacks, 1u);
  EXPECT_EQ(effects[0].not_own_stacks, 2u);
  EXPECT_EQ(effects[0].left_stacks, 3u);
}

TEST(FilterStacksTest, FindsSidesWithoutOwnCode) {
  const auto apply = [](FilterOptions options, double value) {
    Profile profile = ProfileOf("main;lib 1\nwork;lib 2\n");
    profile.samples[1].side = Side::kBase;
    profile.samples[1].values[Metric::kInuseSpace].value = value;
    return Apply(std::move(options), profile).back().lacks_own;
  };
  EXPECT_FALSE(apply({.own = "main"}, 2).now);
  EXPECT_TRUE(apply({.own = "main"}, 2).base);
  EXPECT_FALSE(apply({.own = "main|work"}, 2).base);
  EXPECT_TRUE(apply({.own = "work"}, 2).now);
  // A side without samples lacks nothing.
  EXPECT_FALSE(apply({.own = "main"}, 0).base);
  EXPECT_FALSE(apply({.ignore = "work", .own = "main"}, 2).base);
  EXPECT_FALSE(apply({.focus = "lib"}, 2).base);
}

TEST(FilterStacksTest, DropsInlinedCallsLast) {
  EXPECT_THAT(Filtered({.no_inlines = true}, kStacks),
              ElementsAre("main;ns::parse(int) 5", kPush, "worker 20"));
  EXPECT_THAT(Filtered({.focus = "grow", .no_inlines = true}, kStacks),
              ElementsAre("main;ns::parse(int) 5"));
}

TEST(FilterStacksTest, CountsStacksThatLoseInlinedCalls) {
  Profile profile = ProfileOf(kStacks);
  const auto effects = Apply({.ignore = "work", .no_inlines = true}, profile);
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(effects[1].filter, "--no-inlines");
  EXPECT_EQ(effects[1].cut_stacks, 1u);
  EXPECT_EQ(effects[1].left_stacks, 2u);
  EXPECT_EQ(effects[1].removed_stacks, 0u);
}

// A comparison in which only "work" has changed.
Profile WithEqualStacks() {
  Profile profile = ProfileOf("main;ns::f|ns::g 5\nwork 7\nother 1\n");
  AddBase(0, {.value = 5}, profile);
  AddBase(1, {.value = 2}, profile);
  AddBase(2, {.value = 1}, profile);
  return profile;
}

TEST(FilterStacksTest, CountsRemovedStacksThatAreEqualOnBothSides) {
  Profile profile = WithEqualStacks();
  const auto effects = Apply({.focus = "work", .ignore = "x"}, profile);
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(effects[0].removed_stacks, 0u);
  EXPECT_EQ(effects[0].equal_stacks, 2u);
  EXPECT_EQ(effects[1].equal_stacks, 0u);
}

TEST(FilterStacksTest, SaysWhatFiltersForNamesRemovedWithoutNames) {
  for (const FilterOptions& options :
       {FilterOptions{.focus = "work"}, FilterOptions{.retain = "work"},
        FilterOptions{.show_from = "work"}, FilterOptions{.ignore = "main"},
        FilterOptions{.module = "none"}}) {
    Profile profile = ProfileOf(
        "main;0x1 5\n0x2;main 7\nmain;f;0x3;f 9\nmain;f;0x4;f;f 11\nwork 1\n");
    for (Function& function : profile.functions)
      function.unresolved = profile.String(function.name).contains("0x");
    AddBase(0, {.value = 3}, profile);
    const auto effects = Apply(options, profile);
    const bool wants_names = options.ignore.empty() && options.module.empty();
    EXPECT_EQ(effects[0].removed_nameless.now, wants_names ? 12 : 0);
    EXPECT_EQ(effects[0].removed_nameless.base, wants_names ? 3 : 0);
  }
}

TEST(FilterStacksTest, CountsCutStacksThatAreEqualOnBothSides) {
  Profile profile = WithEqualStacks();
  const auto effects = Apply({.hide = {"main"}, .own = "work"}, profile);
  ASSERT_EQ(effects.size(), 2u);
  EXPECT_EQ(effects[0].cut_stacks, 0u);
  EXPECT_EQ(effects[0].equal_stacks, 1u);
  EXPECT_EQ(effects[1].not_own_stacks, 0u);
  EXPECT_EQ(effects[1].equal_stacks, 2u);
}

TEST(FilterStacksTest, CountsEqualStacksThatLoseInlinedCalls) {
  Profile profile = WithEqualStacks();
  const auto effects = Apply({.no_inlines = true}, profile);
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0].cut_stacks, 0u);
  EXPECT_EQ(effects[0].equal_stacks, 1u);
}

TEST(FilterStacksTest, CountsNoStacksWithoutAValueAsCut) {
  Profile profile = ProfileOf("main|inlined 0\nwork|inlined 1\nother 0\n");
  const auto effects = Apply({.no_inlines = true}, profile);
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_EQ(effects[0].cut_stacks, 1u);
  EXPECT_EQ(effects[0].left_stacks, 1u);
}

TEST(FilterStacksTest, SaysWhatEachFilterDid) {
  Profile profile = ProfileOf(kStacks);
  const auto effects =
      Apply({.exclude = "main", .focus = "push|work", .ignore = "x"}, profile);
  ASSERT_EQ(effects.size(), 3u);
  EXPECT_EQ(effects[0].filter, "--exclude=main");
  EXPECT_EQ(effects[0].cut_stacks, 2u);
  EXPECT_EQ(effects[0].removed_stacks, 0u);
  EXPECT_EQ(effects[0].left_stacks, 3u);
  EXPECT_EQ(effects[1].filter, "--focus=push|work");
  EXPECT_EQ(effects[1].cut_stacks, 0u);
  EXPECT_EQ(effects[1].removed_stacks, 1u);
  EXPECT_EQ(effects[1].removed_value, 5);
  EXPECT_EQ(effects[1].removed_percent, 100 * 5 / 32.0);
  EXPECT_EQ(effects[1].left_stacks, 2u);
  EXPECT_EQ(effects[2].removed_stacks, 0u);
  EXPECT_EQ(profile.filtered_out.now[Metric::kInuseSpace].value, 5);
}

TEST(FilterStacksTest, CountsDecreasesByTheirSize) {
  Profile profile = ProfileOf("f 30\ng 10\ng;h 60\n");
  profile.samples[1].side = Side::kBase;
  profile.samples[2].values[Metric::kInuseSpace].value = -60;
  const auto effects = Apply({.ignore = "g"}, profile);
  EXPECT_EQ(effects[0].removed_value, -70);
  EXPECT_EQ(effects[0].removed_percent, 70);
  EXPECT_EQ(profile.filtered_out.now[Metric::kInuseSpace].value, -60);
  EXPECT_EQ(profile.filtered_out.base[Metric::kInuseSpace].value, 10);
  EXPECT_THAT(StacksOf(profile), ElementsAre("f 30"));
}

TEST(FilterStacksTest, FiltersThreadsToo) {
  Profile profile = ProfileOf("f 30\ng 10\n");
  profile.thread_samples = profile.samples;
  Apply({.ignore = "g"}, profile);
  ASSERT_EQ(profile.thread_samples.size(), 1u);
  EXPECT_EQ(profile.thread_samples[0].stack, profile.samples[0].stack);
  ASSERT_EQ(profile.filtered_thread_samples.size(), 1u);
  EXPECT_EQ(
      profile.filtered_thread_samples[0].values[Metric::kInuseSpace].value, 10);
}

TEST(FilterStacksTest, RejectsWrongAndSlowPatterns) {
  const auto wrong = StackFilters::Compile({.focus = "a", .own = "("});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, ErrorKind::kUsage);
  EXPECT_TRUE(wrong.error().message.starts_with("--own=(: "));

  Profile profile = ProfileOf(std::string(60, 'a') + "b 1\n");
  const auto slow = StackFilters::Compile({.ignore = "^(a|aa)+$"});
  ASSERT_TRUE(slow);
  const auto effects = slow->Apply(profile, Metric::kInuseSpace);
  ASSERT_FALSE(effects);
  EXPECT_EQ(effects.error().kind, ErrorKind::kUsage);
}

}  // namespace
}  // namespace heapprof
