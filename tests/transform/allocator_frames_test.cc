// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/allocator_frames.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "heapprof/demangle/demangle.h"
#include "heapprof/profile/profile.h"
#include "support/check_valid.h"
#include "support/test_profile.h"
#include "transform/allocator_names.h"

namespace heapprof {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Trimmed(std::string_view stacks) {
  Profile profile = ProfileOf(stacks);
  TrimAllocatorFrames(profile);
  EXPECT_EQ(CheckValid(profile), "");
  return StacksOf(profile);
}

struct TrimCase {
  const char* what;
  const char* before;
  const char* after;
};

class TrimAllocatorFramesTest : public testing::TestWithParam<TrimCase> {};

TEST_P(TrimAllocatorFramesTest, LeavesTheProgramsFrames) {
  EXPECT_THAT(Trimmed(GetParam().before), ElementsAre(GetParam().after));
}

INSTANTIATE_TEST_SUITE_P(
    Stacks, TrimAllocatorFramesTest,
    testing::Values(
        TrimCase{"SymbolizedLibrary",
                 "app!main;app!f;libjemalloc.so.2!malloc;"
                 "libjemalloc.so.2!imalloc;libjemalloc.so.2!prof_backtrace 7",
                 "main;f 7"},
        TrimCase{"StrippedLibrary",
                 "app!main;app!f;libjemalloc.so.2!libjemalloc.so.2+0xa2630;"
                 "libjemalloc.so.2!libjemalloc.so.2+0x5b00 7",
                 "main;f 7"},
        TrimCase{"UnwinderCalledByAStrippedLibrary",
                 "app!main;app!f;libjemalloc.so.2!libjemalloc.so.2+0x5b00;"
                 "libgcc_s.so.1!_Unwind_Backtrace 7",
                 "main;f 7"},
        TrimCase{"OperatorNewAroundAStrippedLibrary",
                 "app!main;app!operator new(unsigned long);app!Pool::Grow();"
                 "libjemalloc.so.2!libjemalloc.so.2+0x5b00 7",
                 "main 7"},
        TrimCase{"ProgramCalledByAThreadOfTheAllocator",
                 "libjemalloc.so.2!background_thread_entry;app!Hook;"
                 "libjemalloc.so.2!malloc 7",
                 "background_thread_entry;Hook 7"},
        TrimCase{"NewAroundMalloc",
                 "app!main;app!f;libstdc++.so.6!operator new(unsigned long);"
                 "libjemalloc.so.2!malloc;"
                 "libjemalloc.so.2!libjemalloc.so.2+0x10 7",
                 "main;f 7"},
        TrimCase{"StaticJemalloc",
                 "app!main;app!f;app!je_malloc_default;"
                 "app!je_prof_tctx_create;app!prof_backtrace_impl 7",
                 "main;f 7"},
        TrimCase{"StaticJemallocWithAnUnknownHelper",
                 "app!main;app!f;app!malloc;app!helper_of_next_release;"
                 "app!prof_backtrace_impl 7",
                 "main;f 7"},
        TrimCase{"RustGlue",
                 "app!main;app!alloc::vec::Vec<T>::push;"
                 "app!alloc::alloc::Global::alloc_impl|alloc::alloc::alloc;"
                 "app!__rust_alloc;app!__rg_alloc;"
                 "app!<tikv_jemallocator::Jemalloc as "
                 "core::alloc::global::GlobalAlloc>::alloc;"
                 "app!_rjem_malloc;app!_rjem_je_prof_backtrace 7",
                 "main;alloc::vec::Vec<T>::push 7"},
        TrimCase{"RustAllocatorOfTheProgram",
                 "app!main;app!__rust_alloc;"
                 "app!<my::Counting as "
                 "core::alloc::global::GlobalAlloc>::alloc;"
                 "app!<std::alloc::System as "
                 "core::alloc::global::GlobalAlloc>::alloc;app!malloc 7",
                 "main 7"},
        TrimCase{"CutBetweenInlinedCalls",
                 "app!main;app!f|std::allocate|operator new(unsigned long);"
                 "app!malloc 7",
                 "main;f|std::allocate 7"},
        TrimCase{"EnteredAgainFromTheLoader",
                 "app!main;app!f;libjemalloc.so.2!malloc;"
                 "libjemalloc.so.2!libjemalloc.so.2+0x20;"
                 "ld-linux-x86-64.so.2!__tls_get_addr;"
                 "ld-linux-x86-64.so.2!allocate_dtv;libjemalloc.so.2!calloc;"
                 "libjemalloc.so.2!imalloc 7",
                 "main;f 7"},
        TrimCase{"LibcsOwnAllocationStays",
                 "app!main;libc.so.6!fopen;libjemalloc.so.2!malloc 7",
                 "main;fopen 7"},
        TrimCase{"HelpersOfTheProgramsOperatorNew",
                 "app!main;app!f();app!operator new[](unsigned long);"
                 "app!operator new(unsigned long);app!mem::tracked_alloc();"
                 "app!mem::note();libjemalloc.so.2!malloc 7",
                 "main;f() 7"},
        TrimCase{"HelpersOfTheProgramsRustAllocator",
                 "app!main;app!__rust_alloc;app!<my::Counting as "
                 "core::alloc::global::GlobalAlloc>::alloc;app!my::count;"
                 "app!my::log;libjemalloc.so.2!malloc 7",
                 "main 7"},
        TrimCase{"FunctionsNamedLikeJemallocsOwn",
                 "app!main;app!je_render;app!ialloc;app!arena_malloc;"
                 "libjemalloc.so.2!malloc;libjemalloc.so.2!imalloc 7",
                 "main;je_render;ialloc;arena_malloc 7"},
        TrimCase{"FunctionsNamedLikeJemallocsOwnBesideAStaticOne",
                 "app!main;app!ialloc%/home/me/app/page.c:3;app!malloc;"
                 "app!imalloc;app!prof_backtrace_impl 7",
                 "main;ialloc 7"},
        TrimCase{"StaticJemallocWithDebugInformation",
                 "app!main;app!je_malloc_default%/home/me/je/src/jemalloc.c:3;"
                 "app!imalloc_body%/home/me/je/src/x.c:3;"
                 "app!prof_backtrace_impl%/home/me/je/src/prof.c:3 7",
                 "main 7"},
        TrimCase{"NewRustGlue",
                 "app!main;app!app::f|alloc::boxed::box_new_uninit|"
                 "<alloc::alloc::Global as core::alloc::Allocator>::allocate|"
                 "alloc::alloc::Global::alloc_impl_runtime;"
                 "libjemalloc.so.2!malloc 7",
                 "main;app::f 7"},
        TrimCase{"WrapperStays", "app!main;app!my::malloc_wrapper;app!malloc 7",
                 "main;my::malloc_wrapper 7"},
        TrimCase{"NothingToTrim", "app!main;app!f 7", "main;f 7"},
        TrimCase{"NothingLeft",
                 "libjemalloc.so.2!malloc;libjemalloc.so.2!imalloc 7",
                 "[allocator only] 7"},
        TrimCase{"NoAddress", "7", "[no stack] 7"}),
    [](const auto& test) { return std::string(test.param.what); });

TEST(TrimTest, KeepsTheSumOfAllRows) {
  Profile profile = ProfileOf(
      "app!main;app!malloc 5\n"
      "app!malloc;app!imalloc 7\n"
      "11\n");
  const double total = TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value;
  TrimAllocatorFrames(profile);
  EXPECT_EQ(TotalOf(profile, Side::kNew)[Metric::kInuseSpace].value, total);
  EXPECT_THAT(StacksOf(profile),
              ElementsAre("[allocator only] 7", "[no stack] 11", "main 5"));
}

// A mangled name is enough to tell that most functions are not allocators.
TEST(TrimTest, TreatsMangledNamesLikeReadableOnes) {
  for (const std::string_view mangled :
       {"_Znwm", "_Z15fallbackNewImplILb0EEPvm", "_ZN8tcmalloc3NewEm",
        "_ZN5alloc5alloc15exchange_malloc17h0123456789abcdefE",
        "_RNvCs5QKde7ScR4H_7___rustc12___rust_alloc",
        "_ZN66_$LT$app..Counting$u20$as$u20$core..alloc..global..GlobalAlloc"
        "$GT$5alloc17h0123456789abcdefE",
        "_ZN4demo4Pool4freeEv", "_ZN3newE", "_ZN4demo9prof_realEv",
        "_ZN4demo9operatorsIiEEvT_", "_Z4demov"}) {
    const std::string name = DemangleAll({&mangled, 1}).front();
    ASSERT_NE(name, mangled);
    const bool is_kept = ClassifyAllocatorName(name) == AllocatorRole::kNone;
    Profile profile =
        ProfileOf("app!main;app!leaf;app!malloc;app!prof_backtrace_impl 1");
    for (Function& function : profile.functions)
      if (profile.String(function.name) == "leaf") {
        function.name = profile.strings.Intern(name);
        function.system_name = profile.strings.Intern(mangled);
      }
    TrimAllocatorFrames(profile);
    ASSERT_EQ(StacksOf(profile).size(), 1U);
    EXPECT_EQ(StacksOf(profile)[0].find(name) != std::string::npos, is_kept)
        << name;
  }
}

TEST(TrimTest, ChangesNothingTheSecondTime) {
  Profile profile = ProfileOf(
      "app!main;app!f|operator new(unsigned long);app!malloc 5\n"
      "app!malloc 7\n"
      "11\n");
  TrimAllocatorFrames(profile);
  const std::vector<std::string> once = StacksOf(profile);
  TrimAllocatorFrames(profile);
  EXPECT_EQ(StacksOf(profile), once);
}

TEST(LabelEmptyStacksTest, KeepsAllocatorFrames) {
  Profile profile = ProfileOf("app!main;app!malloc 5\n11\n");
  LabelEmptyStacks(profile);
  EXPECT_EQ(CheckValid(profile), "");
  EXPECT_THAT(StacksOf(profile), ElementsAre("[no stack] 11", "main;malloc 5"));
}

}  // namespace
}  // namespace heapprof
