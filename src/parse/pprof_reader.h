// SPDX-License-Identifier: Apache-2.0
//
// Reads google's profile.proto, inflated: what services and Go programs hand
// out, what pprof and --proto write. Of profiles that several versions of
// rust-jemalloc-pprof have written, only the ELF file can tell what the
// addresses are; they keep AddressSpace::kUnknown here.
#pragma once

#include <string>
#include <string_view>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/error.h"
#include "heapprof/parse/parse_profile.h"
#include "heapprof/profile/profile.h"

namespace heapprof {

// Values are estimates already, addresses are call sites. Their variance
// follows from the period, which the file states or `options` supplies, and
// the object counts; without a period there is none. Takes at most eight bytes
// of memory per byte of an ordinary file.
Result<Profile> ReadPprof(std::string_view bytes, const std::string& name,
                          const ParseOptions& options,
                          Diagnostics& diagnostics);

}  // namespace heapprof
