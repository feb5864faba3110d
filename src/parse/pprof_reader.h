// SPDX-License-Identifier: Apache-2.0
//
// Reads profiles in Google's format profile.proto. The bytes must have been
// inflated before. Many services, Go programs and pprof write this format, and
// so does heapprof with --proto. Some versions of rust-jemalloc-pprof write
// addresses that can be interpreted only with the ELF file. The mappings of
// such addresses get AddressSpace::kUnknown.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/parse_options.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Reads a profile. Its values are already estimates, and its addresses are
// inside the call instructions. Computes variances from the object counts and
// the sampling period. If the file does not state the period, uses that of
// `options`; without a period, there are no variances. Needs at most eight
// bytes of memory per byte of an ordinary file.
Result<Profile> ReadPprof(std::string_view bytes, const std::string& name,
                          const ParseOptions& options,
                          Diagnostics& diagnostics);

}  // namespace heapprof
