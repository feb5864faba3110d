// SPDX-License-Identifier: Apache-2.0
//
// The passes that commands have in common. They run in the order of this file;
// after FindBinaries(), Merge() joins the inputs.
#pragma once

#include <optional>

#include "cli/args/options.h"
#include "cli/commands/session.h"
#include "cli/inputs/load.h"
#include "heapprof/base/error.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/profile/profile.h"
#include "heapprof/symbolize/symbolizer.h"

namespace heapprof {

// Returns the cache of indexes; nothing with --no-cache, or if neither an
// option nor the environment says where the cache is.
std::optional<IndexCache> CacheOf(const Options& options);

// Returns where debug files and portable indexes are searched. Opens what that
// needs in `session`.
Result<DebugSearch> MakeDebugSearch(const Options& options, Session& session);

// Makes `session.symbolizer` and what it needs. FindBinaries() calls it, unless
// there is a symbolizer.
Result<void> MakeSymbolizer(const Options& options, const LoadedInputs& inputs,
                            Session& session);

// Reads the files of the command line. No frame has a name from a binary yet.
Result<LoadedInputs> ReadInputs(const Options& options, const LoadRules& rules,
                                Session& session);

// Finds the binaries of all inputs whose stacks were not merged before. This
// turns runtime addresses into file addresses, so that profiles of several
// processes can be merged. Warns if the dumps of a comparison come from
// different programs.
Result<void> FindBinaries(const Options& options, LoadedInputs& inputs,
                          Session& session);

// Finds the binaries of one profile. MakeSymbolizer() must have been called.
Result<void> FindBinariesOf(const Options& options, const LoadedInputs& inputs,
                            Profile& profile, Session& session);

// Returns a function that does so. It calls MakeSymbolizer(), unless there is a
// symbolizer; `options` and `session` must outlive it.
BinaryFinder MakeBinaryFinder(const Options& options, Session& session);

// Names the frames of `profile`, whose binaries have been found.
Result<void> NameFrames(Profile& profile, Session& session);

}  // namespace heapprof
