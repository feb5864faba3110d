// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a package of split debug information (.dwp), and as its index.
// The first four bytes are the size of the binary, which follows; the package
// is the rest.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "dwarf/units/package_index.h"
#include "fuzz/dwarf_fuzzing.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  uint32_t binary_size = 0;
  if (size < sizeof(binary_size)) return 0;
  std::memcpy(&binary_size, data, sizeof(binary_size));
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  bytes.remove_prefix(sizeof(binary_size));
  const std::string_view binary = bytes.substr(0, binary_size);
  const std::string_view package = bytes.substr(binary.size());
  const std::span index(data + (size - package.size()), package.size());
  if (const auto read = heapprof::PackageIndex::Read(index))
    for (size_t at = 0; at + sizeof(uint64_t) <= index.size(); at += 8) {
      uint64_t id = 0;
      std::memcpy(&id, index.data() + at, sizeof(id));
      if (read->Contains(id)) read->Find(id, heapprof::PackageSection::kInfo);
    }
  heapprof::ResolveIn(binary, package);
  return 0;
}
