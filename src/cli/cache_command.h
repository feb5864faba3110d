// SPDX-License-Identifier: Apache-2.0
//
// The cache of indexes, in which later runs find what earlier runs read from
// the binaries, and the command `heapprof cache`.
#pragma once

#include <optional>
#include <string>

#include "cli/args/options.h"
#include "heapprof/base/error.h"
#include "heapprof/index/index_cache.h"

namespace heapprof {

// Returns the cache of indexes; nothing with --no-cache, or if neither an
// option nor the environment says where the cache is.
std::optional<IndexCache> CacheOf(const Options& options);

// Runs `heapprof cache` and returns its output.
Result<std::string> RunCacheAction(const Options& options);

}  // namespace heapprof
