// SPDX-License-Identifier: Apache-2.0
//
// Writes pprof profiles as their readers expect them.
#pragma once

#include <string_view>

#include "cli/args/options.h"
#include "heapprof/base/byte_sink.h"
#include "heapprof/base/error.h"
#include "heapprof/profile/profile.h"
#include "heapprof/report/pprof.h"

namespace heapprof {

// Writes the profile, compressed with gzip unless `path` ends with ".pb".
Result<void> WritePprofFile(const Profile& profile, const PprofOptions& pprof,
                            std::string_view path, const Options& options,
                            ByteSink& out);

}  // namespace heapprof
