// SPDX-License-Identifier: Apache-2.0
//
// An index that the cache lacks, and how it is built behind the report for
// later runs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"
#include "heapprof/base/id_table.h"
#include "heapprof/base/text_store.h"
#include "heapprof/dwarf/address_resolver.h"
#include "heapprof/index/index_cache.h"
#include "heapprof/symbolize/module.h"

namespace heapprof {

// Linkage names that were demangled for a report.
class DemangledNames {
 public:
  // Copies both. The first form of a name counts.
  void Add(std::string_view linkage_name, std::string_view demangled);
  // The demangled forms of `names`, empty for those that were not shown; no
  // forms if none was. They are valid as long as this object.
  std::vector<std::string_view> Find(
      const std::vector<std::string_view>& names) const;

 private:
  struct Name {
    std::string_view linkage_name;
    std::string_view demangled;
  };

  TextStore texts_;
  std::vector<Name> names_;
  IdTable numbers_;  // indices + 1
};

struct MissingIndex {
  const Module* module = nullptr;
  IndexKey key;
  std::unique_ptr<AddressResolver> resolver;  // can tell its contents
  // What the index has of demangled names: others are demangled when they are
  // shown, if they ever are.
  DemangledNames demangled_names = {};
};

// Says what was done.
Result<std::string> BuildIndex(const IndexCache& cache, MissingIndex& missing,
                               unsigned jobs);

}  // namespace heapprof
