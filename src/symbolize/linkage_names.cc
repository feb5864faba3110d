// SPDX-License-Identifier: Apache-2.0
#include "symbolize/linkage_names.h"

#include <functional>
#include <string_view>
#include <utility>

#include "heapprof/base/id_table.h"

namespace heapprof {
namespace {

// Numbers names from 1; 0 means no name.
class NameTable {
 public:
  uint32_t NumberOf(std::string_view name) {
    if (name.empty()) return 0;
    const uint64_t hash = std::hash<std::string_view>()(name);
    uint32_t number =
        numbers_.Find(hash, [&](uint32_t i) { return names_[i] == name; });
    if (number == 0) {
      number = static_cast<uint32_t>(names_.size());
      names_.push_back(name);
      numbers_.Add(hash, number);
    }
    return number;
  }
  // Returns the names, indexed by number.
  std::vector<std::string_view> Take() && { return std::move(names_); }

 private:
  std::vector<std::string_view> names_ = {""};
  IdTable numbers_;
};

}  // namespace

LinkageNames::LinkageNames(const std::vector<ModuleLookup>& lookups,
                           unsigned jobs) {
  size_t functions = 0;
  for (const ModuleLookup& lookup : lookups)
    functions += lookup.answers.functions.size();
  name_of_.reserve(functions);
  NameTable table;
  for (const ModuleLookup& lookup : lookups)
    for (const SourceFunction& function : lookup.answers.functions)
      name_of_.push_back(function.demangled_name.empty()
                             ? table.NumberOf(function.linkage_name)
                             : 0);
  std::vector<std::string_view> names = std::move(table).Take();
  size_ = names.size() - 1;
  demangling_.emplace(std::move(names), jobs);
}

}  // namespace heapprof
