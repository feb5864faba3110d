// SPDX-License-Identifier: Apache-2.0
//
// Shared by the targets that read DWARF.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/dwarf_versions.h"
#include "heapprof/elf/call_check.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"
#include "support/compare_answers.h"

namespace heapprof {

// Some addresses from all of the code.
inline std::vector<uint64_t> CodeAddresses(const ElfImage& image) {
  constexpr uint64_t kPerSegment = 500;
  std::vector<uint64_t> addresses;
  for (const LoadSegment& row : image.load_segments()) {
    if (!row.executable) continue;
    const uint64_t step = 1 + row.memory_size / kPerSegment;
    for (uint64_t i = 0; i < kPerSegment; ++i)
      addresses.push_back(row.address + i * step);
  }
  std::ranges::sort(addresses);
  addresses.erase(std::ranges::unique(addresses).begin(), addresses.end());
  return addresses;
}

// Gives bytes a path, because files are read by path.
class FileInMemory {
 public:
  explicit FileInMemory(std::string_view bytes)
      : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)),
        path_("/proc/self/fd/" + std::to_string(descriptor_)) {
    if (write(descriptor_, bytes.data(), bytes.size()) < 0) std::abort();
  }
  ~FileInMemory() { close(descriptor_); }
  FileInMemory(const FileInMemory&) = delete;
  FileInMemory& operator=(const FileInMemory&) = delete;

  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

// All ways to resolve addresses in `elf`, which may be any bytes, must agree.
// `package` is its package of split debug information; it is its own alternate
// file.
inline void ResolveIn(std::string_view elf, std::string_view package) {
  const FileInMemory file(elf);
  const FileInMemory package_file(package);
  const auto image = ElfImage::Open(file.path());
  if (!image) return;
  const auto mini = OpenMiniDebugInfo(*image);
  std::vector<const ElfImage*> images = {&*image};
  if (mini && *mini) images.push_back(&**mini);
  const SymbolTable symbols = SymbolTable::Load(images);
  const std::vector<uint64_t> addresses = CodeAddresses(*image);
  const CallCheck calls = CheckReturnAddresses(*image, addresses);
  if (calls.after_call > calls.checked) std::abort();
  DwarfVersions(*image);
  const SplitSearch split = {
      .packages = {package_file.path()},
      .alternate = image->alternate_link() ? &*image : nullptr};
  const ComparedAnswers compared =
      CompareAnswers(*image, symbols, split, addresses);
  if (compared.disagreement.empty()) return;
  std::cerr << compared.disagreement << '\n';
  std::abort();
}

// `elf` is also its own package.
inline void ResolveIn(std::string_view elf) { ResolveIn(elf, elf); }

}  // namespace heapprof
