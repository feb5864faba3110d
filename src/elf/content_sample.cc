// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/content_sample.h"

#include <sys/mman.h>

#include <algorithm>

#include <gelf.h>
#include <libelf.h>

#include "elf/section_cursor.h"
#include "heapprof/base/part_of.h"

namespace heapprof {
namespace {

constexpr uint64_t kPageSize = 4096;
constexpr uint64_t kPiecesPerSection = 4;

// A linked file has a few dozen sections. The limit is for damaged files: even
// in a small one, a great many section headers may refer to the same bytes.
constexpr size_t kMaxSections = 256;

using Bytes = std::span<const uint8_t>;

void SampleHeaders(Elf* elf, Bytes bytes, std::vector<Bytes>& sample) {
  GElf_Ehdr header;
  size_t segment_count = 0;
  size_t section_count = 0;
  if (gelf_getehdr(elf, &header) == nullptr) return;
  sample.push_back(PartOf(bytes, 0, header.e_ehsize));
  if (elf_getphdrnum(elf, &segment_count) == 0)
    sample.push_back(
        PartOf(bytes, header.e_phoff, segment_count * header.e_phentsize));
  if (elf_getshdrnum(elf, &section_count) == 0)
    sample.push_back(
        PartOf(bytes, header.e_shoff,
               std::min(section_count, kMaxSections) * header.e_shentsize));
}

void SampleSection(Bytes bytes, const GElf_Shdr& header,
                   std::vector<Bytes>& sample) {
  const uint64_t start = header.sh_offset;
  const uint64_t size = PartOf(bytes, start, header.sh_size).size();
  if (size <= kPiecesPerSection * kPageSize) {
    sample.push_back(PartOf(bytes, start, size));
    return;
  }
  const uint64_t last = start + size - kPageSize;
  sample.push_back(PartOf(bytes, start, kPageSize));
  for (uint64_t i = 1; i + 1 < kPiecesPerSection; ++i) {
    const uint64_t at = start + (last - start) / (kPiecesPerSection - 1) * i;
    sample.push_back(PartOf(bytes, at / kPageSize * kPageSize, kPageSize));
  }
  sample.push_back(PartOf(bytes, last, kPageSize));
}

// Asks the kernel to start reading a piece that is not in memory. Call this for
// all pieces before using any, so that they are read at the same time; reading
// them one by one would take forty times as long.
void Prefetch(Bytes piece) {
  const uint64_t offset = reinterpret_cast<uintptr_t>(piece.data()) % kPageSize;
  madvise(const_cast<uint8_t*>(piece.data()) - offset, piece.size() + offset,
          MADV_WILLNEED);
}

}  // namespace

std::vector<std::span<const uint8_t>> SampleContent(const ElfImage& image) {
  std::vector<Bytes> sample;
  const Bytes bytes = image.bytes();
  Elf* elf = image.handle();
  SampleHeaders(elf, bytes, sample);
  SectionCursor section(elf);
  for (size_t i = 0; i < kMaxSections && section.Next(); ++i)
    if (section.header().sh_type != SHT_NOBITS)
      SampleSection(bytes, section.header(), sample);
  for (const Bytes piece : sample) Prefetch(piece);
  return sample;
}

}  // namespace heapprof
