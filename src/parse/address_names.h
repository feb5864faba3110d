// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

// True if `name` is only an address, such as "0x00007f0000001234" or
// "libfoo.so+0x1234". Some programs write an address instead of a name that
// they do not know.
bool StandsForAddress(std::string_view name);

}  // namespace heapprof
