// SPDX-License-Identifier: Apache-2.0
//
// Demangles the linkage names of the functions of all modules in one batch.
// Each distinct name is demangled only once, because libraries have many
// functions in common.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/no_index.h"
#include "heapprof/demangle/demangle.h"
#include "symbolize/module_lookup.h"

namespace heapprof {

// Returns the C++ linkage name with which a scoped name begins (see
// SourceFunction); empty if there is none. A C++ linkage name is its own.
std::string_view MangledScope(std::string_view scoped_name);

// Returns the name to show for a scoped name. `scope` is the demangled form of
// its MangledScope().
std::string ReadableName(std::string_view scoped_name, std::string_view scope);

// Numbers the functions of all modules: first those of the first module, then
// those of the second, and so on.
class LinkageNames {
 public:
  // The names in `lookups` must outlive this object. `known` may be null;
  // otherwise, it has names that need not be demangled again.
  LinkageNames(const std::vector<ModuleLookup>& lookups, unsigned jobs,
               const DemangledNames* known = nullptr);

  // Returns how many distinct names are demangled.
  size_t size() const { return names_.size(); }
  // Adds the names that were demangled to `known`; waits for them if necessary.
  void AddTo(DemangledNames& known) const;
  // Adds the readable names of a module's functions to those that its index
  // will have, so that later runs need not make them, nor try in vain. Leaves
  // out Rust's names, because they would make the index a third larger, and
  // names for which there was no time. The functions of the module have the
  // numbers from `first` on.
  void AddForIndex(const ModuleLookup& lookup, size_t first,
                   DemangledNames& names) const;
  // True if Demangled() need not wait.
  bool IsReady(size_t function) const {
    const Name& name = name_of_[function];
    return name.number == kNoIndex || demangling_->IsReady(name.number);
  }
  // Returns the demangled linkage name of a function, or of the MangledScope()
  // of its scoped name; waits for it if necessary. The result is empty if there
  // is none, or if SourceFunction already has the demangled name from an index.
  std::string_view Demangled(size_t function) const {
    const Name& name = name_of_[function];
    return name.number == kNoIndex ? name.known : demangling_->Get(name.number);
  }

 private:
  bool IsFinal(size_t function) const;

  struct Name {
    std::string_view known = {};  // the demangled form, if it need not be made
    uint32_t number = kNoIndex;   // among those to demangle
  };

  std::vector<Name> name_of_;  // by function
  std::vector<std::string_view> names_;
  std::optional<Demangling> demangling_;  // of `names_`
};

}  // namespace heapprof
