// SPDX-License-Identifier: Apache-2.0
#include "heapprof/transform/allocator_frames.h"

#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "heapprof/demangle/names.h"
#include "heapprof/profile/profile_builder.h"
#include "transform/location_parts.h"

namespace heapprof {
namespace {

using NameSet = std::unordered_set<std::string_view>;

const NameSet& EntryNames() {
  static const NameSet names = {
      // C, POSIX and jemalloc's own API. jemalloc's carry a prefix in some
      // builds: "je_" or, in Rust's bindings, "_rjem_".
      "malloc", "calloc", "realloc", "reallocf", "reallocarray", "free",
      "cfree", "memalign", "posix_memalign", "aligned_alloc", "pvalloc",
      "valloc", "mallocx", "rallocx", "xallocx", "dallocx", "sdallocx",
      "sdallocx_noflags", "smallocx",
      // C++.
      "operator new", "operator new[]", "__builtin_new", "__builtin_vec_new",
      "__builtin_delete", "__builtin_vec_delete",
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

const NameSet& InternalNames() {
  static const NameSet names = {
      // jemalloc functions that appear between the entry and the profiler.
      "newImpl", "fallbackNewImpl", "handleOOM", "fallback_impl",
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
      "simple_alloc::allocate", "__malloc_alloc_template::allocate",
      "__start_google_malloc", "__stop_google_malloc", "__start_malloc_hook",
      "__stop_malloc_hook",
      // Rust's glue between collections and the global allocator.
      "exchange_malloc", "alloc::alloc::exchange_malloc", "alloc::alloc::alloc",
      "alloc::alloc::alloc_zeroed", "alloc::alloc::realloc",
      "alloc::alloc::Global::alloc_impl",
      "alloc::alloc::Global::alloc_impl_runtime",
      "alloc::alloc::Global::grow_impl",
      "alloc::alloc::Global::grow_impl_runtime"};
  return names;
}

// Rust implements allocators as traits: "<tikv_jemallocator::Jemalloc as
// core::alloc::global::GlobalAlloc>::alloc".
bool IsRustAllocator(std::string_view name) {
  if (name.starts_with('<')) name.remove_prefix(1);
  for (std::string_view type :
       {"tikv_jemallocator::", "jemallocator::", "alloc::alloc::Global as ",
        "std::alloc::System as ", "std::sys::alloc::"})
    if (name.starts_with(type)) return true;
  // A program's own, which counts or limits and calls one of the above.
  return name.contains(" as core::alloc::global::GlobalAlloc>::");
}

void DropPrefix(std::string_view& name, std::string_view prefix) {
  if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
}

// Runtime libraries call the allocator from inside the allocator: the loader
// for thread-local storage, the C library for a thread's first stack.
bool IsRuntimeLibrary(std::string_view path) {
  const std::string_view base = path.substr(path.rfind('/') + 1);
  for (std::string_view name :
       {"libc.so", "libc-", "ld-linux", "ld-2", "ld-musl", "libpthread",
        "libstdc++.so", "libgcc_s", "libdl"})
    if (base.starts_with(name)) return true;
  return false;
}

// Classifies once per function and mapping; then finds where to cut a stack.
class Trimmer {
 public:
  explicit Trimmer(const Profile& profile) : profile_(profile) {
    for (const Function& f : profile.functions) roles_.push_back(RoleOf(f));
    for (const Mapping& m : profile.mappings) {
      const std::string_view path = profile.String(m.filename);
      allocator_library_.push_back(IsAllocatorLibrary(path));
      runtime_library_.push_back(IsRuntimeLibrary(path));
    }
  }

  // A position in a stack: frame index, and line within its location.
  struct Cut {
    size_t frame = 0;
    uint32_t line = 0;
  };

  // The first frame to keep.
  Cut Find(std::span<const LocationId> stack) const {
    Cut cut = FirstEntry(stack);
    cut = SkipContiguous(stack, cut);
    while (const auto outer = OuterEntry(stack, cut))
      cut = SkipContiguous(stack, *outer);
    return cut;
  }

 private:
  const Location& At(LocationId id) const {
    return profile_.locations[id.index()];
  }
  // Most functions are in a namespace or a class; those of allocators have
  // "alloc" in their names then, and the others need not be taken apart.
  AllocatorRole RoleOf(const Function& function) const {
    const std::string_view mangled = profile_.String(function.system_name);
    const bool nested = mangled.starts_with("_ZN") || mangled.starts_with("_R");
    return nested && mangled.find("lloc") == mangled.npos
               ? AllocatorRole::kNone
               : ClassifyAllocatorName(profile_.String(function.name));
  }
  AllocatorRole RoleOf(const Location& location, uint32_t line) const {
    const Line& l = profile_.lines[location.lines.first + line];
    const AllocatorRole role = roles_[l.function.index()];
    const bool in_library = allocator_library_[location.mapping.index()];
    return role == AllocatorRole::kNone && in_library ? AllocatorRole::kInternal
                                                      : role;
  }
  static Cut Behind(const Location& location, size_t frame, uint32_t line) {
    return line + 1 < location.lines.count ? Cut{frame, line + 1}
                                           : Cut{frame + 1, 0};
  }

  // Behind the entry nearest the leaf, which in a library without symbols is
  // where the library is left; the leaf itself if there is none.
  Cut FirstEntry(std::span<const LocationId> stack) const {
    bool in_library = false;
    for (size_t i = 0; i < stack.size(); ++i) {
      const Location& location = At(stack[i]);
      const bool was_in_library = std::exchange(
          in_library, allocator_library_[location.mapping.index()]);
      if (was_in_library && !in_library) return {i, 0};
      for (uint32_t j = 0; j < location.lines.count; ++j)
        if (RoleOf(location, j) == AllocatorRole::kEntry)
          return Behind(location, i, j);
    }
    return {};
  }

  Cut SkipContiguous(std::span<const LocationId> stack, Cut cut) const {
    while (cut.frame < stack.size()) {
      const Location& location = At(stack[cut.frame]);
      if (location.lines.count == 0 ||
          RoleOf(location, cut.line) == AllocatorRole::kNone)
        break;
      cut = Behind(location, cut.frame, cut.line);
    }
    return cut;
  }

  // Behind the next allocator frame rootward, if only runtime libraries'
  // frames lie between.
  std::optional<Cut> OuterEntry(std::span<const LocationId> stack,
                                Cut cut) const {
    if (cut.frame == 0 && cut.line == 0) return std::nullopt;
    for (size_t i = cut.frame; i < stack.size(); ++i) {
      const Location& location = At(stack[i]);
      for (uint32_t j = i == cut.frame ? cut.line : 0; j < location.lines.count;
           ++j)
        if (RoleOf(location, j) != AllocatorRole::kNone)
          return Behind(location, i, j);
      if (!runtime_library_[location.mapping.index()]) return std::nullopt;
    }
    return std::nullopt;
  }

  const Profile& profile_;
  std::vector<AllocatorRole> roles_;     // by function
  std::vector<bool> allocator_library_;  // by mapping
  std::vector<bool> runtime_library_;    // by mapping
};

// Rebuilds the stacks of a profile from the root-side rest of each.
class StackRebuilder {
 public:
  explicit StackRebuilder(ProfileBuilder& builder)
      : builder_(builder),
        parts_(builder),
        old_frames_(std::move(builder.profile().frames)),
        old_stacks_(std::move(builder.profile().stacks)),
        no_stack_(AddSyntheticLocation("[no stack]", builder)),
        allocator_only_(AddSyntheticLocation("[allocator only]", builder)) {}

  void Rebuild(const Trimmer* trimmer) {
    Profile& profile = builder_.profile();
    profile.frames.clear();
    profile.frames.reserve(old_frames_.size());
    std::vector<Run> stacks{Run{}};
    stacks.reserve(old_stacks_.size());
    for (size_t i = 1; i < old_stacks_.size(); ++i) {
      const auto first = static_cast<uint32_t>(profile.frames.size());
      Append(std::span(old_frames_)
                 .subspan(old_stacks_[i].first, old_stacks_[i].count),
             trimmer);
      stacks.push_back(
          {first, static_cast<uint32_t>(profile.frames.size()) - first});
    }
    profile.stacks = std::move(stacks);
  }

 private:
  void Append(std::span<const LocationId> stack, const Trimmer* trimmer) {
    auto& frames = builder_.profile().frames;
    if (stack.empty()) {
      frames.push_back(no_stack_);
      return;
    }
    const Trimmer::Cut cut =
        trimmer != nullptr ? trimmer->Find(stack) : Trimmer::Cut{};
    if (cut.frame == stack.size()) {
      frames.push_back(allocator_only_);
      return;
    }
    frames.push_back(cut.line == 0 ? stack[cut.frame]
                                   : OuterPart(stack[cut.frame], cut.line));
    const auto rest = stack.subspan(cut.frame + 1);
    frames.insert(frames.end(), rest.begin(), rest.end());
  }

  // A location without its innermost `lines` inlined calls.
  LocationId OuterPart(LocationId id, uint32_t lines) {
    const Run all = builder_.profile().locations[id.index()].lines;
    return parts_.LocationOf({id, {all.first + lines, all.count - lines}});
  }

  ProfileBuilder& builder_;
  LocationParts parts_;
  std::vector<LocationId> old_frames_;
  std::vector<Run> old_stacks_;
  LocationId no_stack_;
  LocationId allocator_only_;
};

void Rebuild(Profile& profile, bool trim) {
  ProfileBuilder builder(std::move(profile));
  const Trimmer trimmer(builder.profile());
  StackRebuilder(builder).Rebuild(trim ? &trimmer : nullptr);
  profile = std::move(builder).Finish();
}

}  // namespace

AllocatorRole ClassifyAllocatorName(std::string_view name) {
  // Versions and clone suffixes first: "malloc@@GLIBC_2.2.5", "malloc.cold".
  const std::string normal = NormalizeName(name);
  std::string bare = ShortName(normal);
  std::string_view view = bare;
  DropPrefix(view, "void* ");  // a template's return type: jemalloc's newImpl
  if (IsRustAllocator(normal)) return AllocatorRole::kInternal;
  if (view.starts_with("tcmalloc::")) return AllocatorRole::kInternal;
  DropPrefix(view, "__rustc::");
  DropPrefix(view, "::");
  if (EntryNames().contains(view)) return AllocatorRole::kEntry;
  if (InternalNames().contains(view)) return AllocatorRole::kInternal;
  // Prefixed builds: "_rjem_je_prof_backtrace", "je_malloc_default",
  // "__libc_malloc" is glibc's and stays an ordinary frame.
  const size_t before = view.size();
  DropPrefix(view, "_rjem_");
  DropPrefix(view, "je_");
  DropPrefix(view, "_");
  if (view.size() == before) return AllocatorRole::kNone;
  if (EntryNames().contains(view)) return AllocatorRole::kEntry;
  // C functions: "je_tools::render" and "je_render(Page&)" are others'.
  const bool jemalloc_prefix =
      (bare.starts_with("je_") || bare.starts_with("_rjem_")) &&
      normal.find_first_of(":(") == normal.npos;
  return jemalloc_prefix || InternalNames().contains(view)
             ? AllocatorRole::kInternal
             : AllocatorRole::kNone;
}

bool IsAllocatorLibrary(std::string_view path) {
  const std::string_view base = path.substr(path.rfind('/') + 1);
  return base.starts_with("libjemalloc") || base.starts_with("libtcmalloc");
}

void TrimAllocatorFrames(Profile& profile) { Rebuild(profile, /*trim=*/true); }

void LabelEmptyStacks(Profile& profile) { Rebuild(profile, /*trim=*/false); }

}  // namespace heapprof
