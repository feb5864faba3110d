// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/system/exit_status.h"
#include "cli/system/progress.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/index/index_folders.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

// The state of a run. After the report, it is needed for the messages, and to
// build indexes of the binaries for later runs.
struct Session {
  explicit Session(bool shows_progress) : progress(shows_progress) {}

  Diagnostics diagnostics;
  std::optional<IndexCache> cache;
  std::optional<IndexFolders> indexes;
  std::unique_ptr<BuildIdServers> servers;
  std::optional<Symbolizer> symbolizer;
  Progress progress;
  // Of single dumps, although the run went on; printed even with --quiet.
  std::vector<std::string> failures;
  std::string summary;  // the last line, if not empty
  int status = kExitDone;
};

}  // namespace heapprof
