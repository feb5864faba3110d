// SPDX-License-Identifier: Apache-2.0
//
// Reads variables of a process that runs, by the symbols of its program. The
// process does not notice that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "doctor/process_view.h"
#include "heapprof/elf/elf_image.h"

namespace heapprof {

class ProcessMemory {
 public:
  // `file` is the path of a module in the memory map, and `file_here` the one
  // by which it can be opened.
  ProcessMemory(const ProcessView& process, const std::string& file,
                const std::string& file_here);
  ProcessMemory(const ProcessMemory&) = delete;
  ProcessMemory& operator=(const ProcessMemory&) = delete;
  ~ProcessMemory();

  // These return the value of the variable that has one of the names; nothing
  // if it cannot be read.
  std::optional<bool> ReadBool(std::span<const std::string> names) const;
  std::optional<uint64_t> ReadNumber(std::span<const std::string> names) const;
  // The text that a pointer points to; nothing if it is null, too.
  std::optional<std::string> ReadText(std::span<const std::string> names) const;

 private:
  bool Read(std::span<const std::string> names, void* bytes, size_t size) const;

  int memory_ = -1;    // of the process; negative: it cannot be read
  uint64_t bias_ = 0;  // the runtime address minus the file address
  std::optional<ElfImage> image_;
};

}  // namespace heapprof
