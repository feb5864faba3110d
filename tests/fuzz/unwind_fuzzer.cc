// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as an ELF file with unwind information: a function begins at or
// before each address that is in it, and in code.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "fuzz/dwarf_fuzzing.h"
#include "heapprof/elf/unwind_table.h"
#include "heapprof/io/byte_buffer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heapprof;
  ByteBuffer content;
  content.Resize(size);
  if (size != 0) std::memcpy(content.data(), data, size);
  const auto image = ElfImage::FromContent("fuzz", std::move(content));
  if (!image) return 0;
  const UnwindTable table(*image);
  for (const uint64_t address : CodeAddresses(*image)) {
    const auto start = table.FindStart(address);
    if (start && (*start > address || !image->IsExecutable(*start)))
      std::abort();
  }
  return 0;
}
