// SPDX-License-Identifier: Apache-2.0
#include "heapprof/io/mapped_bytes.h"

#include <sys/mman.h>

#include <cerrno>
#include <utility>

#include "heapprof/base/out_of_memory.h"
#include "io/io_error.h"

namespace heapprof {

Result<MappedBytes> MappedBytes::Map(int fd, uint64_t size,
                                     const std::string& path,
                                     bool is_read_whole) {
  MappedBytes mapped;
  if (size == 0) return mapped;
  void* data = mmap(nullptr, size, PROT_READ,
                    MAP_PRIVATE | (is_read_whole ? MAP_POPULATE : 0), fd, 0);
  if (data == MAP_FAILED && errno == ENOMEM) FailAllocation();
  if (data == MAP_FAILED) return IoError(path, "map");
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
