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

std::string_view NameToDemangle(const SourceFunction& function) {
  if (!function.demangled_name.empty()) return {};
  return function.linkage_name.empty() ? MangledScope(function.scoped_name)
                                       : function.linkage_name;
}

}  // namespace

std::string_view MangledScope(std::string_view scoped_name) {
  return scoped_name.starts_with("_Z")
             ? scoped_name.substr(0, scoped_name.find("::"))
             : std::string_view();
}

LinkageNames::LinkageNames(const std::vector<ModuleLookup>& lookups,
                           unsigned jobs) {
  size_t functions = 0;
  for (const ModuleLookup& lookup : lookups)
    functions += lookup.answers.functions.size();
  name_of_.reserve(functions);
  NameTable table;
  for (const ModuleLookup& lookup : lookups)
    for (const SourceFunction& function : lookup.answers.functions)
      name_of_.push_back(table.NumberOf(NameToDemangle(function)));
  std::vector<std::string_view> names = std::move(table).Take();
  size_ = names.size() - 1;
  demangling_.emplace(std::move(names), jobs);
}

}  // namespace heapprof
