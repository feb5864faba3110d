// SPDX-License-Identifier: Apache-2.0
#include "doctor/process_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "heapprof/elf/variables.h"

namespace heapprof {
namespace {

// Returns the runtime address of the file address 0.
std::optional<uint64_t> BiasOf(const ElfImage& image, const std::string& file,
                               const MemoryMap& map) {
  for (const MapEntry& entry : map.entries()) {
    if (entry.path != file) continue;
    if (const auto address = image.FileAddressOf(entry.file_offset))
      return entry.start - *address;
  }
  return std::nullopt;
}

}  // namespace

ProcessMemory::ProcessMemory(const ProcessView& process,
                             const std::string& file,
                             const std::string& file_here) {
  auto image = ElfImage::Open(file_here);
  if (!image) return;
  const auto bias = BiasOf(*image, file, process.map);
  if (!bias) return;
  bias_ = *bias;
  image_ = *std::move(image);
  memory_ = open(fmt::format("/proc/{}/mem", process.process).c_str(),
                 O_RDONLY | O_CLOEXEC);
}

ProcessMemory::~ProcessMemory() {
  if (memory_ >= 0) close(memory_);
}

bool ProcessMemory::Read(std::span<const std::string> names, void* bytes,
                         size_t size) const {
  if (memory_ < 0) return false;
  const auto address = FindVariable(*image_, names);
  return address &&
         pread(memory_, bytes, size, static_cast<off_t>(*address + bias_)) ==
             static_cast<ssize_t>(size);
}

std::optional<bool> ProcessMemory::ReadBool(
    std::span<const std::string> names) const {
  uint8_t value = 0;
  if (!Read(names, &value, sizeof value)) return std::nullopt;
  return value != 0;
}

std::optional<uint64_t> ProcessMemory::ReadNumber(
    std::span<const std::string> names) const {
  uint64_t value = 0;
  if (!Read(names, &value, sizeof value)) return std::nullopt;
  return value;
}

std::optional<std::string> ProcessMemory::ReadText(
    std::span<const std::string> names) const {
  uint64_t pointer = 0;
  if (!Read(names, &pointer, sizeof pointer) || pointer == 0)
    return std::nullopt;
  std::array<char, 1024> text;
  const ssize_t size =
      pread(memory_, text.data(), text.size(), static_cast<off_t>(pointer));
  if (size <= 0) return std::nullopt;
  return std::string(text.data(),
                     strnlen(text.data(), static_cast<size_t>(size)));
}

}  // namespace heapprof
