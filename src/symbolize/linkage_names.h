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

#include "heapprof/demangle/demangle.h"
#include "symbolize/module_lookup.h"

namespace heapprof {

// Returns the linkage name with which a scoped name begins (see
// SourceFunction); empty if there is none.
std::string_view MangledScope(std::string_view scoped_name);

// Numbers the functions of all modules: first those of the first module, then
// those of the second, and so on.
class LinkageNames {
 public:
  // The names in `lookups` must outlive this object.
  LinkageNames(const std::vector<ModuleLookup>& lookups, unsigned jobs);

  // Returns how many distinct names are demangled.
  size_t size() const { return size_; }
  // True if Demangled() need not wait.
  bool IsReady(size_t function) const {
    return demangling_->IsReady(name_of_[function]);
  }
  // Returns the demangled linkage name of a function, or of the MangledScope()
  // of its scoped name; waits for it if necessary. The result is empty if there
  // is none, or if SourceFunction already has the demangled name from an index.
  const std::string& Demangled(size_t function) const {
    return demangling_->Get(name_of_[function]);
  }

 private:
  std::vector<uint32_t> name_of_;  // by function: number of its name; 0: none
  size_t size_ = 0;
  std::optional<Demangling> demangling_;
};

}  // namespace heapprof
