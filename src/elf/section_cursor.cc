// SPDX-License-Identifier: Apache-2.0
#include "elf/section_cursor.h"

#include <elf.h>

#include <algorithm>
#include <limits>

namespace heapprof {

SectionCursor::SectionCursor(Elf* elf) : elf_(elf) {
  if (elf_getshdrstrndx(elf, &names_) != 0) names_ = SHN_UNDEF;
}

bool SectionCursor::Next() {
  do {
    section_ = elf_nextscn(elf_, section_);
  } while (section_ != nullptr && gelf_getshdr(section_, &header_) == nullptr);
  return section_ != nullptr;
}

std::string_view SectionCursor::name() const {
  const char* const text = elf_strptr(elf_, names_, header_.sh_name);
  return text == nullptr ? std::string_view() : text;
}

bool SectionCursor::IsSymbolTable() const {
  return header_.sh_type == SHT_SYMTAB || header_.sh_type == SHT_DYNSYM;
}

std::span<const uint8_t> SectionCursor::RawBytes() const {
  const Elf_Data* const data = elf_rawdata(section_, nullptr);
  if (data == nullptr || data->d_buf == nullptr) return {};
  return {static_cast<const uint8_t*>(data->d_buf), data->d_size};
}

SymbolCursor::SymbolCursor(Elf* elf, const SectionCursor& table)
    : elf_(elf),
      strings_(table.header().sh_link),
      data_(elf_getdata(table.section(), nullptr)) {
  if (data_ == nullptr) return;
  const size_t entry = gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
  count_ = static_cast<int>(
      std::min<size_t>(data_->d_size / entry, std::numeric_limits<int>::max()));
}

bool SymbolCursor::Next() {
  return next_ < count_ && gelf_getsym(data_, next_++, &symbol_) != nullptr;
}

const char* SymbolCursor::name() const {
  return elf_strptr(elf_, strings_, symbol_.st_name);
}

}  // namespace heapprof
