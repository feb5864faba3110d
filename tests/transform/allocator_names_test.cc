// SPDX-License-Identifier: Apache-2.0
#include "transform/allocator_names.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(ClassifyAllocatorNameTest, RecognisesTheAllocatorsApi) {
  for (const char* name : {"malloc",
                           "calloc",
                           "realloc",
                           "free",
                           "memalign",
                           "posix_memalign",
                           "aligned_alloc",
                           "valloc",
                           "pvalloc",
                           "mallocx",
                           "rallocx",
                           "xallocx",
                           "dallocx",
                           "sdallocx",
                           "_malloc",
                           "je_malloc",
                           "_rjem_malloc",
                           "_rjem_je_malloc",
                           "_rjem_mallocx",
                           "malloc@@GLIBC_2.2.5",
                           "malloc.cold",
                           "malloc@plt",
                           "operator new(unsigned long)",
                           "operator new[](unsigned long)",
                           "operator new(unsigned long, std::align_val_t)",
                           "operator new(unsigned long, std::nothrow_t const&)",
                           "operator new(unsigned long)@@GLIBCXX_3.4",
                           "operator new(unsigned long) [clone .cold]",
                           "tc_malloc",
                           "tc_new",
                           "__builtin_vec_new",
                           "__rust_alloc",
                           "__rust_alloc_zeroed",
                           "__rust_realloc",
                           "__rg_alloc",
                           "__rdl_alloc",
                           "__rustc::__rust_alloc",
                           "__rustc[5224e6b81cd82a8f]::__rust_alloc",
                           "<my::Counting as "
                           "core::alloc::global::GlobalAlloc>::alloc",
                           "<tikv_jemallocator::Jemalloc as "
                           "core::alloc::global::GlobalAlloc>::alloc",
                           "core::alloc::global::GlobalAlloc::alloc_zeroed"})
    EXPECT_EQ(ClassifyAllocatorName(name), AllocatorRole::kEntry) << name;
}

TEST(ClassifyAllocatorNameTest, RecognisesFunctionsInsideAllocators) {
  for (const char* name :
       {"prof_backtrace_impl",
        "je_prof_backtrace",
        "je_prof_tctx_create",
        "prof_alloc_prep",
        "imalloc",
        "imalloc_body",
        "fallback_impl",
        "je_malloc_default",
        "_rjem_je_malloc_default",
        "je_arena_ralloc",
        "imalloc_body.constprop.0",
        "void* newImpl<false>(unsigned long)",
        "newImpl",
        "void* fallbackNewImpl<false>(unsigned long)",
        "irallocx_prof",
        "do_rallocx",
        "ixallocx_prof",
        "do_malloc",
        "::do_malloc_or_cpp_alloc",
        "tcmalloc::allocate_full_cpp_throw_oom(unsigned long)",
        "je_render"})
    EXPECT_EQ(ClassifyAllocatorName(name), AllocatorRole::kInternal) << name;
}

TEST(ClassifyAllocatorNameTest, RecognisesRustsGlue) {
  for (const char* name :
       {"alloc::alloc::exchange_malloc", "exchange_malloc",
        "alloc::alloc::alloc", "alloc::alloc::Global::alloc_impl",
        "<alloc::alloc::Global>::grow_impl_runtime",
        "alloc::alloc::Global::shrink_impl_runtime",
        "alloc::alloc::realloc_nonnull", "alloc::boxed::box_new_uninit",
        "hashbrown::raw::alloc::inner::do_alloc",
        "hashbrown::alloc::inner::do_alloc::<alloc::alloc::Global>",
        "<alloc::alloc::Global as core::alloc::Allocator>::allocate",
        "tikv_jemallocator::layout_to_flags",
        "alloc::alloc::exchange_malloc::h0123456789abcdef"})
    EXPECT_EQ(ClassifyAllocatorName(name), AllocatorRole::kGlue) << name;
}

TEST(ClassifyAllocatorNameTest, IgnoresFunctionsThatOnlyLookSimilar) {
  for (const char* name : {"",
                           "main",
                           "my::malloc_wrapper(unsigned long)",
                           "my::malloc(int)",
                           "Pool::free(void*)",
                           "calloc_table",
                           "mallocator",
                           "xmalloc",
                           "malloc_usable_size",
                           "operator newer",
                           "operator==(A, B)",
                           "Foo::operator new(unsigned long)",
                           "std::vector<int>::reserve",
                           "std::allocator<int>::allocate(unsigned long)",
                           "strdup",
                           "MyTCMallocStats",
                           "tcmalloc_report(int)",
                           "alloc::vec::Vec<T>::push",
                           "<alloc::vec::Vec<T> as core::clone::Clone>::clone",
                           "my_tikv_jemallocator::f",
                           "<my::Counting as core::fmt::Debug>::fmt",
                           "arena_malloc(Page&)",
                           "ialloc(int)",
                           "malloc(Pool&, int)",
                           "valloc(Shop*)",
                           "alloc::alloc::run(int)",
                           "alloc::boxed::Box<T>::new",
                           "je_utils::render",
                           "je_render(Page&)",
                           "jemalloc_stats_to_json",
                           "__libc_malloc_report"})
    EXPECT_EQ(ClassifyAllocatorName(name), AllocatorRole::kNone) << name;
}

TEST(IsAllocatorLibraryTest, UsesTheFileName) {
  EXPECT_TRUE(IsAllocatorLibrary("/usr/lib/x86_64-linux-gnu/libjemalloc.so.2"));
  EXPECT_TRUE(IsAllocatorLibrary("libtcmalloc_minimal.so.4.5.9"));
  EXPECT_TRUE(IsAllocatorLibrary("libjemalloc.2.dylib"));
  EXPECT_TRUE(IsAllocatorLibrary("/opt/acme/libacme_jemalloc.so.1"));
  EXPECT_FALSE(IsAllocatorLibrary("/srv/libacme.so"));
  EXPECT_FALSE(IsAllocatorLibrary("/srv/test-jemalloc"));
  EXPECT_FALSE(IsAllocatorLibrary("/opt/libjemalloc/bin/server"));
  EXPECT_FALSE(IsAllocatorLibrary("/lib/libc.so.6"));
  EXPECT_FALSE(IsAllocatorLibrary(""));
}

TEST(IsAllocatorSignatureTest, KnowsTheProfilersOfAllocators) {
  for (const char* name :
       {"prof_backtrace", "je_prof_backtrace", "_rjem_je_prof_backtrace",
        "DoSampledAllocation", "tcmalloc::ThreadCache::Allocate"})
    EXPECT_TRUE(IsAllocatorSignature(name)) << name;
  for (const char* name :
       {"malloc", "main", "__libc_malloc", "my_prof_backtrace"})
    EXPECT_FALSE(IsAllocatorSignature(name)) << name;
}

TEST(MayBeAllocatorSourceTest, RejectsSourcesOfOtherCode) {
  EXPECT_TRUE(MayBeAllocatorSource(""));
  EXPECT_TRUE(MayBeAllocatorSource("/build/jemalloc-5.3.0/src/prof.c"));
  EXPECT_FALSE(MayBeAllocatorSource("/src/app/server.cc"));
}

TEST(MayBeAllocatorSymbolTest, ExcludesOnlyScopedNamesOfOtherCode) {
  for (const char* symbol :
       {"", "malloc", "_Znwm", "_Z7newImplILb0EEPvm", "_ZL9handleOOMmb",
        "_ZN8tcmalloc11ThreadCache8AllocateEmjPFPvmE",
        "_ZZN8tcmalloc3RunEvENKUlvE_clEv",
        "_ZN4core5alloc6global11GlobalAlloc12alloc_zeroed17h0123456789abcdefE",
        "_RNvCs5EKPI7h6DRH_7___rustc12___rust_alloc"})
    EXPECT_TRUE(MayBeAllocatorSymbol(symbol)) << symbol;
  for (const char* symbol :
       {"_ZN9__gnu_cxx14pool_allocator8allocateEm",
        "_ZSt10_ConstructISsJEEvPT_DpOT0_", "_ZZN3app3RunEvENKUlvE_clEv",
        "_ZN3app3run17h0123456789abcdefE", "_RNvC3app3run"})
    EXPECT_FALSE(MayBeAllocatorSymbol(symbol)) << symbol;
}

}  // namespace
}  // namespace heapprof
