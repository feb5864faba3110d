// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_lookup.h"

#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/hash.h"
#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/symbol_resolver.h"
#include "heapprof/index/portable_index.h"
#include "symbolize/open_indexes.h"
#include "symbolize/paths.h"

namespace heapprof {
namespace {

// The engine that reads a module's debug information: the one that an earlier
// lookup left, else one that is opened when it is needed.
class LazyEngine {
 public:
  // `indexes` may be null.
  LazyEngine(ModuleLookup& lookup, const OpenIndexes* indexes, unsigned jobs)
      : lookup_(lookup), indexes_(indexes), jobs_(jobs) {}

  bool IsOpened() {
    if (engine_ == nullptr && indexes_ != nullptr)
      engine_ = indexes_->FindEngine(*lookup_.module);
    return engine_ != nullptr || is_tried_;
  }
  // Returns nullptr if the debug information cannot be read. The module must
  // have a debug image.
  AddressResolver* Get() {
    if (!IsOpened()) Open();
    return engine_;
  }
  void Set(std::unique_ptr<AddressResolver> opened) {
    opened_ = std::move(opened);
    engine_ = opened_.get();
  }
  // Returns nullptr if no engine was opened, or if it belongs to `indexes`.
  std::unique_ptr<AddressResolver> TakeOpened() { return std::move(opened_); }

 private:
  void Open() {
    is_tried_ = true;
    const Module& module = *lookup_.module;
    auto opened =
        OpenDwarfResolver(*module.debug(), module.binary(), module.symbols(),
                          jobs_, module.split_search());
    if (opened)
      Set(std::move(*opened));
    else
      lookup_.problems.push_back(opened.error().message);
  }

  ModuleLookup& lookup_;
  const OpenIndexes* indexes_;
  unsigned jobs_;
  bool is_tried_ = false;
  std::unique_ptr<AddressResolver> opened_;
  AddressResolver* engine_ = nullptr;
};

// The result of a lookup in an index.
struct IndexResult {
  std::optional<IndexKey> missing = {};  // of an index to build
  bool is_answered = false;
};

// True if the module's split debug files (.dwo, .dwp) are still those from
// which `index` was made.
bool AreSplitFilesOf(const CachedIndex& index, LazyEngine& engine) {
  if (index.split_files().empty()) return true;
  if (engine.Get() == nullptr) return false;
  const std::optional<std::string> found = engine.Get()->IdentifySplitFiles();
  return found && *found == index.split_files();
}

IndexResult LookUpInIndex(ModuleLookup& lookup, OpenIndexes& indexes,
                          LazyEngine& engine, unsigned jobs) {
  const OpenIndexes::Found found = indexes.Find(*lookup.module);
  lookup.cache_problem = found.problem;
  if (found.index == nullptr)
    return {.missing = found.is_missing ? found.key : std::nullopt};
  const CachedIndex& index = *found.index;
  if (!AreSplitFilesOf(index, engine)) return {.missing = found.key};
  if (!index.has_map()) return {};
  if (auto answers = index.Resolve(lookup.addresses, jobs)) {
    lookup.answers = std::move(*answers);
    if (!index.split_files().empty()) {
      engine.Get()->NoteSplitFiles(lookup.addresses);
      lookup.split_files = engine.Get()->split_files();
    }
    return {.is_answered = true};
  }
  lookup.cache_problem = indexes.Discard(*lookup.module);
  return {.missing = found.key};
}

// Looks up the addresses in the module's debug information. Returns the engine
// that was used; nullptr if there is no debug information or if it cannot be
// read. If the engine will be used again, to build an index or for another
// dump, it keeps a .debug_info of usual size in memory.
AddressResolver* LookUpInDebugImage(ModuleLookup& lookup, LazyEngine& engine,
                                    bool is_used_again, unsigned jobs) {
  const Module& module = *lookup.module;
  if (module.debug() == nullptr) return nullptr;
  if (engine.IsOpened()) {
    if (engine.Get() != nullptr)
      lookup.answers = engine.Get()->Resolve(lookup.addresses);
    return engine.Get();
  }
  auto answered = OpenAndResolveDwarf(
      *module.debug(), module.binary(),
      [&module]() -> const SymbolTable& { return module.symbols(); },
      lookup.addresses,
      {.jobs = jobs,
       .split = module.split_search(),
       .streaming = {.most_kept =
                         is_used_again ? UnitStreaming::kUsualSize : 0}});
  if (!answered) {
    lookup.problems.push_back(answered.error().message);
    return nullptr;
  }
  lookup.answers = std::move(answered->answers);
  engine.Set(std::move(answered->resolver));
  return engine.Get();
}

// Looks up the addresses in the module's portable index. Returns false if there
// is none or if it is damaged.
bool LookUpInPortableIndex(ModuleLookup& lookup, unsigned jobs) {
  const PortableIndex* const index = lookup.module->index();
  if (index == nullptr) return false;
  if (auto answers = index->Resolve(lookup.addresses, jobs)) {
    lookup.answers = std::move(*answers);
    return true;
  }
  lookup.problems.push_back(index->path() + ": the index is damaged");
  return false;
}

// Looks up the addresses in the module's debug information if it can be read,
// else in its symbols.
void LookUpInFiles(ModuleLookup& lookup, LazyEngine& engine, bool is_used_again,
                   unsigned jobs) {
  std::unique_ptr<AddressResolver> of_symbols;
  AddressResolver* resolver =
      LookUpInDebugImage(lookup, engine, is_used_again, jobs);
  if (resolver == nullptr) {
    of_symbols = MakeSymbolResolver(lookup.module->symbols());
    resolver = of_symbols.get();
    lookup.answers = resolver->Resolve(lookup.addresses);
  }
  for (std::string& problem : resolver->problems())
    lookup.problems.push_back(std::move(problem));
  lookup.split_files = resolver->split_files();
}

// Returns true if an index has answered.
bool LookUp(ModuleLookup& lookup, OpenIndexes* indexes, unsigned jobs) {
  if (LookUpInPortableIndex(lookup, jobs)) return true;
  const Module& module = *lookup.module;
  const unsigned engine_jobs = indexes != nullptr ? indexes->jobs() : jobs;
  LazyEngine engine(lookup, indexes, engine_jobs);
  IndexResult indexed;
  if (module.debug() != nullptr && indexes != nullptr)
    indexed = LookUpInIndex(lookup, *indexes, engine, jobs);
  if (!indexed.is_answered)
    LookUpInFiles(lookup, engine,
                  indexes != nullptr && indexes->WillUseEngineAgain(module),
                  engine_jobs);
  std::unique_ptr<AddressResolver> opened = engine.TakeOpened();
  if (indexes == nullptr) return false;
  if (indexed.missing && opened != nullptr)
    lookup.missing_index =
        MissingIndex{&module, *std::move(indexed.missing), std::move(opened)};
  else
    indexes->KeepEngine(module, std::move(opened));
  return indexed.is_answered;
}

// Returns true if a path was changed.
bool MakePathsNormal(std::vector<std::string>& files) {
  bool is_changed = false;
  for (std::string& file : files) {
    if (IsPlainPath(file) || file.empty()) continue;
    file = NormalPath(file);
    is_changed = true;
  }
  return is_changed;
}

// Gives equal files one number.
void JoinEqualFiles(ResolvedAddresses& answers) {
  std::unordered_map<std::string_view, uint32_t, RandomHash> numbers;
  numbers.reserve(answers.files.size());
  std::vector<uint32_t> number_of(answers.files.size());
  bool has_duplicates = false;
  for (uint32_t i = 0; i < answers.files.size(); ++i) {
    number_of[i] = numbers.try_emplace(answers.files[i], i).first->second;
    has_duplicates |= number_of[i] != i;
  }
  if (!has_duplicates) return;
  for (SourceFunction& function : answers.functions)
    function.file = number_of[function.file];
  for (SourceFrame& frame : answers.frames) frame.file = number_of[frame.file];
}

// Each call of a function without a name would otherwise look like a function.
void FindUnnamedFunctions(ModuleLookup& lookup) {
  const std::vector<FrameRun>& runs = lookup.answers.runs;
  for (size_t i = 0; i < runs.size(); ++i) {
    if (runs[i].count != 0) continue;
    const auto start =
        lookup.module->unwind_table().FindStart(lookup.addresses[i]);
    if (!start) continue;
    lookup.unnamed_starts.resize(runs.size());
    lookup.unnamed_starts[i] = *start;
  }
}

}  // namespace

void NormalizePaths(ResolvedAddresses& answers) {
  MakePathsNormal(answers.files);
  JoinEqualFiles(answers);
}

void LookUpModule(ModuleLookup& lookup, OpenIndexes* indexes, unsigned jobs) {
  const std::string& problem = lookup.module->problem();
  if (!problem.empty()) lookup.problems.push_back(problem);
  if (lookup.addresses.empty()) return;
  lookup.is_indexed = LookUp(lookup, indexes, jobs);
  // An index has no path twice.
  if (MakePathsNormal(lookup.answers.files) || !lookup.is_indexed)
    JoinEqualFiles(lookup.answers);
  FindUnnamedFunctions(lookup);
  if (std::string overwritten = lookup.module->OverwriteProblem();
      !overwritten.empty())
    lookup.problems.push_back(std::move(overwritten));
  if (const uint32_t most = lookup.answers.most_frames; most != 0)
    lookup.problems.push_back(fmt::format(
        "inlined calls left out: there are more than any real program has; of "
        "each address, at most the {} innermost are kept, and the function "
        "that contains them",
        most - 1));
}

}  // namespace heapprof
