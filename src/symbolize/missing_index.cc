// SPDX-License-Identifier: Apache-2.0
#include "heapprof/symbolize/missing_index.h"

#include <cstdint>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/hash.h"
#include "heapprof/dwarf/code_map.h"
#include "heapprof/index/index_file.h"

namespace heapprof {
namespace {

constexpr std::string_view kLacksSplitFiles =
    "no index: some of its split debug information is missing or damaged";

// Adds to the key what identifies the split files. Returns false if some are
// missing.
bool IdentifySplitFiles(MissingIndex& missing) {
  auto split_files = missing.resolver->IdentifySplitFiles();
  if (!split_files) return false;
  missing.key.split_files = *std::move(split_files);
  return true;
}

std::optional<CodeMap> MapCode(MissingIndex& missing, unsigned jobs) {
  std::optional<CodeMap> map = missing.resolver->MapCode(jobs);
  if (map) map->demangled_names = missing.demangled_names.FindAll(map->names);
  return map;
}

}  // namespace

void DemangledNames::Add(std::string_view name, std::string_view demangled) {
  names_.push_back({texts_.Add(name), texts_.Add(demangled)});
  numbers_.Add(HashOfText(name), static_cast<uint32_t>(names_.size()));
}

std::string_view DemangledNames::Find(std::string_view name) const {
  const uint32_t number = numbers_.Find(
      HashOfText(name), [&](uint32_t i) { return names_[i - 1].name == name; });
  return number == 0 ? std::string_view() : names_[number - 1].demangled;
}

std::vector<std::string_view> DemangledNames::FindAll(
    const std::vector<std::string_view>& names) const {
  std::vector<std::string_view> forms;
  if (names_.empty()) return forms;
  forms.reserve(names.size());
  for (const std::string_view name : names) forms.push_back(Find(name));
  return forms;
}

Result<std::string> BuildIndex(const IndexCache& cache, MissingIndex& missing,
                               unsigned jobs) {
  if (!IdentifySplitFiles(missing)) return std::string(kLacksSplitFiles);
  auto slot = cache.Reserve(missing.key);
  if (!slot) return std::unexpected(slot.error());
  if (*slot == nullptr) return "another run builds or has built its index";
  std::optional<CodeMap> map = MapCode(missing, jobs);
  auto bytes = EncodeIndex(missing.key, map ? &*map : nullptr, jobs);
  // If there is no map, or if it does not fit the format, store an index
  // without a map, so that later runs do not try again.
  const bool is_indexed = map && bytes;
  if (!bytes) bytes = EncodeIndex(missing.key, nullptr);
  map.reset();
  if (std::string overwritten = missing.module->OverwriteProblem();
      !overwritten.empty())
    return "no index: " + overwritten;
  if (auto filled = (*slot)->Fill(*bytes); !filled)
    return std::unexpected(filled.error());
  return is_indexed
             ? fmt::format("index of {} bytes built", bytes->size())
             : std::string(
                   "no index: some of its debug information cannot be indexed");
}

std::unique_ptr<CachedIndex> BuildIndexInMemory(MissingIndex& missing,
                                                unsigned jobs) {
  if (!IdentifySplitFiles(missing)) return nullptr;
  std::optional<CodeMap> map = MapCode(missing, jobs);
  if (!map) return nullptr;
  auto bytes = EncodeIndex(missing.key, &*map, jobs);
  map.reset();
  if (!bytes) return nullptr;
  auto index = OpenIndexInMemory(*std::move(bytes), jobs);
  return index ? *std::move(index) : nullptr;
}

}  // namespace heapprof
