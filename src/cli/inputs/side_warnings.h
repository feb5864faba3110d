// SPDX-License-Identifier: Apache-2.0
//
// What a user must know about the dumps of the two sides of a comparison.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>

#include "cli/args/options.h"
#include "heapprof/base/diagnostics.h"
#include "heapprof/base/sides.h"
#include "heapprof/report/input_facts.h"
#include "heapprof/transform/merge.h"

namespace heapprof {

// Warns if the sides differ in the sampling period, or if any dump is of
// another program than the first one. Programs count as different if the file
// names of their binaries differ, apart from versions and hashes at the end,
// unless equal build ids show that they are the same. Call this after the
// binaries have been found.
void WarnIfSidesDiffer(std::span<const MergeInput> inputs,
                       Diagnostics& diagnostics);

// Says so if the names of the dumps show that one process wrote those of the
// base after those of the new side.
void NoteSwappedSides(std::span<const InputFacts> inputs,
                      Diagnostics& diagnostics);

// The build ids of the program on a side, or some of them.
using BuildIds = std::set<std::string>;

// Warns if only one side has debug information: functions that are inlined
// there look new or gone. Takes the builds with debug information and those
// without. If it has been found for a build of one id, that serves both sides.
// `program` is the path of the program.
void WarnIfDetailDiffers(const Sides<BuildIds>& with,
                         const Sides<BuildIds>& without,
                         std::string_view program, Diagnostics& diagnostics);

// Says which sides of a comparison are the mean of several dumps, and how to
// name those of the base: in `--base main/*.heap branch/*.heap`, only the first
// dump follows --base. Says the same of a baseline that is shown alone.
void NoteMeans(std::span<const MergeInput> inputs, const Options& options,
               Diagnostics& diagnostics);

}  // namespace heapprof
