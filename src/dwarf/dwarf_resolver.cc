// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/dwarf_resolver.h"

#include <elf.h>

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "dwarf/map/code_map_builder.h"
#include "dwarf/read/debug_sections.h"
#include "dwarf/shared/answer_builder.h"
#include "dwarf/shared/problem_log.h"
#include "dwarf/units/resolution.h"
#include "dwarf/units/split_files.h"
#include "dwarf/units/type_units.h"
#include "dwarf/units/unit_store.h"
#include "heapprof/base/for_each.h"
#include "heapprof/base/helper_thread.h"
#include "heapprof/dwarf/libdw_resolver.h"
#include "heapprof/dwarf/symbol_resolver.h"

namespace heapprof {
namespace {

// The units of the alternate file, to which dwz has moved DIEs that several
// files share.
struct AlternateUnits {
  const ElfImage& image;
  DebugSections sections;
  UnitStore units;

  AlternateUnits(const ElfImage& alternate, const ElfImage& binary,
                 unsigned jobs)
      : image(alternate),
        sections(LoadDebugSections(alternate, jobs)),
        units(sections, binary, jobs) {}

  bool is_complete() const {
    return sections.problems.empty() && units.problem().empty();
  }
};

class DwarfResolver : public AddressResolver {
 public:
  // `alternate` is null if there is no alternate file.
  DwarfResolver(DebugSections sections,
                std::unique_ptr<AlternateUnits> alternate,
                const ElfImage& debug, const ElfImage& binary,
                SymbolSource symbols, unsigned jobs, SplitSearch split)
      : sections_(std::move(sections)),
        alternate_(std::move(alternate)),
        debug_(debug),
        binary_(binary),
        symbols_(std::move(symbols)),
        jobs_(jobs),
        types_(sections_, debug, nullptr),
        units_(sections_, binary, jobs),
        split_units_(sections_, binary, std::move(split)) {
    if (alternate_ != nullptr) units_.SetAlternate(&alternate_->units);
    units_.SetTypeUnits(&types_);
    ForgetUse();
  }

  bool is_complete() const { return units_.problem().empty(); }

  ResolvedAddresses Resolve(std::span<const uint64_t> addresses) override {
    ForgetUse();
    if (!InflateAgain(jobs_, /*has_window=*/false))
      return ResolveWithLibdw(addresses);
    SplitResults split = LookUpSplitUnits(addresses);
    Resolution own(addresses, units_, binary_, symbols_, {.jobs = jobs_});
    ExcludeAnswered(split, own);
    if (!own.Read()) return ResolveWithLibdw(addresses);
    own.NoteProblems(problems_);
    return Merge(std::move(split), own.BuildAnswers());
  }

  // Does the work of the first Resolve() while .debug_info is still being
  // inflated, and discards DIEs if the units have a window. Returns nothing if
  // something cannot be read. The caller must then open the file again without
  // a stream and call Resolve(), because only that reports what is wrong.
  std::optional<ResolvedAddresses> ResolveWhileInflating(
      std::span<const uint64_t> addresses) {
    Resolution own(addresses, units_, binary_, symbols_, {.jobs = jobs_});
    if (!own.Read() || units_.has_too_many_ranges() ||
        !sections_.info_stream->Finish())
      return std::nullopt;
    SplitResults split = LookUpSplitUnits(addresses);
    ExcludeAnswered(split, own);
    ProblemLog problems;
    own.NoteProblems(problems);
    // Resolve() does not read a skeleton unit if split units answer all of its
    // addresses. Here all skeletons have been read, so `problems` may contain
    // problems that Resolve() would not report. Therefore let the caller start
    // again.
    if (split.answers != nullptr && !problems.problems().empty())
      return std::nullopt;
    own.NoteProblems(problems_);
    return Merge(std::move(split), own.BuildAnswers());
  }

  std::optional<CodeMap> MapCode(unsigned jobs) override;

  std::vector<std::string> problems() const override {
    return problems_.problems();
  }

  SplitFileUse split_files() const override {
    return {.used = {used_.begin(), used_.end()}, .tried = tried_};
  }
  std::optional<std::string> IdentifySplitFiles() override;
  void NoteSplitFiles(std::span<const uint64_t> addresses) override {
    ForgetUse();
    FindSplitUnits(addresses);
  }

 private:
  // A split unit, and the addresses to look up in it: those in the ranges of
  // its skeleton.
  struct SplitLookup {
    UnitStore* store = nullptr;
    std::vector<uint32_t> indices;  // of these addresses
  };
  struct SplitResults {
    std::vector<bool> is_answered;  // by address
    // The answers of all split units; null if there are none.
    std::unique_ptr<AnswerBuilder> answers = nullptr;
  };

  // Forgets what the last lookup used and met.
  void ForgetUse() {
    used_.clear();
    tried_.clear();
    problems_ = {};
    if (units_.has_too_many_ranges()) problems_.Note(kTooManyRanges);
  }
  std::vector<SplitLookup> FindSplitUnits(std::span<const uint64_t> addresses);
  SplitResults LookUpSplitUnits(std::span<const uint64_t> addresses);
  static void ExcludeAnswered(const SplitResults& split, Resolution& own);
  static ResolvedAddresses Merge(SplitResults split, ResolvedAddresses own);

  ResolvedAddresses ResolveWithLibdw(std::span<const uint64_t> addresses) {
    auto libdw = OpenLibdwResolver(
        debug_, binary_, symbols_(),
        alternate_ == nullptr ? "" : alternate_->image.path());
    if (!libdw) {
      problems_.Note(libdw.error().message);
      return MakeSymbolResolver(symbols_())->Resolve(addresses);
    }
    ResolvedAddresses answers = (*libdw)->Resolve(addresses);
    for (const std::string& problem : (*libdw)->problems())
      problems_.Note(problem);
    return answers;
  }

  // Inflates .debug_info again if parts of it were discarded: with a window or
  // completely. Returns false if that fails.
  bool InflateAgain(unsigned jobs, bool has_window) {
    if (units_.has_all_dies()) return true;
    std::optional<UnitStreaming> streaming;
    if (has_window) streaming = sections_.streaming;
    if (!InflateInfoAgain(debug_, jobs, streaming, sections_)) return false;
    units_.StartAgain();
    return true;
  }
  std::optional<CodeMap> MapOpenCode(unsigned jobs);

  DebugSections sections_;
  std::unique_ptr<AlternateUnits> alternate_;
  const ElfImage& debug_;
  const ElfImage& binary_;
  SymbolSource symbols_;
  unsigned jobs_;
  TypeUnits types_;
  UnitStore units_;
  SplitUnits split_units_;
  std::set<std::string> used_;    // paths of split files
  std::vector<TriedFile> tried_;  // for the first split unit that was not found
  ProblemLog problems_;
};

std::vector<DwarfResolver::SplitLookup> DwarfResolver::FindSplitUnits(
    std::span<const uint64_t> addresses) {
  std::vector<SplitLookup> found;
  if (!units_.HasSplitUnits()) return found;
  size_t missing = 0;
  std::string_view name;
  for (UnitLookup& lookup : units_.ranges().Find(addresses)) {
    const CompilationUnit& skeleton = units_.unit(lookup.unit);
    if (!skeleton.split) continue;
    const SplitUnit& unit = split_units_.Find(skeleton);
    if (unit.store != nullptr) {
      used_.insert(unit.file->path());
      found.push_back(
          {.store = unit.store.get(), .indices = std::move(lookup.addresses)});
      continue;
    }
    if (tried_.empty()) tried_ = split_units_.TriedFor(skeleton);
    if (!unit.problem.empty())
      problems_.Note(unit.problem);
    else if (missing++ == 0)
      name = skeleton.split->name;
  }
  if (missing != 0)
    problems_.Note(fmt::format(
        "split debug information is missing for {} of the units needed, the "
        "first in {}; inlined calls are not shown there: name the .dwp file, "
        "or the folder of the .dwo files",
        missing, name));
  return found;
}

// If several split units cover an address, the first one with a function there
// answers. The address is then excluded from the lookups in the other units, so
// that none of their data about it gets into the answers, not even the start
// address of their function.
DwarfResolver::SplitResults DwarfResolver::LookUpSplitUnits(
    std::span<const uint64_t> addresses) {
  SplitResults result{.is_answered = std::vector<bool>(addresses.size())};
  const std::vector<SplitLookup> lookups = FindSplitUnits(addresses);
  if (lookups.empty()) return result;
  std::vector<std::vector<uint64_t>> addresses_of(lookups.size());
  std::vector<std::optional<Resolution>> resolutions(lookups.size());
  std::vector<uint8_t> is_read(lookups.size());
  ForEach(lookups.size(), jobs_, [&](size_t i) {
    for (const uint32_t index : lookups[i].indices)
      addresses_of[i].push_back(addresses[index]);
    resolutions[i].emplace(
        addresses_of[i], *lookups[i].store, binary_, symbols_,
        ResolutionOptions{.with_symbols = false,
                          .all_addresses = addresses.size()});
    is_read[i] = resolutions[i]->Read();
  });
  ProblemLog problems;
  for (size_t i = 0; i < lookups.size(); ++i) {
    resolutions[i]->NoteProblems(problems);
    if (!is_read[i]) continue;
    for (uint32_t k = 0; k < lookups[i].indices.size(); ++k) {
      if (!resolutions[i]->HasFunction(k)) continue;
      const uint32_t index = lookups[i].indices[k];
      if (result.is_answered[index]) resolutions[i]->Exclude(k);
      result.is_answered[index] = true;
    }
  }
  for (const std::string& problem : problems.problems())
    problems_.Note("split debug information: " + problem);
  result.answers = std::make_unique<AnswerBuilder>(addresses.size());
  std::vector<ResolvedAddresses> answers(lookups.size());
  ForEachInTurn(
      lookups.size(), jobs_,
      [&](size_t i) {
        if (is_read[i]) answers[i] = resolutions[i]->BuildAnswers();
        resolutions[i].reset();
      },
      [&](size_t i) {
        const ResolvedAddresses part = std::move(answers[i]);
        AnswerCopier copier(part, *result.answers);
        for (uint32_t k = 0; k < part.runs.size(); ++k)
          copier.Copy(k, lookups[i].indices[k]);
        return true;
      },
      2 * size_t{jobs_});
  return result;
}

void DwarfResolver::ExcludeAnswered(const SplitResults& split,
                                    Resolution& own) {
  for (uint32_t i = 0; i < split.is_answered.size(); ++i)
    if (split.is_answered[i]) own.Exclude(i);
}

ResolvedAddresses DwarfResolver::Merge(SplitResults split,
                                       ResolvedAddresses own) {
  if (split.answers == nullptr) return own;
  AnswerCopier copier(own, *split.answers);
  for (uint32_t i = 0; i < own.runs.size(); ++i) copier.Copy(i, i);
  return split.answers->Take();
}

// If DIEs were discarded, inflates them with a window again, and completely
// only if a DIE outside of the window is needed.
std::optional<CodeMap> DwarfResolver::MapCode(unsigned jobs) {
  if (!problems_.problems().empty()) return std::nullopt;
  if (!units_.has_all_dies()) {
    if (!InflateAgain(jobs, /*has_window=*/true)) return std::nullopt;
    std::optional<CodeMap> map = MapOpenCode(jobs);
    if (units_.has_all_dies()) return map;
    if (map && !units_.has_missed_dies() && sections_.info_stream->Finish())
      return map;
  }
  if (!InflateAgain(jobs, /*has_window=*/false)) return std::nullopt;
  return MapOpenCode(jobs);
}

// Adds the split units to the map before the units of the binary, so that the
// answers of a split unit take precedence over those of its skeleton, as in
// Resolve().
std::optional<CodeMap> DwarfResolver::MapOpenCode(unsigned jobs) {
  std::vector<CodeMapBuilder::Source> sources;
  if (units_.HasSplitUnits()) {
    for (UnitRanges::UnitCode& unit_code : units_.ranges().ByUnit()) {
      const CompilationUnit& skeleton = units_.unit(unit_code.unit);
      if (!skeleton.split) continue;
      const SplitUnit& unit = split_units_.Find(skeleton);
      if (unit.store == nullptr) return std::nullopt;
      sources.push_back({.units = unit.store.get(),
                         .unit = unit.store->ranges().ByUnit().front().unit,
                         .ranges = std::move(unit_code.ranges),
                         .with_rows_outside_functions = false});
    }
  }
  CodeMapBuilder builder(binary_, symbols_(), jobs);
  if (!builder.Add(sources) || !builder.AddUnits(units_)) return std::nullopt;
  return builder.Finish();
}

std::optional<std::string> DwarfResolver::IdentifySplitFiles() {
  std::string found;
  if (!units_.HasSplitUnits()) return found;
  const SplitFile* last = nullptr;
  for (const UnitRanges::UnitCode& unit_code : units_.ranges().ByUnit()) {
    const CompilationUnit& skeleton = units_.unit(unit_code.unit);
    if (!skeleton.split) continue;
    const SplitUnit& unit = split_units_.Find(skeleton);
    if (unit.store == nullptr) return std::nullopt;
    if (unit.file != last)
      found += fmt::format("file {}\n", unit.file->Identity());
    last = unit.file;
    found += fmt::format("unit {}\n", unit.file->LocationOf(skeleton.id));
  }
  return found;
}

// True if the libdw engine must read the file, because the file is big-endian
// or has relocations, or because its alternate file is missing (only the libdw
// engine reports that).
bool IsForLibdw(const ElfImage& debug, const ElfImage* alternate) {
  const bool lacks_alternate =
      alternate == nullptr &&
      (debug.alternate_link() || debug.HasSection(".gnu_debugaltlink"));
  return debug.is_big_endian() || debug.type() == ET_REL || lacks_alternate;
}

// Opens a resolver for `debug`. `sections` are the sections of `debug`; they
// are not used if libdw reads the file.
Result<std::unique_ptr<AddressResolver>> OpenFrom(
    DebugSections sections, const ElfImage& debug, const ElfImage& binary,
    const SymbolSource& symbols, unsigned jobs, SplitSearch split) {
  const ElfImage* alternate_image = split.alternate;
  std::unique_ptr<AlternateUnits> alternate;
  if (alternate_image != nullptr)
    alternate =
        std::make_unique<AlternateUnits>(*alternate_image, binary, jobs);
  const bool is_alternate_usable =
      alternate == nullptr || alternate->is_complete();
  if (is_alternate_usable && !IsForLibdw(debug, alternate_image)) {
    if (!sections.problems.empty())
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: {}", debug.path(), sections.problems[0]));
    if (alternate != nullptr)
      sections.alternate_strings = alternate->sections.strings;
    auto resolver = std::make_unique<DwarfResolver>(
        std::move(sections), std::move(alternate), debug, binary, symbols, jobs,
        std::move(split));
    if (resolver->is_complete()) return resolver;
  }
  return OpenLibdwResolver(
      debug, binary, symbols(),
      alternate_image == nullptr ? "" : alternate_image->path());
}

}  // namespace

Result<std::unique_ptr<AddressResolver>> OpenDwarfResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    unsigned jobs, SplitSearch split) {
  DebugSections sections;
  if (!IsForLibdw(debug, split.alternate))
    sections = LoadDebugSections(debug, jobs);
  const auto source = [&symbols]() -> const SymbolTable& { return symbols; };
  return OpenFrom(std::move(sections), debug, binary, source, jobs,
                  std::move(split));
}

Result<OpenedAndResolved> OpenAndResolveDwarf(
    const ElfImage& debug, const ElfImage& binary,
    const std::function<const SymbolTable&()>& symbols,
    std::span<const uint64_t> addresses, const DwarfOptions& options) {
  const unsigned jobs = options.jobs;
  const ElfImage* alternate = options.split.alternate;
  DebugSections sections;
  if (!IsForLibdw(debug, alternate))
    sections = alternate != nullptr
                   ? LoadDebugSections(debug, jobs)
                   : StreamDebugSections(debug, jobs, options.streaming);
  if (sections.info_stream != nullptr) {
    if (sections.problems.empty()) {
      symbols();  // loads them now, while no unit has been inflated yet
      auto resolver =
          std::make_unique<DwarfResolver>(std::move(sections), nullptr, debug,
                                          binary, symbols, jobs, options.split);
      if (auto answers = resolver->ResolveWhileInflating(addresses))
        return OpenedAndResolved{std::move(resolver), *std::move(answers)};
    }
    sections = LoadDebugSections(debug, jobs);
  }
  // Loads the symbols while OpenFrom() opens the units, because opening them
  // does not keep all threads busy.
  std::optional<HelperThread> loading;
  if (jobs > 1) loading.emplace([&] { symbols(); });
  auto resolver = OpenFrom(std::move(sections), debug, binary, symbols, jobs,
                           options.split);
  if (!resolver) return std::unexpected(std::move(resolver.error()));
  ResolvedAddresses answers = (*resolver)->Resolve(addresses);
  return OpenedAndResolved{*std::move(resolver), std::move(answers)};
}

}  // namespace heapprof
