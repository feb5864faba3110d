// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "heapprof/base/base_name.h"

namespace heapprof {

// True for the file name of a jemalloc, whatever those who built it have added:
// "libjemalloc.so.2", "libjemalloc_prof.so", "libacme_jemalloc.so.1".
inline bool IsJemallocLibrary(std::string_view path) {
  const std::string_view name = BaseName(path);
  const std::string_view stem = name.substr(0, name.find('.'));
  return stem.starts_with("libjemalloc") ||
         (stem.starts_with("lib") && stem.ends_with("jemalloc"));
}

}  // namespace heapprof
