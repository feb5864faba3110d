// SPDX-License-Identifier: Apache-2.0
//
// Tests whether the command line says which side each dump belongs to.
#pragma once

#include <span>

#include "cli/args/options.h"
#include "cli/inputs/input_facts.h"
#include "heapprof/base/error.h"

namespace heapprof {

// Fails if a value of --base or --new is a folder or a binary.
Result<void> CheckSideArguments(const Options& options);

// For `heapprof check`. Fails if several dumps follow a base without --new. It
// is unclear which side they belong to: in `--base main/*.heap branch/*.heap`,
// only the first dump follows --base.
Result<void> CheckSides(std::span<const InputFacts> inputs,
                        const Options& options);

}  // namespace heapprof
