// SPDX-License-Identifier: Apache-2.0
#include "heapprof/dwarf/dwarf_resolver.h"

#include <elf.h>

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "dwarf/answer_builder.h"
#include "dwarf/code_map_builder.h"
#include "dwarf/debug_sections.h"
#include "dwarf/problem_log.h"
#include "dwarf/resolution.h"
#include "dwarf/split_files.h"
#include "dwarf/unit_store.h"
#include "heapprof/base/for_each.h"
#include "heapprof/dwarf/libdw_resolver.h"
#include "heapprof/dwarf/symbol_resolver.h"

namespace heapprof {
namespace {

class DwarfResolver : public AddressResolver {
 public:
  DwarfResolver(DebugSections sections, const ElfImage& debug,
                const ElfImage& binary, const SymbolTable& symbols,
                unsigned jobs, SplitSearch split)
      : sections_(std::move(sections)),
        debug_(debug),
        binary_(binary),
        symbols_(symbols),
        jobs_(jobs),
        units_(sections_, binary, jobs),
        split_units_(sections_, binary, std::move(split)) {
    if (units_.has_too_many_ranges())
      problems_.Note("implausibly many address ranges; the rest is not read");
  }

  bool is_complete() const { return units_.problem().empty(); }

  ResolvedAddresses Resolve(std::span<const uint64_t> addresses) override {
    auto answers = ResolveInUnits(addresses, units_, binary_, symbols_,
                                  {.jobs = jobs_}, problems_);
    if (!answers) return AskLibdw(addresses);
    std::vector<SplitQuery> queries = FindSplitUnits(addresses);
    if (queries.empty()) return std::move(*answers);
    return Merge(addresses.size(), *answers, AskSplitUnits(addresses, queries));
  }

  std::optional<CodeMap> MapCode(unsigned jobs) override {
    if (!problems_.problems().empty() || units_.HasSplitUnits())
      return std::nullopt;
    CodeMapBuilder builder(binary_, symbols_, jobs);
    if (!builder.AddUnits(units_)) return std::nullopt;
    return builder.Finish();
  }

  std::vector<std::string> problems() const override {
    return problems_.problems();
  }

 private:
  // A split unit and the addresses that its skeleton claims.
  struct SplitQuery {
    UnitStore* store = nullptr;
    std::vector<uint32_t> indices;  // into the addresses asked
    ResolvedAddresses answers = {};
    ProblemLog problems = {};
  };

  std::vector<SplitQuery> FindSplitUnits(std::span<const uint64_t> addresses);
  const std::vector<SplitQuery>& AskSplitUnits(
      std::span<const uint64_t> addresses, std::vector<SplitQuery>& queries);
  static ResolvedAddresses Merge(size_t address_count,
                                 const ResolvedAddresses& skeletons,
                                 const std::vector<SplitQuery>& queries);

  ResolvedAddresses AskLibdw(std::span<const uint64_t> addresses) {
    auto libdw = OpenLibdwResolver(debug_, binary_, symbols_);
    if (!libdw) {
      problems_.Note(libdw.error().message);
      return MakeSymbolResolver(symbols_)->Resolve(addresses);
    }
    ResolvedAddresses answers = (*libdw)->Resolve(addresses);
    for (std::string& problem : (*libdw)->problems())
      problems_.Note(std::move(problem));
    return answers;
  }

  DebugSections sections_;
  const ElfImage& debug_;
  const ElfImage& binary_;
  const SymbolTable& symbols_;
  unsigned jobs_;
  UnitStore units_;
  SplitUnits split_units_;
  ProblemLog problems_;
};

std::vector<DwarfResolver::SplitQuery> DwarfResolver::FindSplitUnits(
    std::span<const uint64_t> addresses) {
  std::vector<SplitQuery> found;
  size_t missing = 0;
  std::string_view name;
  for (UnitQuery& query : units_.claims().Find(addresses)) {
    const CompilationUnit& skeleton = units_.unit(query.unit);
    if (!skeleton.split) continue;
    std::string problem;
    UnitStore* store = split_units_.Find(skeleton, problem);
    if (store != nullptr) {
      found.push_back({.store = store, .indices = std::move(query.addresses)});
    } else if (!problem.empty()) {
      problems_.Note(std::move(problem));
    } else if (missing++ == 0) {
      name = skeleton.split->name;
    }
  }
  if (missing != 0)
    problems_.Note(fmt::format(
        "split debug information is missing for {} of the units asked, the "
        "first in {}; inlined calls are not shown there",
        missing, name));
  return found;
}

const std::vector<DwarfResolver::SplitQuery>& DwarfResolver::AskSplitUnits(
    std::span<const uint64_t> addresses, std::vector<SplitQuery>& queries) {
  ForEach(queries.size(), jobs_, [&](size_t i) {
    SplitQuery& query = queries[i];
    std::vector<uint64_t> asked;
    for (const uint32_t index : query.indices)
      asked.push_back(addresses[index]);
    auto answers = ResolveInUnits(asked, *query.store, binary_, symbols_,
                                  {.with_symbols = false}, query.problems);
    if (answers) query.answers = std::move(*answers);
  });
  for (const SplitQuery& query : queries)
    for (const std::string& problem : query.problems.problems())
      problems_.Note("split " + problem);
  return queries;
}

// The first split unit with a function at an address owns it.
ResolvedAddresses DwarfResolver::Merge(size_t address_count,
                                       const ResolvedAddresses& skeletons,
                                       const std::vector<SplitQuery>& queries) {
  AnswerBuilder merged(address_count);
  for (const SplitQuery& query : queries) {
    AnswerCopier copier(query.answers, merged);
    for (uint32_t i = 0; i < query.answers.runs.size(); ++i)
      if (!merged.IsAnswered(query.indices[i]))
        copier.Copy(i, query.indices[i]);
  }
  AnswerCopier copier(skeletons, merged);
  for (uint32_t i = 0; i < address_count; ++i)
    if (!merged.IsAnswered(i)) copier.Copy(i, i);
  return merged.Take();
}

// Layouts that need what libdw has: other files, type units, byte order.
bool IsForLibdw(const ElfImage& debug) {
  return debug.is_big_endian() || debug.HasSection(".gnu_debugaltlink") ||
         debug.HasSection(".debug_types") || debug.type() == ET_REL;
}

}  // namespace

Result<std::unique_ptr<AddressResolver>> OpenDwarfResolver(
    const ElfImage& debug, const ElfImage& binary, const SymbolTable& symbols,
    unsigned jobs, SplitSearch split) {
  if (!IsForLibdw(debug)) {
    DebugSections sections = LoadDebugSections(debug, jobs);
    if (!sections.problems.empty())
      return Fail(ErrorKind::kBadFormat,
                  fmt::format("{}: {}", debug.path(), sections.problems[0]));
    auto resolver = std::make_unique<DwarfResolver>(
        std::move(sections), debug, binary, symbols, jobs, std::move(split));
    if (resolver->is_complete()) return resolver;
  }
  const auto& link = debug.alternate_link();
  return OpenLibdwResolver(
      debug, binary, symbols,
      link && split.alternate ? split.alternate(*link) : std::string());
}

}  // namespace heapprof
