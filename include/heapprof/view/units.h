// SPDX-License-Identifier: Apache-2.0
//
// Numbers in the form that people read.
#pragma once

#include <string>

namespace heapprof {

// "512 B", "7.1 KiB", "1.4 GiB".
std::string FormatBytes(double bytes);

}  // namespace heapprof
