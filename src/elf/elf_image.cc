// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/elf_image.h"

#include <elf.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <fmt/core.h>
#include <gelf.h>
#include <libelf.h>

#include "elf/debug_links.h"
#include "elf/libelf_errors.h"
#include "elf/section_cursor.h"
#include "heapprof/base/as_text.h"
#include "heapprof/base/drop_pages.h"
#include "heapprof/base/nanoseconds.h"
#include "heapprof/io/byte_buffer.h"
#include "heapprof/io/mapped_bytes.h"
#include "heapprof/io/regular_file.h"

namespace heapprof {
namespace {

uint64_t EndOf(uint64_t start, uint64_t size) {
  return size > std::numeric_limits<uint64_t>::max() - start
             ? std::numeric_limits<uint64_t>::max()
             : start + size;
}

Result<void> CheckTable(const std::string& path, const char* what,
                        uint64_t offset, uint64_t size, uint64_t file_size) {
  if (offset <= file_size && size <= file_size - offset) return {};
  return Fail(ErrorKind::kBadFormat,
              fmt::format("{}: {} table at offset {} lies outside the file "
                          "({} bytes)",
                          path, what, offset, file_size));
}

// Fails if a header table does not fit into the file. libelf silently drops
// such a table. Without this check, a truncated file would therefore look like
// a stripped one.
Result<void> CheckHeader(const std::string& path, Elf* elf,
                         const GElf_Ehdr& header, uint64_t file_size) {
  const uint64_t section_size = gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT);
  const uint64_t segment_size = gelf_fsize(elf, ELF_T_PHDR, 1, EV_CURRENT);
  if (header.e_shoff != 0) {
    if (header.e_shentsize != section_size)
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: section headers of {} bytes, expected {}",
                              path, header.e_shentsize, section_size));
    const uint64_t count = std::max<uint64_t>(header.e_shnum, 1);
    Result<void> fits = CheckTable(path, "section header", header.e_shoff,
                                   count * section_size, file_size);
    if (!fits) return fits;
    size_t found = 0;
    if (elf_getshdrnum(elf, &found) != 0 || found < header.e_shnum)
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: damaged section header table at offset {}",
                              path, header.e_shoff));
  }
  if (header.e_phnum == 0) return {};
  if (header.e_phentsize != segment_size)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: program headers of {} bytes, expected {}",
                            path, header.e_phentsize, segment_size));
  return CheckTable(path, "program header", header.e_phoff,
                    header.e_phnum * segment_size, file_size);
}

// A part of a file.
struct FilePart {
  uint64_t offset = 0;
  uint64_t size = 0;
};

// Returns the record of type `T` at `offset`; all 0 outside the file.
template <typename T>
T RecordAt(std::string_view file, uint64_t offset) {
  T record = {};
  if (offset <= file.size() && sizeof(T) <= file.size() - offset)
    std::memcpy(&record, file.data() + offset, sizeof(T));
  return record;
}

// Returns where the section header table is, within the file. Expects the byte
// order of this machine: of other files, libelf converts copies.
template <typename Header, typename SectionHeader>
FilePart SectionHeaderTable(std::string_view file) {
  const auto header = RecordAt<Header>(file, 0);
  if (header.e_shoff >= file.size()) return {};
  // If there are too many for e_shnum, the first one states their number.
  uint64_t count = header.e_shnum;
  if (count == 0) count = RecordAt<SectionHeader>(file, header.e_shoff).sh_size;
  const uint64_t most = file.size() - header.e_shoff;
  return {header.e_shoff, std::min(count, most / sizeof(SectionHeader) + 1) *
                              sizeof(SectionHeader)};
}

// libelf requires this version check once per process.
bool InitLibelf() {
  static const bool ready = elf_version(EV_CURRENT) != EV_NONE;
  return ready;
}

// The addresses of the sections of a file.
struct SectionAddresses {
  std::vector<std::pair<uint64_t, uint64_t>> without_bytes = {};
  std::vector<std::pair<uint64_t, uint64_t>> code = {};

  void Add(const GElf_Shdr& header) {
    if ((header.sh_flags & SHF_ALLOC) == 0) return;
    const std::pair range(header.sh_addr,
                          EndOf(header.sh_addr, header.sh_size));
    const bool has_bytes = header.sh_type != SHT_NOBITS;
    if (has_bytes && (header.sh_flags & SHF_EXECINSTR) != 0)
      code.push_back(range);
    // .tbss takes up no addresses: the next section covers the same ones.
    if (!has_bytes && (header.sh_flags & SHF_TLS) == 0)
      without_bytes.push_back(range);
  }
};

}  // namespace

struct ElfImage::Handle {
  ByteBuffer content;  // the whole file, if it is not mapped
  Elf* elf = nullptr;
  std::span<const uint8_t> bytes;  // the whole file
  MappedBytes mapped;
  // The pages of the section headers, which may have been changed.
  std::span<const uint8_t> writable;

  Handle() = default;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  ~Handle() { elf_end(elf); }

  // False for a small file whose first page libdw may have changed.
  bool IsOverwritten() const {
    return writable.data() != bytes.data() && mapped.IsOverwritten();
  }

  // libdw changes the headers of sections that it inflates, and nothing else.
  // The rest of the file stays read-only, because a limit on the memory of the
  // process (RLIMIT_DATA) counts writable mappings.
  void MakeSectionHeadersWritable() {
    const std::string_view file = AsText(mapped.bytes());
    auto* const start = const_cast<char*>(file.data());
    const bool is_32_bit =
        file.size() > EI_CLASS && file[EI_CLASS] == ELFCLASS32;
    const auto [offset, size] =
        is_32_bit ? SectionHeaderTable<Elf32_Ehdr, Elf32_Shdr>(file)
                  : SectionHeaderTable<Elf64_Ehdr, Elf64_Shdr>(file);
    if (size == 0) return;
    const auto page_size = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const uint64_t before = offset % page_size;
    const uint64_t end = std::min<uint64_t>(offset + size, file.size());
    char* const first_page = start + offset - before;
    if (mprotect(first_page, end - offset + before, PROT_READ | PROT_WRITE) !=
        0)
      FailAllocation();
    writable = {reinterpret_cast<const uint8_t*>(first_page),
                reinterpret_cast<const uint8_t*>(start + end)};
  }
};

bool ElfImage::IsOverwritten() const { return handle_->IsOverwritten(); }

void ElfImage::DropPages(std::span<const uint8_t> part) const {
  if (handle_->mapped.bytes().empty()) return;
  const uint8_t* const begin = part.data();
  const uint8_t* const end = begin + part.size();
  // What was written to a page would be lost.
  const std::span<const uint8_t> written = handle_->writable;
  if (written.empty()) return heapprof::DropPages(begin, part.size());
  const auto drop = [](const uint8_t* from, const uint8_t* to) {
    if (from < to) heapprof::DropPages(from, static_cast<size_t>(to - from));
  };
  drop(begin, std::min(end, written.data()));
  drop(std::max(begin, written.data() + written.size()), end);
}

ElfImage::ElfImage() : handle_(std::make_unique<Handle>()) {}
ElfImage::ElfImage(ElfImage&&) noexcept = default;
ElfImage& ElfImage::operator=(ElfImage&&) noexcept = default;
ElfImage::~ElfImage() = default;

Result<ElfImage> ElfImage::Open(const std::string& path) {
  ElfImage image;
  image.path_ = path;
  Handle& handle = *image.handle_;
  struct stat status = {};
  const Result<int> fd = OpenRegularFile(path, status);
  if (!fd) return std::unexpected(fd.error());
  image.stamp_ = {.size = static_cast<uint64_t>(status.st_size),
                  .modified = Nanoseconds(status.st_mtim),
                  .changed = Nanoseconds(status.st_ctim)};
  auto mapped = MappedBytes::Map(*fd, image.stamp_.size, path);
  // Close the file at once: a process may open thousands of files with split
  // debug information, which is more than it may keep open.
  close(*fd);
  if (!mapped || !LooksLikeElf(AsText(mapped->bytes())))
    return Fail(ErrorKind::kOtherFormat,
                fmt::format("{}: not an ELF file", path));
  handle.mapped = std::move(*mapped);
  handle.MakeSectionHeadersWritable();
  const std::string_view file = AsText(handle.mapped.bytes());
  if (InitLibelf())
    handle.elf = elf_memory(const_cast<char*>(file.data()), file.size());
  return Read(std::move(image));
}

Result<ElfImage> ElfImage::FromContent(std::string name, ByteBuffer content) {
  ElfImage image;
  image.path_ = std::move(name);
  Handle& handle = *image.handle_;
  handle.content = std::move(content);
  if (InitLibelf())
    handle.elf = elf_memory(handle.content.data(), handle.content.size());
  return Read(std::move(image));
}

ElfImage ElfImage::FromLayout(std::string path, const ElfLayout& layout,
                              ReturnAddressSet return_addresses) {
  ElfImage image;
  image.path_ = std::move(path);
  image.build_id_ = layout.build_id;
  image.machine_ = layout.machine;
  image.type_ = layout.type;
  image.is_big_endian_ = layout.is_big_endian;
  image.header_size_ = layout.header_size;
  image.SetSegments(layout.segments);
  image.code_ = AddressRanges(layout.code);
  image.return_addresses_ = return_addresses;
  return image;
}

ElfLayout ElfImage::layout() const {
  return {.build_id = build_id_,
          .machine = machine_,
          .type = type_,
          .is_big_endian = is_big_endian_,
          .header_size = header_size_,
          .segments = segments_,
          .code = {code_.all().begin(), code_.all().end()}};
}

Result<ElfImage> ElfImage::Read(ElfImage image) {
  const std::string& path = image.path_;
  Handle& handle = *image.handle_;
  GElf_Ehdr header;
  if (handle.elf == nullptr) FailIfLibelfLacksMemory();
  if (handle.elf == nullptr || elf_kind(handle.elf) != ELF_K_ELF ||
      gelf_getehdr(handle.elf, &header) == nullptr)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: truncated or damaged ELF header", path));

  size_t size = 0;
  const char* bytes = elf_rawfile(handle.elf, &size);
  if (bytes == nullptr) FailIfLibelfLacksMemory();
  if (bytes == nullptr)
    return Fail(ErrorKind::kIo,
                fmt::format("{}: cannot read: {}", path, elf_errmsg(-1)));
  handle.bytes = {reinterpret_cast<const uint8_t*>(bytes), size};
  image.is_big_endian_ = header.e_ident[EI_DATA] == ELFDATA2MSB;
  image.is_64_bit_ = header.e_ident[EI_CLASS] == ELFCLASS64;
  Result<void> sound = CheckHeader(path, handle.elf, header, size);
  if (sound) sound = image.ReadSegments();
  if (sound) sound = image.ReadSections();
  FailIfLibelfLacksMemory();
  if (!sound) return std::unexpected(sound.error());
  image.machine_ = header.e_machine;
  image.type_ = header.e_type;
  return image;
}

Result<void> ElfImage::ReadSegments() {
  Elf* elf = handle_->elf;
  size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: damaged program header table", path_));
  header_size_ =
      static_cast<uint16_t>(gelf_fsize(elf, ELF_T_EHDR, 1, EV_CURRENT));
  std::vector<LoadSegment> segments;
  for (size_t i = 0; i < count; ++i) {
    GElf_Phdr segment;
    if (gelf_getphdr(elf, static_cast<int>(i), &segment) == nullptr)
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: cannot read program header {}", path_, i));
    if (segment.p_type == PT_NOTE && build_id_.empty())
      build_id_ = FindBuildId(elf, segment.p_offset, segment.p_filesz);
    if (segment.p_type == PT_GNU_EH_FRAME)
      unwind_places_.search_table = segment.p_vaddr;
    if (segment.p_type != PT_LOAD) continue;
    if (segments.size() == kMaxLoadSegments)
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: more than {} PT_LOAD segments", path_,
                              kMaxLoadSegments));
    segments.push_back({segment.p_offset, segment.p_filesz, segment.p_vaddr,
                        segment.p_memsz, (segment.p_flags & PF_X) != 0});
  }
  SetSegments(std::move(segments));
  return {};
}

void ElfImage::SetSegments(std::vector<LoadSegment> segments) {
  segments_ = std::move(segments);
  std::vector<std::pair<uint64_t, uint64_t>> executable;
  for (const LoadSegment& segment : segments_) {
    if (!segment.executable) continue;
    // The ELF header is often loaded with the code but is not code. In a debug
    // file, segments without contents may have the offset of the header.
    const uint64_t header_left = std::min<uint64_t>(
        header_size_ - std::min<uint64_t>(header_size_, segment.file_offset),
        segment.file_size);
    executable.emplace_back(EndOf(segment.address, header_left),
                            EndOf(segment.address, segment.memory_size));
  }
  executable_ = AddressRanges(std::move(executable));
}

Result<void> ElfImage::ReadSections() {
  Elf* elf = handle_->elf;
  // The program headers of a debug file point at contents that it does not
  // have, so a build id found in a section takes precedence over one found in a
  // PT_NOTE.
  std::string section_build_id;
  SectionAddresses addresses;
  for (SectionCursor section(elf); section.Next();) {
    const GElf_Shdr& header = section.header();
    const std::string& name = section_names_.emplace_back(section.name());
    addresses.Add(header);
    if ((header.sh_flags & SHF_EXECINSTR) != 0)
      (header.sh_type != SHT_NOBITS ? has_code_ : has_code_without_bytes_) =
          true;
    if (header.sh_type == SHT_NOBITS) continue;
    if (name == ".eh_frame") {
      unwind_places_.entries = header.sh_addr;
      unwind_places_.entries_size = header.sh_size;
    }
    if (name == ".debug_info" || name == ".zdebug_info") has_dwarf_ = true;
    if (header.sh_type == SHT_NOTE && section_build_id.empty())
      section_build_id = FindBuildId(elf, header.sh_offset, header.sh_size);
    if (name == ".gnu_debuglink")
      debug_link_ = ParseDebugLink(AsText(section.RawBytes()), is_big_endian_);
    if (name == ".gnu_debugaltlink")
      alternate_link_ = ParseAlternateLink(AsText(section.RawBytes()));
    if (name == ".debug_sup") {
      const auto link = ParseSupplementaryLink(section.RawBytes());
      if (link && link->is_target)
        section_build_id = link->checksum;
      else if (link)
        alternate_link_ = AlternateLink{link->path, link->checksum};
    }
  }
  if (!section_build_id.empty()) build_id_ = std::move(section_build_id);
  without_bytes_ = AddressRanges(std::move(addresses.without_bytes));
  code_ = AddressRanges(std::move(addresses.code));
  return {};
}

bool ElfImage::HasSection(std::string_view name) const {
  return std::ranges::find(section_names_, name) != section_names_.end();
}

bool ElfImage::HasDwarf() const { return has_dwarf_; }

bool ElfImage::IsDebugFile() const {
  return has_code_without_bytes_ && !has_code_;
}

void ElfImage::PlaceCode(uint64_t file_offset) {
  if (std::ranges::count_if(segments_, &LoadSegment::executable) != 1) return;
  LoadSegment& code =
      *std::ranges::find_if(segments_, &LoadSegment::executable);
  // Segments are mapped in whole pages, so the file offset and the address of
  // the code have the same remainder modulo the page size. 4096 is the smallest
  // page size.
  constexpr uint64_t kPageSize = 4096;
  code.file_offset = file_offset + code.address % kPageSize;
  code.file_size = code.memory_size;
}

std::optional<uint64_t> ElfImage::FileAddressOf(uint64_t file_offset) const {
  for (const LoadSegment& segment : segments_)
    if (file_offset >= segment.file_offset &&
        file_offset - segment.file_offset < segment.file_size)
      return segment.address + (file_offset - segment.file_offset);
  return std::nullopt;
}

bool ElfImage::IsExecutable(uint64_t address) const {
  return executable_.Contains(address);
}

std::span<const uint8_t> ElfImage::BytesBefore(uint64_t address,
                                               size_t count) const {
  if (address == 0) return {};
  for (const LoadSegment& segment : segments_) {
    const uint64_t last = address - 1;
    if (last < segment.address || last - segment.address >= segment.file_size)
      continue;
    const uint64_t before = address - segment.address;
    const size_t length =
        static_cast<size_t>(std::min<uint64_t>(count, before));
    if (without_bytes_.Overlaps(address - length, address)) return {};
    const uint64_t end = EndOf(segment.file_offset, before);
    if (end > handle_->bytes.size() || end < length) return {};
    return handle_->bytes.subspan(static_cast<size_t>(end) - length, length);
  }
  return {};
}

std::span<const uint8_t> ElfImage::BytesFrom(uint64_t address) const {
  if (without_bytes_.Contains(address)) return {};
  for (const LoadSegment& segment : segments_) {
    if (address < segment.address ||
        address - segment.address >= segment.file_size)
      continue;
    const std::span<const uint8_t> file = handle_->bytes;
    const uint64_t inside = address - segment.address;
    const uint64_t start = EndOf(segment.file_offset, inside);
    const uint64_t end = EndOf(segment.file_offset, segment.file_size);
    if (start >= file.size()) return {};
    return file.subspan(start, std::min<uint64_t>(end, file.size()) - start);
  }
  return {};
}

std::span<const uint8_t> ElfImage::bytes() const { return handle_->bytes; }

Elf* ElfImage::handle() const { return handle_->elf; }

bool LooksLikeElf(std::string_view head) {
  return head.starts_with(std::string_view(ELFMAG, SELFMAG));
}

}  // namespace heapprof
