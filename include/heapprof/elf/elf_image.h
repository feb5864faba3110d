// SPDX-License-Identifier: Apache-2.0
//
// The parts of an ELF file that describe it: build id, PT_LOAD segments,
// section table and the name of its debug file. Opens any ELF file (64- or
// 32-bit, either byte order, executable, library or debug file) through libelf.
// Nothing here interprets DWARF.
//
// "File address" always means a virtual address of the ELF file (p_vaddr,
// st_value, DW_AT_low_pc), never a runtime address.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/elf/address_ranges.h"
#include "heapprof/elf/elf_layout.h"
#include "heapprof/elf/return_address_set.h"

struct Elf;

namespace heapprof {

class ByteBuffer;

struct DebugLink {
  // A file name without a directory. A .gnu_debuglink section that names a
  // directory is ignored, because an untrusted file must not choose which
  // folder is read.
  std::string file_name;
  uint32_t crc = 0;
};

// Names the file to which dwz moved the common parts of several debug files
// (section .gnu_debugaltlink, or .debug_sup of DWARF 5).
struct AlternateLink {
  std::string path;  // absolute, or relative to the debug file's folder
  // In lower-case hex. With .debug_sup, this is the checksum that both files
  // state.
  std::string build_id;
};

// Shows whether a file has changed since it was opened: writing to the file or
// replacing it gives it another stamp. Times are in nanoseconds since 1970. A
// program can set `modified` (st_mtim) back, but not `changed` (st_ctim).
struct FileStamp {
  uint64_t size = 0;
  int64_t modified = 0;
  int64_t changed = 0;
};

// Where a file says how to unwind the stack: file addresses, 0 if there is
// none.
struct UnwindPlaces {
  uint64_t search_table = 0;  // .eh_frame_hdr, by PT_GNU_EH_FRAME
  uint64_t entries = 0;       // .eh_frame, by the section table
  uint64_t entries_size = 0;  // in bytes
};

class ElfImage {
 public:
  static Result<ElfImage> Open(const std::string& path);
  // Opens a file of which `content` is all; messages call it `name`.
  static Result<ElfImage> FromContent(std::string name, ByteBuffer content);
  // Stands for a file that is not on this machine: it has the layout of the
  // file, but no bytes, sections or symbols. `path` is that of the index with
  // the layout. `return_addresses` are the addresses of the file that follow a
  // call; what they point to must outlive the image.
  static ElfImage FromLayout(std::string path, const ElfLayout& layout,
                             ReturnAddressSet return_addresses);

  ElfImage(ElfImage&&) noexcept;
  ElfImage& operator=(ElfImage&&) noexcept;
  ~ElfImage();

  const std::string& path() const { return path_; }
  // The stamp that the file had before its first byte was read.
  const FileStamp& stamp() const { return stamp_; }
  // The GNU build id as lower-case hex; empty if the file has none.
  const std::string& build_id() const { return build_id_; }
  // The whole file.
  std::span<const uint8_t> bytes() const;
  // See MappedRange.
  bool IsOverwritten() const;
  // Tells the kernel that `part` of bytes() will probably not be read again, so
  // that it no longer counts as memory of this process. If it is read again, it
  // comes from the file.
  void DropPages(std::span<const uint8_t> part) const;
  uint16_t machine() const { return machine_; }  // EM_*
  uint16_t type() const { return type_; }        // ET_*
  bool is_big_endian() const { return is_big_endian_; }
  bool is_64_bit() const { return is_64_bit_; }
  const UnwindPlaces& unwind_places() const { return unwind_places_; }
  std::span<const LoadSegment> load_segments() const { return segments_; }
  // The sections with code, and their bytes in the file.
  const AddressRanges& code() const { return code_; }
  ElfLayout layout() const;
  // The addresses that follow a call, for an image that FromLayout() has made;
  // null for a file, whose bytes tell.
  const ReturnAddressSet* return_addresses() const {
    return return_addresses_ ? &*return_addresses_ : nullptr;
  }
  const std::optional<DebugLink>& debug_link() const { return debug_link_; }
  const std::optional<AlternateLink>& alternate_link() const {
    return alternate_link_;
  }
  bool HasSection(std::string_view name) const;
  // True if the file carries DWARF: .debug_info, plain or compressed.
  bool HasDwarf() const;

  // True for a debug file (objcopy --only-keep-debug): it has the sections of
  // its binary, but not the contents of code sections.
  bool IsDebugFile() const;
  // Corrects the code segment of a debug file, whose program headers do not say
  // where the code is in the binary. `file_offset` is the offset in the binary
  // of the first page of code. Has no effect unless there is exactly one
  // executable PT_LOAD segment.
  void PlaceCode(uint64_t file_offset);

  // Converts a file offset to a file address, according to the PT_LOAD segment
  // that contains the offset. Returns nothing if no segment contains it.
  std::optional<uint64_t> FileAddressOf(uint64_t file_offset) const;
  // True if `address` is in an executable PT_LOAD segment, but not in the ELF
  // header. The header is excluded because it is often at address 0, and in the
  // debug information of functions that a linker discarded, the address is
  // often 0 or 1.
  bool IsExecutable(uint64_t address) const;
  // Like IsExecutable(), but true for every address of a file without PT_LOAD
  // segments (an object file), which does not say where its code will be.
  bool MayBeCode(uint64_t address) const {
    return segments_.empty() || IsExecutable(address);
  }
  // Returns the `count` bytes of file content that end right before `address`.
  // Returns fewer near the start of a segment, and none if the file holds no
  // bytes there (.bss, or a debug file's NOBITS sections).
  std::span<const uint8_t> BytesBefore(uint64_t address, size_t count) const;
  // Returns the file content from `address` to the end of its segment; none if
  // the file holds no bytes there.
  std::span<const uint8_t> BytesFrom(uint64_t address) const;

  // The libelf handle, valid as long as this object; null if FromLayout() has
  // made the image. Only src/elf and src/dwarf may use it, and only one thread
  // at a time, because libelf reads on demand and stores what it has read in
  // the handle.
  Elf* handle() const;

 private:
  struct Handle;
  ElfImage();

  static Result<ElfImage> Read(ElfImage image);
  Result<void> ReadSegments();
  void SetSegments(std::vector<LoadSegment> segments);
  Result<void> ReadSections();

  std::unique_ptr<Handle> handle_;
  std::string path_;
  FileStamp stamp_;
  std::string build_id_;
  uint16_t machine_ = 0;
  uint16_t type_ = 0;
  bool is_big_endian_ = false;
  bool is_64_bit_ = false;
  uint16_t header_size_ = 0;
  bool has_dwarf_ = false;
  bool has_code_ = false;                // has code sections with bytes
  bool has_code_without_bytes_ = false;  // has code sections without bytes
  std::vector<LoadSegment> segments_;
  AddressRanges executable_;     // of the executable segments
  AddressRanges without_bytes_;  // of allocated NOBITS sections
  AddressRanges code_;           // of code sections with bytes
  std::optional<ReturnAddressSet> return_addresses_;
  UnwindPlaces unwind_places_;
  std::vector<std::string> section_names_;
  std::optional<DebugLink> debug_link_;
  std::optional<AlternateLink> alternate_link_;
};

// True if the file starts with the ELF magic number.
bool LooksLikeElf(std::string_view head);

}  // namespace heapprof
