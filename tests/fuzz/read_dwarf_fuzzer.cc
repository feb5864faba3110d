// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an ELF file with debug information.
#include <cstddef>
#include <cstdint>

#include "fuzz/dwarf_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  heapprof::ResolveIn({reinterpret_cast<const char*>(data), size});
  return 0;
}
