// SPDX-License-Identifier: Apache-2.0
#include "transform/known_functions.h"

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(IsAllocationWrapperTest, RecognisesTheEndingsOfNames) {
  for (const char* name :
       {"xmalloc", "CRYPTO_zalloc", "g_malloc0", "sqlite3_realloc64",
        "node::UncheckedMalloc", "PyObject_Malloc", "g_strdup",
        "llvm::User::operator new", "A::operator new[]"})
    EXPECT_TRUE(IsAllocationWrapper(name)) << name;
}

TEST(IsAllocationWrapperTest, RecognisesWhatAllocatorsAllocate) {
  for (const char* name :
       {"MallocArrayAllocator::allocate", "ns::Array_allocator::alloc_zeroed"})
    EXPECT_TRUE(IsAllocationWrapper(name)) << name;
  for (const char* name : {"Allocator::reset", "ns::Session::allocate"})
    EXPECT_FALSE(IsAllocationWrapper(name)) << name;
}

TEST(IsAllocationWrapperTest, RecognisesIrregularNames) {
  for (const char* name :
       {"pymalloc_alloc", "MemoryContextAlloc", "isc__mem_get",
        "ngx_palloc_small", "QArrayData::allocate", "_sdsnewlen",
        "resize_compact"})
    EXPECT_TRUE(IsAllocationWrapper(name)) << name;
}

TEST(IsAllocationWrapperTest, LeavesOtherFunctions) {
  for (const char* name : {"", "main", "Allocate", "app::dup_rows",
                           "malloc_stats_print", "ns::Pool::Reserve"})
    EXPECT_FALSE(IsAllocationWrapper(name)) << name;
}

TEST(IsStandardLibraryNameTest, GoesByScopeAndPrefix) {
  for (const char* name :
       {"std::vector::push_back", "_start", "_IO_file_doallocate",
        "__gnu_cxx::f", "execute_native_thread_routine", "__rust_try"})
    EXPECT_TRUE(IsStandardLibraryName(name)) << name;
  for (const char* name : {"stdx::f", "std", "app::std::f", "start", "main"})
    EXPECT_FALSE(IsStandardLibraryName(name)) << name;
}

TEST(IsThirdPartyNameTest, GoesByScopeAndPrefix) {
  for (const char* name : {"boost::f", "absl::lts::f", "CRYPTO_new", "ZSTD_f",
                           "Builtins_JSEntry", "luaM_malloc_", "lj_tab_new"})
    EXPECT_TRUE(IsThirdPartyName(name)) << name;
  for (const char* name :
       {"main", "app::boost::f", "app::ZSTD_f", "boosted::f"})
    EXPECT_FALSE(IsThirdPartyName(name)) << name;
}

TEST(IsInterpreterCallTest, GoesByPrefix) {
  for (const char* name :
       {"_PyEval_EvalFrameDefault", "pymain_run_python", "run_mod",
        "PyObject_CallOneArg", "_PyObject_MakeTpCall", "slot_tp_init",
        "Builtins_JSEntry", "lua_pcallk", "luaV_execute", "lj_BC_FUNCC",
        "rb_vm_exec", "rb_yield_values", "zend_execute_scripts", "execute_ex",
        "Perl_runops_standard"})
    EXPECT_TRUE(IsInterpreterCall(name)) << name;
  for (const char* name :
       {"PyObject_GetAttr", "call", "type_call", "v8::internal::Execution",
        "run_model", "lua_newtable", "lj_tab_new", "rb_ary_push",
        "zend_hash_add"})
    EXPECT_FALSE(IsInterpreterCall(name)) << name;
}

}  // namespace
}  // namespace heapprof
