// SPDX-License-Identifier: Apache-2.0
//
// What shared_main.cc calls in its library.
#pragma once

namespace shop {

// Stores `count` new blocks of 64 KiB in `blocks`.
void HoldInLibrary(void** blocks, int count);

}  // namespace shop
