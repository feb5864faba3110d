// SPDX-License-Identifier: Apache-2.0
//
// Facts about processes that compile code while they run: a JVM, Node.
#pragma once

#include <vector>

#include "doctor/process_view.h"
#include "heapprof/doctor/diagnosis.h"

namespace heapprof {

// Adds nothing for other processes.
void AddGeneratedCode(const ProcessView& process, std::vector<Fact>& facts);

}  // namespace heapprof
