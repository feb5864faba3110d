// SPDX-License-Identifier: Apache-2.0
#include "heapprof/profile/runtime_library.h"

#include <algorithm>

#include "heapprof/base/base_name.h"
#include "heapprof/base/recorder_library.h"

namespace heapprof {
namespace {

constexpr std::string_view kRuntimeLibraries[] = {
    "libc.so",  "libc-",  "libc.musl",  "ld-linux",  "ld-2",
    "ld-musl",  "ld64",   "libpthread", "libstdc++", "libc++",
    "libgcc_s", "libdl.", "libdl-",     "libm.so",   "libm-",
    "librt.",   "librt-", "libresolv",  "libnss_",   "libutil."};

}  // namespace

bool IsRuntimeLibrary(std::string_view path) {
  const std::string_view name = BaseName(path);
  return IsRecorderLibrary(path) ||
         std::ranges::any_of(kRuntimeLibraries, [name](std::string_view start) {
           return name.starts_with(start);
         });
}

std::vector<bool> RuntimeMappings(const Profile& profile) {
  std::vector<bool> are_runtime;
  for (const Mapping& mapping : profile.mappings)
    are_runtime.push_back(IsRuntimeLibrary(profile.String(mapping.filename)));
  return are_runtime;
}

}  // namespace heapprof
