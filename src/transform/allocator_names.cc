// SPDX-License-Identifier: Apache-2.0
#include "transform/allocator_names.h"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_set>

#include "heapprof/base/base_name.h"
#include "heapprof/base/jemalloc_library.h"
#include "heapprof/demangle/names.h"
#include "heapprof/demangle/rust_mangling.h"

namespace heapprof {
namespace {

using NameSet = std::unordered_set<std::string_view>;

const NameSet& EntryNames() {
  static const NameSet names = {
      // C, POSIX and jemalloc's own API. In some builds jemalloc's functions
      // have a prefix: "je_" or, in its Rust bindings, "_rjem_".
      "malloc", "calloc", "realloc", "reallocf", "reallocarray", "free",
      "cfree", "memalign", "posix_memalign", "aligned_alloc", "pvalloc",
      "valloc", "mallocx", "rallocx", "xallocx", "dallocx", "sdallocx",
      "sdallocx_noflags", "smallocx",
      // C++ before it was standardised.
      "__builtin_new", "__builtin_vec_new", "__builtin_delete",
      "__builtin_vec_delete",
      // tcmalloc.
      "tc_malloc", "tc_calloc", "tc_realloc", "tc_free", "tc_cfree",
      "tc_memalign", "tc_posix_memalign", "tc_valloc", "tc_pvalloc", "tc_new",
      "tc_new_nothrow", "tc_newarray", "tc_newarray_nothrow", "tc_delete",
      "tc_deletearray",
      // macOS zones.
      "malloc_zone_malloc", "malloc_zone_calloc", "malloc_zone_valloc",
      "malloc_zone_realloc", "malloc_zone_memalign", "malloc_zone_free",
      // Rust's global allocator.
      "__rust_alloc", "__rust_alloc_zeroed", "__rust_realloc", "__rg_alloc",
      "__rg_alloc_zeroed", "__rg_realloc", "__rdl_alloc", "__rdl_alloc_zeroed",
      "__rdl_realloc"};
  return names;
}

// C functions inside an allocator, between its API and its heap profiler.
const NameSet& InternalNames() {
  static const NameSet names = {
      // jemalloc.
      "malloc_default", "imalloc", "imalloc_body", "imalloc_no_sample",
      "imalloc_fastpath", "ialloc", "ipalloct", "iallocztm", "irealloc",
      "irallocx_prof", "irallocx_prof_sample", "do_rallocx",
      "do_realloc_nonnull_zero", "ixallocx_prof", "ixallocx_prof_sample",
      "prof_alloc_prep", "prof_backtrace", "prof_backtrace_impl",
      "prof_tctx_create", "prof_malloc", "prof_realloc", "malloc_init_hard",
      "malloc_init", "tsd_fetch_slow", "tsd_tcache_data_init", "arena_malloc",
      "large_malloc", "large_palloc", "tcache_alloc_large",
      // tcmalloc and old libstdc++.
      "do_malloc", "do_malloc_or_cpp_alloc", "DoSampledAllocation",
      "__start_google_malloc", "__stop_google_malloc", "__start_malloc_hook",
      "__stop_malloc_hook"};
  return names;
}

// C++ functions that jemalloc's operator new calls or jumps to.
bool IsCalledByOperatorNew(std::string_view bare) {
  constexpr std::array<std::string_view, 4> kNames = {
      "newImpl", "fallbackNewImpl", "fallback_impl", "handleOOM"};
  return std::ranges::find(kNames, bare) != kNames.end();
}

void DropPrefix(std::string_view& name, std::string_view prefix) {
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
}

// Returns the short name, as tables show it, without the return type that
// templates have in their full names.
std::string ShortNameWithoutResult(std::string_view normal) {
  const std::string name = ShortName(normal);
  std::string_view view = name;
  DropPrefix(view, "void* ");
  DropPrefix(view, "::");
  return std::string(view);
}

// True for the full name of a C++ function, which ends in a list of arguments.
// Names of C and Rust functions do not.
bool HasArguments(std::string_view normal) {
  const size_t end = normal.find_last_not_of("&");
  return normal.substr(0, end + 1).ends_with(')') || normal.ends_with(" const");
}

// True for a name that is possible in C.
bool IsPlain(std::string_view normal) {
  return normal.find_first_of(":(<") == normal.npos;
}

AllocatorRole ClassifyRust(std::string_view normal) {
  constexpr std::string_view kAllocatorTrait =
      " as core::alloc::global::GlobalAlloc>::";
  // All implementations of the trait are entries, and so are the methods of the
  // trait itself. An implementation may be in the program: it counts or limits
  // memory and then calls another allocator.
  if (normal.contains(kAllocatorTrait) ||
      normal.starts_with("core::alloc::global::GlobalAlloc::"))
    return AllocatorRole::kEntry;
  DropPrefix(normal, "<");
  // Glue between collections and the global allocator.
  constexpr std::array<std::string_view, 8> kScopes = {
      "alloc::alloc::",
      "hashbrown::alloc::inner::",
      "hashbrown::raw::alloc::inner::",
      "tikv_jemallocator::",
      "jemallocator::",
      "std::alloc::System as ",
      "std::sys::alloc::",
      "std::sys_common::alloc::"};
  const bool is_glue =
      normal == "alloc::boxed::box_new_uninit" ||
      std::ranges::any_of(kScopes, [normal](std::string_view scope) {
        return normal.starts_with(scope);
      });
  return is_glue ? AllocatorRole::kGlue : AllocatorRole::kNone;
}

// Removes the prefixes that builds of jemalloc add, as in
// "_rjem_je_prof_backtrace" and "je_malloc_default". "__libc_malloc" does not
// become "malloc": glibc's own function stays an ordinary frame.
std::string_view WithoutBuildPrefix(std::string_view name) {
  DropPrefix(name, "_rjem_");
  DropPrefix(name, "je_");
  DropPrefix(name, "_");
  return name;
}

AllocatorRole ClassifyC(std::string_view name) {
  if (EntryNames().contains(name)) return AllocatorRole::kEntry;
  if (InternalNames().contains(name) || IsCalledByOperatorNew(name))
    return AllocatorRole::kInternal;
  const std::string_view bare = WithoutBuildPrefix(name);
  if (bare.size() == name.size()) return AllocatorRole::kNone;
  if (EntryNames().contains(bare)) return AllocatorRole::kEntry;
  return name.starts_with("je_") || name.starts_with("_rjem_") ||
                 InternalNames().contains(bare)
             ? AllocatorRole::kInternal
             : AllocatorRole::kNone;
}

AllocatorRole ClassifyPlain(std::string_view name) {
  if (name == "operator new" || name == "operator new[]")
    return AllocatorRole::kEntry;
  // Rust's, for which no scope is recorded.
  if (name == "exchange_malloc") return AllocatorRole::kGlue;
  return ClassifyC(name);
}

}  // namespace

bool MayBeAllocatorSymbol(std::string_view mangled) {
  const bool is_scoped = mangled.starts_with("_ZN") || IsRustV0(mangled) ||
                         mangled.starts_with("_ZSt") ||
                         mangled.starts_with("_ZZ");
  if (!is_scoped) return true;
  return mangled.contains("lloc") &&
         (MayBeRust(mangled) || mangled.contains("tcmalloc"));
}

AllocatorRole ClassifyAllocatorName(std::string_view name) {
  // Remove versions and clone suffixes first: "malloc@@GLIBC_2.2.5",
  // "malloc.cold".
  const std::string normal = NormalizeName(name);
  std::string_view view = normal;
  if (view.ends_with("@plt")) view.remove_suffix(4);
  DropPrefix(view, "::");
  DropPrefix(view, "__rustc::");
  if (IsPlain(view)) return ClassifyPlain(view);
  if (!HasArguments(view)) return ClassifyRust(view);
  if (view.starts_with("operator new(") || view.starts_with("operator new[]("))
    return AllocatorRole::kEntry;
  const std::string bare = ShortNameWithoutResult(view);
  return bare.starts_with("tcmalloc::") || IsCalledByOperatorNew(bare)
             ? AllocatorRole::kInternal
             : AllocatorRole::kNone;
}

bool IsAllocatorSignature(std::string_view name) {
  static const NameSet names = {"prof_alloc_prep", "prof_backtrace",
                                "prof_backtrace_impl", "prof_tctx_create",
                                "DoSampledAllocation"};
  const std::string normal = NormalizeName(name);
  if (normal.starts_with("tcmalloc::")) return true;
  return IsPlain(normal) && names.contains(WithoutBuildPrefix(normal));
}

bool MayBeAllocatorSource(std::string_view path) {
  return path.empty() || path.contains("jemalloc") ||
         path.contains("tcmalloc") || path.contains("gperftools");
}

bool IsAllocatorLibrary(std::string_view path) {
  return IsJemallocLibrary(path) || BaseName(path).starts_with("libtcmalloc");
}

}  // namespace heapprof
