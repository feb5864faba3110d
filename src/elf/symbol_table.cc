// SPDX-License-Identifier: Apache-2.0
#include "heapprof/elf/symbol_table.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <ranges>
#include <tuple>
#include <utility>

#include <fmt/core.h>
#include <gelf.h>
#include <libelf.h>

#include "elf/libelf_errors.h"
#include "elf/plt_stubs.h"
#include "elf/section_cursor.h"
#include "heapprof/base/as_text.h"
#include "heapprof/base/symbol_version.h"
#include "heapprof/elf/section_data.h"
#include "heapprof/io/input_file.h"
#include "heapprof/io/unpack.h"

namespace heapprof {
namespace {

// Longer names are ignored; real ones are shorter. In a damaged file, many
// symbols may point into one long string, and reading it again for each of them
// would take quadratic time.
constexpr size_t kMaxNameSize = 64 * 1024;

// A symbol and the properties that decide which of several symbols at one
// address is preferred.
struct Candidate {
  Symbol symbol;
  bool is_label = false;
  size_t image = 0;
  int binding_rank = 0;  // global, weak, local
  size_t underscores = 0;

  auto Preference() const {
    return std::tuple(symbol.address, is_label, image, binding_rank,
                      underscores, symbol.name.size(), symbol.name);
  }
};

int BindingRank(unsigned char info) {
  switch (GELF_ST_BIND(info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
      return 0;
    case STB_WEAK:
      return 1;
    default:
      return 2;
  }
}

bool IsFunction(const GElf_Sym& symbol) {
  const int type = GELF_ST_TYPE(symbol.st_info);
  return (type == STT_FUNC || type == STT_GNU_IFUNC) &&
         symbol.st_shndx != SHN_UNDEF;
}

// True for a label in assembler code, such as _dl_start_user in the dynamic
// linker: functions written in assembler often have only labels. Names such as
// "$x" are not labels but markers of the ARM toolchain.
bool IsLabel(const GElf_Sym& symbol, std::string_view name,
             const std::vector<bool>& is_code) {
  return GELF_ST_TYPE(symbol.st_info) == STT_NOTYPE &&
         symbol.st_shndx < SHN_LORESERVE && symbol.st_shndx < is_code.size() &&
         is_code[symbol.st_shndx] && !name.starts_with('$');
}

std::string_view NameWithoutVersion(const char* text) {
  if (text == nullptr) return {};
  const size_t length = strnlen(text, kMaxNameSize);
  if (length == kMaxNameSize) return {};
  return CutSymbolVersion({text, length});
}

// Lets the function that a signal handler returns to begin a byte earlier.
// Lookups are for the byte before a return address, which is in the call. The
// handler returns to the first byte of this function, which no call precedes.
void IncludeReturnAddress(Symbol& symbol) {
  if (symbol.name != "__restore_rt" || symbol.address == 0) return;
  --symbol.address;
  if (symbol.size != 0) ++symbol.size;
}

// `is_code` says of each section whether it has code.
void ReadSymbols(const ElfImage& image, size_t image_rank,
                 const SectionCursor& table, const std::vector<bool>& is_code,
                 std::vector<Candidate>& out) {
  for (SymbolCursor at(image.handle(), table); at.Next();) {
    const GElf_Sym& symbol = at.symbol();
    const bool is_label = !IsFunction(symbol);
    if (is_label && GELF_ST_TYPE(symbol.st_info) != STT_NOTYPE) continue;
    // The lowest bit of an ARM function address means "Thumb code".
    const uint64_t address = image.machine() == EM_ARM
                                 ? symbol.st_value & ~uint64_t{1}
                                 : symbol.st_value;
    if (!image.load_segments().empty() && !image.IsExecutable(address))
      continue;
    const std::string_view name = NameWithoutVersion(at.name());
    if (name.empty() || (is_label && !IsLabel(symbol, name, is_code))) continue;
    out.push_back({{address, symbol.st_size, name},
                   is_label,
                   image_rank,
                   BindingRank(symbol.st_info),
                   std::min(name.find_first_not_of('_'), name.size())});
    IncludeReturnAddress(out.back().symbol);
  }
}

struct Section {
  uint64_t start = 0;
  uint64_t end = 0;
};

// Adds the symbols of one image to `candidates` and the address ranges of its
// code sections to `sections`.
void ReadImage(const ElfImage& image, size_t rank,
               std::vector<Candidate>& candidates,
               std::vector<Section>& sections) {
  std::vector<bool> is_code;
  for (SectionCursor section(image.handle()); section.Next();) {
    const GElf_Shdr& header = section.header();
    if ((header.sh_flags & SHF_EXECINSTR) == 0) continue;
    is_code.resize(elf_ndxscn(section.section()) + 1);
    is_code.back() = true;
    if (header.sh_size <= UINT64_MAX - header.sh_addr)
      sections.push_back({header.sh_addr, header.sh_addr + header.sh_size});
  }
  for (SectionCursor section(image.handle()); section.Next();)
    if (section.IsSymbolTable())
      ReadSymbols(image, rank, section, is_code, candidates);
  FailIfLibelfLacksMemory();
}

struct AddressOf {
  uint64_t address = 0;
  uint32_t candidate = 0;
};

// Returns the order of the candidates by address and, at one address, by
// preference. Sorting small AddressOf objects is several times faster than
// sorting the candidates themselves: most addresses have only one candidate, so
// the sort rarely needs more than the address.
std::vector<AddressOf> ByPreference(const std::vector<Candidate>& candidates) {
  std::vector<AddressOf> order;
  order.reserve(candidates.size());
  for (uint32_t i = 0; i < candidates.size(); ++i)
    order.push_back({candidates[i].symbol.address, i});
  std::ranges::sort(order, [&](const AddressOf& a, const AddressOf& b) {
    if (a.address != b.address) return a.address < b.address;
    return candidates[a.candidate].Preference() <
           candidates[b.candidate].Preference();
  });
  return order;
}

// Keeps the preferred symbol at each address. If its size is 0, it gets the
// size of another symbol at the same address. Labels inside functions are
// ignored.
std::vector<Symbol> PickPreferred(const std::vector<Candidate>& candidates) {
  std::vector<Symbol> symbols;
  symbols.reserve(candidates.size());
  uint64_t function_end = 0;
  for (const AddressOf& at : ByPreference(candidates)) {
    const Candidate& candidate = candidates[at.candidate];
    const Symbol& symbol = candidate.symbol;
    if (candidate.is_label && symbol.address < function_end) continue;
    if (!candidate.is_label)
      function_end = std::max(function_end, symbol.address + symbol.size);
    if (symbols.empty() || symbols.back().address != symbol.address)
      symbols.push_back(symbol);
    else if (symbols.back().size == 0)
      symbols.back().size = symbol.size;
  }
  return symbols;
}

// Gives each symbol of size 0 an end: the next symbol or the end of its
// section. Otherwise a symbol of unknown size would cover all addresses after
// it.
void BoundSizes(std::vector<Symbol>& symbols, std::vector<Section> sections) {
  std::ranges::sort(sections, {}, &Section::start);
  for (size_t i = 0; i < symbols.size(); ++i) {
    Symbol& symbol = symbols[i];
    symbol.size = std::min(symbol.size, UINT64_MAX - symbol.address);
    if (symbol.size != 0) continue;
    auto after =
        std::ranges::upper_bound(sections, symbol.address, {}, &Section::start);
    if (after == sections.begin()) continue;
    uint64_t end = std::prev(after)->end;
    if (i + 1 < symbols.size()) end = std::min(end, symbols[i + 1].address);
    if (end > symbol.address) symbol.size = end - symbol.address;
  }
}

}  // namespace

Result<std::optional<ElfImage>> OpenMiniDebugInfo(const ElfImage& binary) {
  constexpr std::string_view kSection = ".gnu_debugdata";
  // A valid file stays far below this limit: .gnu_debugdata contains only
  // symbols, a few MB of them for the largest programs.
  constexpr uint64_t kMaxSize = 256 << 20;
  if (!binary.HasSection(kSection)) return std::nullopt;
  const std::array names = {kSection};
  const std::vector<SectionData> packed = LoadSections(binary, names, 1);
  const std::span<const uint8_t> bytes = packed[0].bytes;
  auto content = Unpack(CompressedFormat::kXz, AsText(bytes),
                        std::min(kMaxSize, InflatedLimit(bytes.size())));
  if (content && !content->problem.empty())
    content = Fail(ErrorKind::kBadFormat, std::move(content->problem));
  if (!content)
    return Fail(content.error().kind, fmt::format("section {}: {}", kSection,
                                                  content.error().message));
  auto image = ElfImage::FromContent(fmt::format("section {}", kSection),
                                     std::move(content->bytes));
  if (!image) return std::unexpected(image.error());
  return *std::move(image);
}

SymbolTable SymbolTable::Load(std::vector<const ElfImage*> images) {
  std::vector<Candidate> candidates;
  std::vector<Section> sections;
  for (size_t i = 0; i < images.size(); ++i)
    ReadImage(*images[i], i, candidates, sections);
  SymbolTable table;
  for (size_t i = 0; i < images.size(); ++i)
    for (PltStub& stub : ReadPltStubs(*images[i])) {
      const std::string_view name =
          table.stub_names_.emplace_back(std::move(stub.name));
      candidates.push_back({{stub.address, stub.size, name}, true, i});
    }
  table.symbols_ = PickPreferred(candidates);
  BoundSizes(table.symbols_, std::move(sections));
  table.BuildRanges();
  return table;
}

// Cuts the address space into ranges wherever the innermost symbol changes, so
// that lookups need not care about nested and overlapping symbols.
void SymbolTable::BuildRanges() {
  const auto end_of = [this](uint32_t i) {
    return symbols_[i].address + symbols_[i].size;
  };
  std::vector<uint32_t> open;
  // Removes the symbols that end at or before `address` from the stack `open`.
  // Where the top symbol ends, starts a range for the next symbol on the stack
  // that has not ended yet. If all have ended, the range has no symbol.
  const auto close_until = [&](uint64_t address) {
    while (!open.empty() && end_of(open.back()) <= address) {
      const uint64_t end = end_of(open.back());
      while (!open.empty() && end_of(open.back()) <= end) open.pop_back();
      ranges_.push_back({end, open.empty() ? kNoSymbol : open.back()});
    }
  };
  for (uint32_t i = 0; i < symbols_.size(); ++i) {
    close_until(symbols_[i].address);
    if (symbols_[i].size == 0) continue;
    open.push_back(i);
    ranges_.push_back({symbols_[i].address, i});
  }
  close_until(UINT64_MAX);
}

std::optional<Symbol> SymbolTable::Find(uint64_t address) const {
  auto after =
      std::ranges::upper_bound(ranges_, address, {}, &SymbolRange::start);
  if (after == ranges_.begin()) return std::nullopt;
  const uint32_t symbol = std::prev(after)->symbol;
  if (symbol == kNoSymbol) return std::nullopt;
  return symbols_[symbol];
}

std::vector<uint64_t> SymbolTable::Boundaries() const {
  std::vector<uint64_t> boundaries;
  for (const SymbolRange& range : ranges_)
    if (boundaries.empty() || boundaries.back() != range.start)
      boundaries.push_back(range.start);
  return boundaries;
}

std::span<const Symbol> SymbolTable::StartingIn(uint64_t start,
                                                uint64_t end) const {
  const auto first =
      std::ranges::lower_bound(symbols_, start, {}, &Symbol::address);
  const auto last = std::ranges::lower_bound(
      std::ranges::subrange(first, symbols_.end()), end, {}, &Symbol::address);
  return {first, last};
}

std::optional<Symbol> SymbolTable::FindStart(uint64_t address) const {
  auto found =
      std::ranges::lower_bound(symbols_, address, {}, &Symbol::address);
  if (found == symbols_.end() || found->address != address) return std::nullopt;
  return *found;
}

}  // namespace heapprof
