// SPDX-License-Identifier: Apache-2.0
#include "transform/known_functions.h"

#include <algorithm>
#include <span>
#include <string>
#include <unordered_set>

#include "heapprof/base/base_name.h"
#include "heapprof/base/lower_case.h"
#include "heapprof/base/split.h"
#include "heapprof/base/unqualified_name.h"
#include "transform/begins_with_any.h"

namespace heapprof {
namespace {

using NameSet = std::unordered_set<std::string_view>;

// Wrappers are functions that allocate memory only to return it to their
// callers: xmalloc, CRYPTO_zalloc, g_malloc0, sqlite3_realloc64,
// node::UncheckedMalloc. The last component of most wrappers' names, in lower
// case and without "_", ends in one of these words, or in one of them followed
// by one of kWrapperSuffixes.
constexpr std::string_view kWrapperEndings[] = {
    "malloc",  "calloc", "realloc", "zalloc",   "strdup",
    "strndup", "memdup", "palloc",  "memalign",
};
// What may follow such an ending, such as the "0" in g_malloc0.
constexpr std::string_view kWrapperSuffixes[] = {
    "0",     "2",       "64",   "n",        "0n",     "raw", "rawnn",
    "array", "aligned", "zero", "extended", "usable", "num", "notcache"};

const NameSet& IrregularWrappers() {
  static const NameSet names = {
      // glib, and programs that imitate it.
      "g_slice_alloc", "g_slice_alloc0", "g_slice_copy", "g_strconcat",
      // GNU obstacks.
      "_obstack_begin", "_obstack_begin_1", "_obstack_newchunk",
      // CPython.
      "pymalloc_alloc", "pymalloc_realloc", "allocate_from_new_pool",
      "new_arena", "arena_map_get", "arena_map_mark_used", "gc_alloc",
      "_PyObject_GC_Alloc", "_PyObject_GC_New", "_PyObject_GC_NewVar",
      "_PyObject_GC_Resize", "_PyObject_GC_Link", "_PyObject_New",
      "_PyObject_NewVar", "_PyObject_ArenaMmap", "_PyObject_ArenaMalloc",
      "_PyMem_ArenaAlloc", "_PyMem_DebugRawAlloc", "_PyType_AllocNoTrack",
      "PyType_GenericAlloc", "PyUnicode_New", "resize_compact",
      "_PyUnicodeWriter_Finish", "_PyUnicodeWriter_PrepareInternal",
      "_PyBytes_FromSize", "PyBytes_FromStringAndSize",
      // SQLite.
      "mallocWithAlarm", "dbMallocRawFinish", "sqlite3MallocZero",
      // The strings of Redis and Valkey.
      "sdsnewlen", "_sdsnewlen", "sdstrynewlen", "sdsnew", "sdsempty", "sdsdup",
      "sdscatlen", "sdsMakeRoomFor", "_sdsMakeRoomFor",
      "sdsMakeRoomForNonGreedy", "sdsResize", "createRawStringObject",
      "createEmbeddedStringObject", "createStringObject",
      // PostgreSQL.
      "MemoryContextAlloc", "MemoryContextAllocZero",
      "MemoryContextAllocZeroAligned", "MemoryContextAllocExtended",
      "MemoryContextAllocHuge", "AllocSetAlloc", "AllocSetAllocLarge",
      "AllocSetAllocFromNewBlock", "GenerationAlloc", "SlabAlloc",
      // BIND.
      "isc__mem_get", "isc__mem_allocate", "isc__mem_reget",
      "isc__mem_reallocate",
      // MySQL, nginx, Ruby, PHP, Perl, Lua.
      "alloc_root", "multi_alloc_root", "my_multi_malloc", "ngx_alloc",
      "ngx_palloc_small", "ngx_palloc_large", "ngx_palloc_block", "ngx_pnalloc",
      "objspace_xmalloc0", "zend_mm_alloc_huge", "zend_mm_alloc_large",
      "zend_mm_chunk_alloc", "Perl_safesysmalloc", "luaM_realloc_",
      "luaM_malloc_", "l_alloc",
      // V8, HotSpot, LLVM, Mozilla, ClickHouse.
      "v8::internal::AlignedAllocWithRetry",
      "v8::internal::AllocAtLeastWithRetry", "v8::internal::AllocWithRetry",
      "os::malloc", "AllocateHeap", "ReallocateHeap", "Arena::grow",
      "ResourceObj::operator new", "llvm::allocate_buffer",
      "llvm::SmallVectorBase::grow_pod", "llvm::SmallVectorBase::mallocForGrow",
      "llvm::BumpPtrAllocatorImpl::Allocate",
      "llvm::BumpPtrAllocatorImpl::AllocateSlow",
      "llvm::BumpPtrAllocatorImpl::StartNewSlab",
      "llvm::MallocAllocator::Allocate", "Allocator::alloc",
      "Allocator::allocNoTrack", "DB::PODArrayBase::alloc",
      // Qt.
      "QArrayData::allocate", "QArrayData::allocate1", "QArrayData::allocate2",
      "QArrayData::reallocateUnaligned"};
  return names;
}

// How the names of scopes end, in lower case and without "_", that may be those
// of allocators: Arena, SlabPool.
constexpr std::string_view kScopeEndings[] = {
    "arena", "arenas", "pool",    "pools",    "allocator", "slab",
    "slabs", "buffer", "buffers", "freelist", "alloc"};

// Namespaces and classes whose functions all belong to the standard library or
// to third-party libraries.
constexpr std::string_view kStandardScopes[] = {"std", "__gnu_cxx",
                                                "__cxxabiv1", "__gnu_debug"};
constexpr std::string_view kThirdPartyScopes[] = {
    "boost", "absl",   "fmt",       "folly",  "google::protobuf",
    "grpc",  "Eigen",  "grpc_core", "tbb",    "nlohmann",
    "asio",  "spdlog", "rapidjson", "testing"};

// Beginnings of names of C functions that belong to the C library or to
// third-party libraries.
constexpr std::string_view kRuntimePrefixes[] = {
    "_IO_",   "__GI_",       "__libc_",      "_dl_",
    "_nl_",   "__internal_", "__new_exitfn", "__gconv",
    "__nss_", "__vasprintf", "__tls_",       "__rust_"};
constexpr std::string_view kOpenSslPrefixes[] = {
    "ASN1_", "BIO_", "BN_",      "BUF_",     "CONF_",   "CRYPTO_",
    "DH_",   "DSA_", "ECDSA_",   "EC_",      "ENGINE_", "ERR_",
    "EVP_",  "OBJ_", "OPENSSL_", "OSSL_",    "PEM_",    "PKCS",
    "RAND_", "RSA_", "SSL_",     "X509",     "asn1_",   "bn_",
    "c2i_",  "d2i_", "der2key_", "decoder_", "rsa_",    "ecx_",
    "ec_",   "evp_", "i2d_",     "ossl_",    "spki2",   "x509"};
constexpr std::string_view kThirdPartyPrefixes[] = {
    // Compression, storage, transport, scripting.
    "ZSTD_", "LZ4_",     "Brotli", "sqlite3", "nghttp2_", "ares_",
    "curl_", "Curl_",    "uv_",    "uv__",    "lua_",     "luaC_",
    "luaD_", "luaH_",    "luaL_",  "luaM_",   "luaS_",    "luaV_",
    "lj_",   "xmlParse", "png_",   "jpeg_",   "FT_",      "Builtins_"};

// Beginnings of the names of functions with which interpreters run a program
// and call others.
constexpr std::string_view kInterpreterPrefixes[] = {
    // CPython.
    "Py_BytesMain", "Py_Main", "Py_RunMain", "pymain_", "PyRun_", "_PyRun_",
    "pyrun_", "run_eval_code_obj", "PyEval_", "_PyEval_", "PyObject_Call",
    "_PyObject_Call", "_PyObject_FastCall", "_PyObject_MakeTpCall",
    "PyObject_Vectorcall", "_PyObject_Vectorcall", "_PyFunction_Vectorcall",
    "PyVectorcall_Call", "_PyVectorcall_Call", "cfunction_vectorcall",
    "cfunction_call", "method_vectorcall", "object_vacall", "do_call_core",
    "slot_tp_",
    // V8.
    "Builtins_",
    // Lua and LuaJIT.
    "lua_callk", "lua_pcall", "luaD_call", "luaD_pcall", "luaD_rawrunprotected",
    "luaV_execute", "lj_BC_", "lj_ff_", "lj_vm_",
    // Ruby.
    "ruby_run_node", "ruby_exec_node", "rb_ec_exec_node", "rb_vm_exec",
    "vm_exec", "vm_call_", "vm_sendish", "vm_yield_", "invoke_block_",
    "rb_vm_call", "rb_call0", "rb_funcall", "rb_yield", "rb_ensure",
    "rb_protect",
    // PHP.
    "php_execute_script", "zend_execute", "execute_ex", "zend_call_function",
    // Perl.
    "perl_run", "S_run_body", "Perl_runops_", "Perl_call_sv"};

bool IsInAnyScope(std::string_view name,
                  std::span<const std::string_view> scopes) {
  return std::ranges::any_of(scopes, [name](std::string_view scope) {
    return IsInScope(name, scope);
  });
}

bool IsOfOpenSsl(std::string_view file) {
  constexpr std::string_view kFolders[] = {"crypto", "ssl", "providers",
                                           "openssl"};
  return std::ranges::any_of(
      Split(FolderOf(file), '/'), [&](std::string_view folder) {
        return std::ranges::find(kFolders, folder) != std::end(kFolders);
      });
}

bool EndsLikeWrapper(std::string_view bare) {
  return std::ranges::any_of(kWrapperEndings, [bare](std::string_view ending) {
    return bare.ends_with(ending);
  });
}

}  // namespace

std::string WithoutUnderscores(std::string_view component) {
  std::string bare;
  for (const char c : component)
    if (c != '_') bare += LowerCase(c);
  return bare;
}

bool IsAllocationWrapper(std::string_view short_name) {
  if (short_name.ends_with("::operator new") ||
      short_name.ends_with("::operator new[]"))
    return true;
  if (IrregularWrappers().contains(short_name)) return true;
  // Rejects most names quickly.
  if (!short_name.contains("lloc") && !short_name.contains("dup")) return false;
  const size_t colons = short_name.rfind("::");
  const std::string bare = WithoutUnderscores(UnqualifiedName(short_name));
  const std::string_view view = bare;
  // Array_allocator::allocate_zeroed.
  if (colons != short_name.npos && view.starts_with("alloc") &&
      WithoutUnderscores(short_name.substr(0, colons)).ends_with("allocator"))
    return true;
  return EndsLikeWrapper(view) ||
         std::ranges::any_of(kWrapperSuffixes, [view](std::string_view suffix) {
           return view.ends_with(suffix) &&
                  EndsLikeWrapper(view.substr(0, view.size() - suffix.size()));
         });
}

bool SoundsLikeAllocator(std::string_view short_name) {
  std::string bare;
  for (size_t start = 0; start < short_name.size();) {
    const size_t end =
        std::min(short_name.find("::", start), short_name.size());
    bare = WithoutUnderscores(short_name.substr(start, end - start));
    start = end + 2;
    if (start >= short_name.size()) break;  // the function's own name
    if (std::ranges::any_of(kScopeEndings, [&bare](std::string_view ending) {
          return bare.ends_with(ending);
        }))
      return true;
  }
  return bare.contains("alloc") || bare.contains("aligned");
}

bool IsStandardLibraryName(std::string_view short_name) {
  static const NameSet start_code = {"_start",
                                     "_init",
                                     "call_init",
                                     "start_thread",
                                     "__clone",
                                     "__clone3",
                                     "allocate_dtv",
                                     "allocate_stack",
                                     "__run_exit_handlers",
                                     "execute_native_thread_routine"};
  return IsInAnyScope(short_name, kStandardScopes) ||
         BeginsWithAny(short_name, kRuntimePrefixes) ||
         start_code.contains(short_name);
}

bool IsThirdPartyName(std::string_view short_name, std::string_view file) {
  if (short_name.contains("::"))
    return IsInAnyScope(short_name, kThirdPartyScopes) ||
           short_name.starts_with("icu_");
  if (BeginsWithAny(short_name, kThirdPartyPrefixes)) return true;
  // Other programs have an ERR_print() or a decoder_init() of their own, too.
  return BeginsWithAny(short_name, kOpenSslPrefixes) &&
         (file.empty() || IsOfOpenSsl(file));
}

bool IsInterpreterCall(std::string_view short_name) {
  // CPython runs a script with run_mod(). Any program may have a run_model().
  return short_name == "run_mod" ||
         BeginsWithAny(short_name, kInterpreterPrefixes);
}

}  // namespace heapprof
