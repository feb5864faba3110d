// SPDX-License-Identifier: Apache-2.0
#include "elf/plt_stubs.h"

#include <elf.h>

#include <cstring>
#include <span>
#include <string_view>
#include <unordered_map>

#include <gelf.h>
#include <libelf.h>

#include "elf/code_word.h"
#include "elf/libelf_errors.h"
#include "elf/section_cursor.h"
#include "heapprof/base/hash.h"

namespace heapprof {
namespace {

// These limits keep a damaged file from filling the memory. Real files stay far
// below them.
constexpr size_t kMaxStubs = 1 << 18;
constexpr size_t kMaxStubNameSize = 1024;

// Maps the address of each slot of the GOT to the name of the function that the
// slot points to.
class Slots {
 public:
  explicit Slots(Elf* elf) : elf_(elf) {}

  void Read(Elf_Scn* section, const GElf_Shdr& header, bool is_of_plt) {
    Elf_Data* data = elf_getdata(section, nullptr);
    Elf_Scn* symbols = elf_getscn(elf_, header.sh_link);
    GElf_Shdr symbol_header;
    if (data == nullptr || symbols == nullptr ||
        gelf_getshdr(symbols, &symbol_header) == nullptr)
      return;
    Elf_Data* symbol_data = elf_getdata(symbols, nullptr);
    GElf_Rela relocation;
    for (int i = 0; names_.size() < kMaxStubs &&
                    gelf_getrela(data, i, &relocation) != nullptr;
         ++i) {
      const std::string_view name =
          NameOf(relocation, symbol_data, symbol_header.sh_link);
      if (!name.empty()) names_.try_emplace(relocation.r_offset, name);
      if (is_of_plt) in_order_.push_back(relocation.r_offset);
    }
  }
  std::string_view At(uint64_t slot) const {
    const auto it = names_.find(slot);
    return it == names_.end() ? std::string_view() : it->second;
  }
  // Returns the name of the function to which the `index`-th relocation in
  // .rela.plt refers; empty if unknown.
  std::string_view Numbered(size_t index) const {
    return index < in_order_.size() ? At(in_order_[index]) : std::string_view();
  }

 private:
  std::string_view NameOf(const GElf_Rela& relocation, Elf_Data* symbols,
                          size_t strings) const {
    GElf_Sym symbol;
    const auto index = static_cast<int>(GELF_R_SYM(relocation.r_info));
    if (index == 0 || symbols == nullptr ||
        gelf_getsym(symbols, index, &symbol) == nullptr)
      return {};
    const char* name = elf_strptr(elf_, strings, symbol.st_name);
    if (name == nullptr) return {};
    const size_t length = strnlen(name, kMaxStubNameSize);
    return length == kMaxStubNameSize ? std::string_view()
                                      : std::string_view(name, length);
  }

  Elf* elf_;
  std::unordered_map<uint64_t, std::string_view, RandomHash> names_;
  std::vector<uint64_t> in_order_;
};

struct Code {
  std::string_view section;
  uint64_t address = 0;
  std::span<const uint8_t> bytes;
};

// Returns the name of the function that a PLT entry calls; empty if unknown.
// The entry is at offset `at` in `code` and has `size` bytes. Usually it
// contains "jmp *slot(%rip)". If that jump is in .plt.sec instead, the entry
// starts with "endbr64; push $index", where `index` is the index of a
// relocation in .rela.plt.
std::string_view NameX86(const Code& code, size_t at, size_t size,
                         const Slots& slots) {
  constexpr size_t kJump = 6;
  for (size_t i = at; i + kJump <= at + size; ++i) {
    if (code.bytes[i] != 0xff || code.bytes[i + 1] != 0x25) continue;
    const auto distance = static_cast<int32_t>(WordAt(code.bytes, i + 2));
    return slots.At(code.address + i + kJump +
                    static_cast<uint64_t>(int64_t{distance}));
  }
  constexpr size_t kEndbr = 4;
  if (code.bytes[at + kEndbr] != 0x68) return {};
  return slots.Numbered(WordAt(code.bytes, at + kEndbr + 1));
}

void AddX86(const Code& code, const Slots& slots, std::vector<PltStub>& stubs) {
  constexpr size_t kEntry = 16;
  constexpr size_t kShortEntry = 8;  // in .plt.got, without "endbr64"
  const bool is_short = code.section == ".plt.got" && !code.bytes.empty() &&
                        code.bytes[0] == 0xff;
  const size_t size = is_short ? kShortEntry : kEntry;
  for (size_t at = 0;
       at + size <= code.bytes.size() && stubs.size() < kMaxStubs; at += size) {
    const std::string_view name = NameX86(code, at, size, slots);
    if (!name.empty())
      stubs.push_back({code.address + at, size, std::string(name) + "@plt"});
  }
}

// Adds the stubs that start with "adrp x16, page; ldr x17, [x16, #offset]",
// perhaps after a "bti c".
void AddArm64(const Code& code, const Slots& slots,
              std::vector<PltStub>& stubs) {
  constexpr size_t kWord = 4;
  constexpr uint32_t kBti = 0xd503245f;
  for (size_t at = 0;
       at + 2 * kWord <= code.bytes.size() && stubs.size() < kMaxStubs;
       at += kWord) {
    const uint32_t adrp = WordAt(code.bytes, at);
    const uint32_t load = WordAt(code.bytes, at + kWord);
    if ((adrp & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
      continue;
    const uint32_t pages = (adrp >> 29 & 3) | (adrp >> 3 & 0x1ffffc);
    const int64_t distance =
        int64_t{static_cast<int32_t>(pages << 11)} * 2;  // 4096 * signed pages
    const uint64_t page = (code.address + at) & ~uint64_t{0xfff};
    const uint64_t slot = page + static_cast<uint64_t>(distance) +
                          uint64_t{load >> 10 & 0xfff} * 8;
    const std::string_view name = slots.At(slot);
    if (name.empty()) continue;
    const bool has_bti = at >= kWord && WordAt(code.bytes, at - kWord) == kBti;
    const size_t start = has_bti ? at - kWord : at;
    constexpr size_t kInstructions = 4;  // add and br follow
    stubs.push_back({code.address + start, kInstructions * kWord + at - start,
                     std::string(name) + "@plt"});
  }
}

}  // namespace

std::vector<PltStub> ReadPltStubs(const ElfImage& image) {
  const bool is_x86 = image.machine() == EM_X86_64;
  if (!is_x86 && image.machine() != EM_AARCH64) return {};
  Elf* elf = image.handle();
  Slots slots(elf);
  std::vector<Code> sections;
  for (SectionCursor section(elf); section.Next();) {
    const GElf_Shdr& header = section.header();
    const std::string_view name = section.name();
    if (header.sh_type == SHT_RELA)
      slots.Read(section.section(), header, name == ".rela.plt");
    if (header.sh_type == SHT_PROGBITS && name.starts_with(".plt"))
      sections.push_back({name, header.sh_addr, section.RawBytes()});
  }
  FailIfLibelfLacksMemory();
  std::vector<PltStub> stubs;
  for (const Code& code : sections)
    is_x86 ? AddX86(code, slots, stubs) : AddArm64(code, slots, stubs);
  return stubs;
}

}  // namespace heapprof
