// SPDX-License-Identifier: Apache-2.0
//
// Runs --symbols, which names the addresses on standard input.
#pragma once

#include "cli/args/options.h"
#include "cli/commands/session.h"
#include "heapprof/base/error.h"

namespace heapprof {

Result<void> NameAddresses(Options& options, Session& session);

}  // namespace heapprof
