// SPDX-License-Identifier: Apache-2.0
#include "symbolize/open_indexes.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>

namespace heapprof {

OpenIndexes::Entry* OpenIndexes::FindEntry(const Module& module) const {
  const auto it = std::ranges::find_if(entries_, [&module](const auto& entry) {
    return entry->module == &module;
  });
  return it == entries_.end() ? nullptr : it->get();
}

OpenIndexes::Entry& OpenIndexes::Open(const Module& module) {
  Entry& entry = *entries_.emplace_back(std::make_unique<Entry>());
  entry.module = &module;
  entry.key = IndexKeyOf(module.binary(), *module.debug(), module.alternate());
  entry.is_missing = true;
  if (cache_ == nullptr) return entry;
  auto found = cache_->Find(entry.key, jobs_);
  // A cache that cannot be read cannot be written either.
  entry.uses_cache = found || found.error().kind != ErrorKind::kIo;
  if (!found) {
    entry.problem = found.error().message;
    entry.is_missing = entry.uses_cache || expects_more_;
    return entry;
  }
  entry.index = std::move(*found);
  entry.is_missing = entry.index == nullptr;
  return entry;
}

void OpenIndexes::Prepare(const Module& module) {
  if (module.debug() == nullptr) return;
  module.alternate();  // may ask a server
  Find(module);
}

OpenIndexes::Found OpenIndexes::Find(const Module& module) {
  if (cache_ == nullptr && !expects_more_) return {};
  Entry* entry = FindEntry(module);
  if (entry == nullptr)
    entry = &Open(module);
  else if (entry->missing && expects_more_)
    BuildNow(*entry);
  if (entry->index != nullptr && expects_more_) entry->index->KeepAnswers();
  return {.index = entry->index.get(),
          .key = entry->key,
          .is_missing = entry->is_missing,
          .problem = entry->problem};
}

std::string OpenIndexes::Discard(const Module& module) {
  Entry& entry = *FindEntry(module);
  entry.index.reset();
  entry.is_missing = true;
  if (!entry.uses_cache) return "";
  cache_->Discard(entry.key);
  return cache_->directory() + ": contained a damaged index";
}

bool OpenIndexes::WillUseEngineAgain(const Module& module) const {
  const Entry* const entry = FindEntry(module);
  return expects_more_ ||
         (entry != nullptr && entry->uses_cache && entry->is_missing);
}

void OpenIndexes::AddMissing(MissingIndex missing) {
  Entry& entry = *FindEntry(*missing.module);
  entry.missing = std::move(missing);
}

void OpenIndexes::KeepEngine(const Module& module,
                             std::unique_ptr<AddressResolver> opened) {
  if (!expects_more_) return;
  Entry* entry = FindEntry(module);
  if (entry == nullptr) return;
  if (opened != nullptr) entry->engine = std::move(opened);
  if (entry->engine != nullptr && !entry->engine->IsReusable())
    entry->engine.reset();
}

AddressResolver* OpenIndexes::FindEngine(const Module& module) const {
  const Entry* const entry = FindEntry(module);
  if (entry == nullptr) return nullptr;
  return entry->missing ? entry->missing->resolver.get() : entry->engine.get();
}

void OpenIndexes::Store(MissingIndex& missing) {
  const std::string& path = missing.module->binary().path();
  const auto built = BuildIndex(*cache_, missing, jobs_);
  if (!built)
    messages_.Warn(WarningKind::kIndexCache,
                   "no index for later runs: " + built.error().message);
  else
    messages_.Note(fmt::format("{}: {}", path, *built));
}

// Afterwards, the index is not missing any more, even if it cannot be built:
// then its engine is kept.
void OpenIndexes::BuildNow(Entry& entry) {
  MissingIndex missing = *std::exchange(entry.missing, {});
  entry.is_missing = false;
  entry.index.reset();
  if (entry.uses_cache) {
    Store(missing);
    auto found = cache_->Find(entry.key, jobs_);
    if (found && *found && (*found)->split_files() == missing.key.split_files)
      entry.index = std::move(*found);
  }
  if (entry.index == nullptr) entry.index = BuildIndexInMemory(missing, jobs_);
  if (entry.index == nullptr || !missing.key.split_files.empty())
    KeepEngine(*entry.module, std::move(missing.resolver));
}

bool OpenIndexes::HasWork() const {
  return !messages_.empty() ||
         std::ranges::any_of(entries_, [](const auto& entry) {
           return entry->missing && entry->uses_cache;
         });
}

void OpenIndexes::Build(Diagnostics& diagnostics) {
  for (const auto& entry : entries_) {
    if (!entry->missing || !entry->uses_cache) continue;
    Store(*entry->missing);
    // Free each engine at once: it may be large.
    entry->missing.reset();
  }
  diagnostics.Merge(std::exchange(messages_, {}));
}

}  // namespace heapprof
