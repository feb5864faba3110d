// SPDX-License-Identifier: Apache-2.0
//
// Reads Google's profile.proto, inflated. Many services, Go programs and pprof
// write this format, and so does heapprof with --proto. Some versions of
// rust-jemalloc-pprof write addresses whose meaning only the ELF file can tell;
// their mappings get AddressSpace::kUnknown.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Reads a profile whose values are already estimates and whose addresses are
// call sites. Variances follow from the object counts and the sampling period,
// which the file states or `options` supplies; without a period there are none.
// Needs at most eight bytes of memory per byte of an ordinary file.
Result<Profile> ReadPprof(std::string_view bytes, const std::string& name,
                          const ParseOptions& options,
                          Diagnostics& diagnostics);

}  // namespace heapprof
