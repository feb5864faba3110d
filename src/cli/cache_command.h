// SPDX-License-Identifier: Apache-2.0
//
// The directory in which the indexes of binaries are kept between runs.
#pragma once

#include <optional>
#include <string>

#include "cli/args/options.h"
#include "heapprof/base/error.h"
#include "heapprof/index/index_cache.h"

namespace heapprof {

// Nothing with --no-cache, or if there is no place for it.
std::optional<IndexCache> CacheOf(const Options& options);

// Does what `heapprof cache` is asked for, and says what it did.
Result<std::string> RunCacheAction(const Options& options);

}  // namespace heapprof
