// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "heapprof/base/byte_sink.h"
#include "heapprof/base/error.h"

namespace heapprof {

// Calls `write`, and compresses what it writes with gzip into `out`. Uses a
// second thread if `may_start_thread`.
Result<void> WriteGzipped(ByteSink& out, bool may_start_thread,
                          const std::function<Result<void>(ByteSink&)>& write);

// True if a file of this name is compressed, as in "rows.ndjson.gz".
bool IsGzipName(std::string_view path);

}  // namespace heapprof
