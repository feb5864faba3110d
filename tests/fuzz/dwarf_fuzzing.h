// SPDX-License-Identifier: Apache-2.0
//
// What the targets that read DWARF have in common.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/dwarf_versions.h"
#include "heapprof/elf/call_check.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/elf/symbol_table.h"

namespace heapprof {

// Some addresses all over the code.
inline std::vector<uint64_t> CodeAddresses(const ElfImage& image) {
  constexpr uint64_t kPerSegment = 500;
  std::vector<uint64_t> addresses;
  for (const LoadSegment& segment : image.load_segments()) {
    if (!segment.executable) continue;
    const uint64_t step = 1 + segment.memory_size / kPerSegment;
    for (uint64_t i = 0; i < kPerSegment; ++i)
      addresses.push_back(segment.address + i * step);
  }
  std::ranges::sort(addresses);
  addresses.erase(std::ranges::unique(addresses).begin(), addresses.end());
  return addresses;
}

// Files are read by path.
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

// Answers from `elf`, whatever it is, must be consistent; it is its own package
// of split debug information and alternate file, too.
inline void ResolveIn(std::string_view elf) {
  const FileInMemory file(elf);
  const auto image = ElfImage::Open(file.path());
  if (!image) return;
  const auto mini = ElfImage::OpenMiniDebugInfo(*image);
  std::vector<const ElfImage*> images = {&*image};
  if (mini && *mini) images.push_back(&**mini);
  const SymbolTable symbols = SymbolTable::Load(images);
  const std::vector<uint64_t> addresses = CodeAddresses(*image);
  const CallCheck calls = CheckReturnAddresses(*image, addresses);
  if (calls.after_call > calls.checked) std::abort();
  DwarfVersions(*image);
  auto resolver =
      OpenDwarfResolver(*image, *image, symbols, 1,
                        {.packages = {file.path()}, .alternate = &*image});
  if (!resolver) return;
  const ResolvedAddresses answer = (*resolver)->Resolve(addresses);
  if (answer.runs.size() != addresses.size()) std::abort();
  for (const FrameRun& run : answer.runs)
    if (run.first + run.count > answer.frames.size()) std::abort();
  for (const SourceFrame& frame : answer.frames)
    if (frame.function >= answer.functions.size() ||
        frame.file >= answer.files.size())
      std::abort();
  (*resolver)->MapCode(1);
}

}  // namespace heapprof
