// SPDX-License-Identifier: Apache-2.0
//
// An index that the cache lacks; it is built for later runs, or for the other
// profiles of this run.
#pragma once

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

// Names of functions with the forms that a report showed: demangled linkage
// names, and scoped names with a demangled scope. The index stores them, so
// that later runs need not demangle.
class DemangledNames {
 public:
  // Copies both texts. If a name is added twice, the first demangled form
  // counts.
  void Add(std::string_view name, std::string_view demangled);
  // Returns the demangled form of a name; empty if the name was not added. The
  // view remains valid for the lifetime of this object.
  std::string_view Find(std::string_view name) const;
  // The same for each of `names`. Returns an empty vector if no name was added
  // at all.
  std::vector<std::string_view> FindAll(
      const std::vector<std::string_view>& names) const;

 private:
  struct Name {
    std::string_view name;
    std::string_view demangled;
  };

  TextStore texts_;
  std::vector<Name> names_;
  IdTable numbers_;  // indices into names_, plus 1
};

struct MissingIndex {
  const Module* module = nullptr;
  IndexKey key;
  std::unique_ptr<AddressResolver> resolver;  // makes the CodeMap
  // The demangled names that the index will contain. Other names are demangled
  // whenever a report shows them.
  DemangledNames demangled_names = {};
};

// Builds the index and stores it in the cache. Returns a sentence for the user
// about the result.
Result<std::string> BuildIndex(const IndexCache& cache, MissingIndex& missing,
                               unsigned jobs);
// Builds the index for this run only. Returns nullptr if the debug information
// cannot be indexed.
std::unique_ptr<CachedIndex> BuildIndexInMemory(MissingIndex& missing,
                                                unsigned jobs);

}  // namespace heapprof
