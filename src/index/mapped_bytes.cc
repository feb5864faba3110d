// SPDX-License-Identifier: Apache-2.0
#include "index/mapped_bytes.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/core.h>

namespace heapprof {

Result<MappedBytes> MappedBytes::Map(int fd, uint64_t size,
                                     const std::string& path,
                                     bool is_read_whole) {
  MappedBytes mapped;
  if (size == 0) return mapped;
  void* data = mmap(nullptr, size, PROT_READ,
                    MAP_PRIVATE | (is_read_whole ? MAP_POPULATE : 0), fd, 0);
  if (data == MAP_FAILED)
    return Fail(ErrorKind::kIo,
                fmt::format("{}: cannot map: {}", path, std::strerror(errno)));
  mapped.bytes_ = {static_cast<const uint8_t*>(data), size};
  mapped.range_ = MappedRange(data, size, path);
  return mapped;
}

MappedBytes::MappedBytes(MappedBytes&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})),
      range_(std::move(other.range_)) {}

MappedBytes& MappedBytes::operator=(MappedBytes&& other) noexcept {
  std::swap(bytes_, other.bytes_);
  std::swap(range_, other.range_);
  return *this;
}

MappedBytes::~MappedBytes() {
  range_ = {};  // before something else is mapped at these addresses
  if (!bytes_.empty())
    munmap(const_cast<uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace heapprof
