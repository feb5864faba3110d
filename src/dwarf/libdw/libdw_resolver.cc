// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/libdw_resolver.h"

#include <optional>
#include <unordered_map>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fmt/core.h>
#include <gelf.h>

#include "dwarf/libdw/dwarf_section.h"
#include "dwarf/libdw/libdw_error.h"
#include "dwarf/libdw/libdw_function_info_reader.h"
#include "dwarf/libdw/libdw_units.h"
#include "dwarf/libdw/scope_table.h"
#include "dwarf/libdw/source_files.h"
#include "dwarf/libdw/unit_walk.h"
#include "dwarf/shared/answer_builder.h"
#include "dwarf/shared/problem_log.h"

namespace heapprof {
namespace {

struct DwarfCloser {
  void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
};
using DwarfHandle = std::unique_ptr<Dwarf, DwarfCloser>;

// The file to which dwz has moved DIEs that several debug files share.
struct AlternateFile {
  std::optional<ElfImage> image;
  DwarfHandle dwarf;

  explicit AlternateFile(const std::string& path) {
    if (path.empty()) return;
    auto opened = ElfImage::Open(path);
    if (!opened) return;
    image = std::move(*opened);
    dwarf.reset(OpenLibdw(image->handle()));
  }
};

// Does the work of one call of Resolve(): searches the units in the order of
// their offsets. Each unit is searched only for the addresses that no earlier
// unit has answered.
class LibdwResolution {
 public:
  LibdwResolution(std::span<const uint64_t> addresses, const LibdwUnits& units,
                  DieRangeReader& ranges, SourceFiles& files,
                  ScopeTables& scopes, const SymbolTable& symbols,
                  ProblemLog& problems)
      : addresses_(addresses),
        units_(units),
        ranges_(ranges),
        files_(files),
        scopes_(scopes),
        symbols_(symbols),
        problems_(problems),
        function_info_reader_(files, scopes, symbols),
        answer_(addresses.size()),
        positions_(addresses.size()) {}

  ResolvedAddresses Run();

 private:
  void LookUpInUnit(const UnitLookup& lookup);
  void AddChain(uint32_t address, const SourcePosition& position,
                uint32_t innermost, const UnitWalk& walk);
  uint32_t FunctionOf(uint32_t address, const LibdwFunctionNode& node);
  void NameFunctions();
  void AnswerFromSymbol(uint32_t address);

  std::span<const uint64_t> addresses_;
  const LibdwUnits& units_;
  DieRangeReader& ranges_;
  SourceFiles& files_;
  ScopeTables& scopes_;
  const SymbolTable& symbols_;
  ProblemLog& problems_;
  LibdwFunctionInfoReader function_info_reader_;
  AnswerBuilder answer_;
  // For each address: the first source position found in a unit that has no
  // function at the address. Used with the address's symbol if no unit has a
  // function there.
  std::vector<SourcePosition> positions_;
  // Functions are named after all units are walked, because a function that is
  // inlined in one unit may get its name from the symbol of its out-of-line
  // copy in another unit. Until then, frames hold indices into pending_.
  struct PendingFunction {
    LibdwFunctionNode node;  // the copy at the lowest address
    uint32_t address = 0;    // index into addresses_
    uint64_t start_address = 0;
  };
  std::vector<PendingFunction> pending_;
  // Maps the DIE that all copies of a function share (its address in memory) to
  // an index into pending_.
  std::unordered_map<const void*, uint32_t> functions_;
  EntryPcs entry_pcs_;
};

ResolvedAddresses LibdwResolution::Run() {
  for (const UnitLookup& lookup : units_.Find(addresses_)) LookUpInUnit(lookup);
  NameFunctions();
  for (uint32_t i = 0; i < addresses_.size(); ++i)
    if (!answer_.IsAnswered(i)) AnswerFromSymbol(i);
  return answer_.Take();
}

void LibdwResolution::LookUpInUnit(const UnitLookup& lookup) {
  std::vector<uint32_t> open;  // indices into addresses_
  std::vector<uint64_t> addresses;
  for (uint32_t i : lookup.addresses) {
    if (answer_.IsAnswered(i)) continue;
    open.push_back(i);
    addresses.push_back(addresses_[i]);
  }
  if (open.empty()) return;
  const LibdwUnit& unit = units_.units()[lookup.unit];
  UnitWalk walk = WalkUnit(unit, addresses, ranges_, problems_);
  scopes_.Put(unit.root, std::move(walk.scopes));
  entry_pcs_.merge(walk.entry_pcs);
  Dwarf_Die root = unit.root;
  std::vector<SourcePosition> positions = files_.FindLines(&root, addresses);
  for (size_t i = 0; i < open.size(); ++i) {
    if (walk.innermost[i] != InnermostFunctions::kNone)
      AddChain(open[i], positions[i], walk.innermost[i], walk);
    else if (positions[i].found && !positions_[open[i]].found)
      positions_[open[i]] = std::move(positions[i]);
  }
}

// Adds the frames of an address, from the innermost outwards. The position in
// the innermost frame comes from the line table. The position in each outer
// frame is the call site of the subroutine in the frame before it.
void LibdwResolution::AddChain(uint32_t address, const SourcePosition& position,
                               uint32_t innermost, const UnitWalk& walk) {
  SourceFrame frame{.file = answer_.AddFile(position.file),
                    .line = position.line,
                    .column = position.column};
  for (uint32_t i = innermost; i != InnermostFunctions::kNone;
       i = walk.nodes[i].parent) {
    const LibdwFunctionNode& node = walk.nodes[i];
    frame.function = FunctionOf(address, node);
    answer_.AddFrame(address, frame);
    if (node.parent == InnermostFunctions::kNone) break;
    Dwarf_Die die = node.die;
    const auto number = [&die](unsigned attribute) {
      return NumberAttribute(&die, attribute);
    };
    const std::optional<uint64_t> file = number(DW_AT_call_file);
    frame = {};
    if (file) frame.file = answer_.AddFile(files_.FileName(&die, *file));
    frame.line = static_cast<uint32_t>(number(DW_AT_call_line).value_or(0));
    frame.column = static_cast<uint32_t>(number(DW_AT_call_column).value_or(0));
  }
}

uint32_t LibdwResolution::FunctionOf(uint32_t address,
                                     const LibdwFunctionNode& node) {
  Dwarf_Die die = node.die;
  Dwarf_Die origin;
  const void* key = FollowOrigin(&die, &origin) ? origin.addr : die.addr;
  const auto next = static_cast<uint32_t>(pending_.size());
  auto [known, is_new] = functions_.try_emplace(key, next);
  if (is_new) pending_.push_back({.node = node, .address = address});
  PendingFunction& pending = pending_[known->second];
  if (address < pending.address) {
    pending.node = node;
    pending.address = address;
  }
  pending.start_address = LowerStart(pending.start_address, node.entry_pc);
  return known->second;
}

void LibdwResolution::NameFunctions() {
  std::vector<uint32_t> named;
  for (const PendingFunction& pending : pending_) {
    LibdwFunctionInfo info =
        function_info_reader_.Read(pending.node, entry_pcs_);
    named.push_back(
        answer_.AddFunction({.linkage_name = info.name.linkage_name,
                             .scoped_name = info.name.scoped_name,
                             .file = answer_.AddFile(std::move(info.file)),
                             .start_line = info.start_line,
                             .start_address = pending.start_address}));
  }
  answer_.RenumberFunctions(named);
}

void LibdwResolution::AnswerFromSymbol(uint32_t address) {
  const std::optional<Symbol> symbol = symbols_.Find(addresses_[address]);
  if (!symbol) return;
  const SourcePosition& position = positions_[address];
  answer_.AddFrame(address,
                   {.function = answer_.AddFunction(FunctionOfSymbol(*symbol)),
                    .file = answer_.AddFile(position.file),
                    .line = position.line,
                    .column = position.column});
}

class LibdwResolver : public AddressResolver {
 public:
  LibdwResolver(DwarfHandle dwarf, AlternateFile alternate,
                const ElfImage& debug, const ElfImage& binary,
                const SymbolTable& symbols)
      : alternate_(std::move(alternate)),
        dwarf_(WithAlternate(std::move(dwarf), alternate_)),
        symbols_(symbols),
        ranges_(binary),
        files_(dwarf_.get(), ranges_, problems_),
        units_(dwarf_.get(), ranges_, problems_) {
    if (debug.alternate_link() && dwarf_getalt(dwarf_.get()) == nullptr)
      problems_.Note(
          fmt::format("{}: its alternate debug file {} (build id {}) is "
                      "missing; functions described there have no names; give "
                      "its folder with --debug-dir",
                      debug.path(), debug.alternate_link()->path,
                      debug.alternate_link()->build_id));
    problems_at_start_ = problems_.problems().size();
  }

  ResolvedAddresses Resolve(std::span<const uint64_t> addresses) override {
    return LibdwResolution(addresses, units_, ranges_, files_, scopes_,
                           symbols_, problems_)
        .Run();
  }

  std::vector<std::string> problems() const override {
    return problems_.problems();
  }
  // Tables are read, and their damage is noted, only once.
  bool IsReusable() const override {
    return problems_.problems().size() == problems_at_start_;
  }

 private:
  // Lets libdw follow references from `dwarf` into the alternate file. Must be
  // called before any DIE is read.
  static DwarfHandle WithAlternate(DwarfHandle dwarf,
                                   const AlternateFile& alternate) {
    if (alternate.dwarf != nullptr)
      dwarf_setalt(dwarf.get(), alternate.dwarf.get());
    return dwarf;
  }

  AlternateFile alternate_;  // first, because dwarf_ refers to it
  DwarfHandle dwarf_;
  const SymbolTable& symbols_;
  ProblemLog problems_;
  size_t problems_at_start_ = 0;
  DieRangeReader ranges_;
  SourceFiles files_;
  ScopeTables scopes_;
  LibdwUnits units_;
};

// True if a section is compressed by a method other than zlib. If libelf was
// built without that method, libdw's error is only "no DWARF information". With
// this function, the user is told the reason.
bool HasUnreadableCompression(Elf* elf) {
  for (Elf_Scn* section = elf_nextscn(elf, nullptr); section != nullptr;
       section = elf_nextscn(elf, section)) {
    GElf_Chdr header;
    if (gelf_getchdr(section, &header) != nullptr &&
        header.ch_type != ELFCOMPRESS_ZLIB)
      return true;
  }
  return false;
}

}  // namespace

Result<std::unique_ptr<AddressResolver>> OpenLibdwResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    const std::string& alternate) {
  // This must be checked before libdw opens the file, because libdw inflates
  // sections in place, after which they no longer look compressed.
  const bool unreadable = HasUnreadableCompression(debug.handle());
  ClearLibdwError();
  DwarfHandle dwarf(OpenLibdw(debug.handle()));
  const bool usable =
      dwarf != nullptr && !DwarfSection(dwarf.get(), "debug_info").empty();
  if (!usable && unreadable)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: debug sections are compressed in a way that "
                            "libelf cannot read (zstd?)",
                            debug.path()));
  if (dwarf == nullptr)
    return Fail(ErrorKind::kBadFormat,
                fmt::format("{}: cannot read DWARF: {}", debug.path(),
                            TakeLibdwError()));
  return std::make_unique<LibdwResolver>(
      std::move(dwarf), AlternateFile(alternate), debug, binary, symbols);
}

}  // namespace heapprof
