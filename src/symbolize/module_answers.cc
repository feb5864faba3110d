// SPDX-License-Identifier: Apache-2.0
#include "symbolize/module_answers.h"

#include <utility>

#include "heapprof/dwarf/dwarf_resolver.h"
#include "heapprof/dwarf/symbol_resolver.h"

namespace heapprof {
namespace {

// What the cache has for a module.
struct Lookup {
  std::optional<IndexKey> missing = {};  // an index that is worth building
  bool is_answered = false;
};

Lookup AskCache(ModuleAnswers& work, const IndexCache& cache) {
  const IndexKey key = IndexKeyOf(work.module->binary(), *work.module->debug());
  const auto found = cache.Find(key);
  if (!found) {
    work.cache_problem = found.error().message;
    // Where nothing can be read, nothing can be written.
    if (found.error().kind == ErrorKind::kIo) return {};
    return {.missing = key};
  }
  if (*found == nullptr) return {.missing = key};
  if (!(*found)->has_map()) return {};
  if (auto answers = (*found)->Resolve(work.addresses)) {
    work.answers = std::move(*answers);
    return {.is_answered = true};
  }
  work.cache_problem = cache.directory() + ": an index there is damaged";
  cache.Discard(key);
  return {.missing = key};
}

}  // namespace

void AnswerModule(ModuleAnswers& work, const IndexCache* cache, unsigned jobs) {
  const Module& module = *work.module;
  if (!module.problem().empty()) work.problems.push_back(module.problem());
  if (work.addresses.empty()) return;
  const ElfImage* debug = module.debug();
  Lookup lookup;
  if (debug != nullptr && cache != nullptr) lookup = AskCache(work, *cache);
  if (lookup.is_answered) return;
  std::unique_ptr<AddressResolver> resolver;
  if (debug != nullptr) {
    auto opened = OpenDwarfResolver(*debug, module.binary(), module.symbols(),
                                    jobs, module.split_search());
    if (opened) {
      resolver = std::move(*opened);
    } else {
      work.problems.push_back(opened.error().message);
    }
  }
  const bool has_dwarf = resolver != nullptr;
  if (!has_dwarf) resolver = MakeSymbolResolver(module.symbols());
  work.answers = resolver->Resolve(work.addresses);
  for (std::string& problem : resolver->problems())
    work.problems.push_back(std::move(problem));
  if (lookup.missing && has_dwarf)
    work.missing_index =
        MissingIndex{&module, *std::move(lookup.missing), std::move(resolver)};
}

}  // namespace heapprof
