// SPDX-License-Identifier: Apache-2.0
//
// Names the stacks that `heapprof explain` shows.
#pragma once

#include "cli/commands/passes.h"
#include "heapprof/explain/waterfall.h"

namespace heapprof {

// Sets the holders of the classes of `waterfall`, which was made from
// `classes`, the size classes of the new side, and `dumps`. Reads the log of
// options.explain.recent, if it is given. Changes the profiles.
Result<void> AddNamedHolders(const Options& options,
                             std::span<const SmallClass> classes,
                             LoadedInputs dumps, Session& session,
                             Waterfall& waterfall);

}  // namespace heapprof
