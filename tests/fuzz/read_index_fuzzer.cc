// SPDX-License-Identifier: Apache-2.0
//
// Any bytes must be an index with consistent answers, or no index. Their
// checksum is corrected first: it detects damage, not malice.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "heapprof/elf/call_check.h"
#include "heapprof/elf/elf_image.h"
#include "heapprof/index/index_file.h"
#include "index/content_hash.h"
#include "index/index_format.h"

namespace {

// Uses the description of the binary as the symbolizer does.
void CheckBinary(const heapprof::IndexFile& index,
                 const std::vector<uint64_t>& addresses) {
  using namespace heapprof;
  const auto binary = index.binary();
  if (!binary) {
    if (binary.error().message.empty()) std::abort();
    return;
  }
  const ElfImage image =
      ElfImage::FromLayout("x", binary->layout, index.return_addresses());
  const CallCheck check = CheckReturnAddresses(image, addresses);
  if (check.after_call > check.checked || check.checked > addresses.size())
    std::abort();
  for (const uint64_t address : addresses) {
    image.FileAddressOf(address);
    image.IsExecutable(address);
    if (!image.BytesBefore(address, 8).empty()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace heapprof;
  std::vector<uint8_t> bytes(data, data + size);
  if (size >= kIndexHeaderSize) {
    std::memcpy(bytes.data(), kIndexMagic.data(), kIndexMagic.size());
    const uint32_t version = kIndexVersion;
    std::memcpy(bytes.data() + kIndexMagic.size(), &version, sizeof(version));
    const uint64_t whole = size;
    std::memcpy(bytes.data() + kHashedFrom, &whole, sizeof(whole));
    const ContentHash hash =
        HashContent(std::span<const uint8_t>(bytes).subspan(kHashedFrom));
    std::memcpy(bytes.data() + kHashOffset, hash.data(), sizeof(hash));
  }
  const auto index = IndexFile::Open(bytes);
  if (!index) {
    if (index.error().message.empty()) std::abort();
    return 0;
  }
  std::vector<uint64_t> addresses;
  for (uint64_t at = 0; at < 0x4000; at += 5) addresses.push_back(at);
  addresses.push_back(UINT64_MAX);
  if (index->is_portable()) CheckBinary(*index, addresses);
  const auto answer = index->Resolve(addresses, 2);
  if (!answer) return 0;
  for (const FrameRun& run : answer->runs)
    if (run.first + run.count > answer->frames.size()) std::abort();
  for (const SourceFrame& frame : answer->frames)
    if (frame.function >= answer->functions.size() ||
        frame.file >= answer->files.size())
      std::abort();
  return 0;
}
