// SPDX-License-Identifier: Apache-2.0
//
// What the symbolizers of several profiles share: the opened files, the indexes
// of these files, and the names that were demangled.
#pragma once

#include <mutex>
#include <utility>

#include "heapprof/symbolize/missing_index.h"
#include "heapprof/symbolize/module_locator.h"
#include "heapprof/symbolize/symbolizer.h"
#include "symbolize/open_indexes.h"

namespace heapprof {

struct SymbolStore {
  explicit SymbolStore(SymbolizeOptions all)
      : options(std::move(all)),
        locator(options.locator),
        indexes(options.cache, options.jobs) {}

  const SymbolizeOptions options;
  // One symbolizer at a time uses the members below, and reads files. What an
  // index or a module has answered does not change afterwards.
  std::mutex mutex;
  ModuleLocator locator;
  OpenIndexes indexes;
  // Empty as long as there is only one symbolizer.
  DemangledNames demangled_names;
  bool is_shared = false;
};

}  // namespace heapprof
