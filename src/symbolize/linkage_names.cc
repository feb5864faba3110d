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
                           unsigned jobs, const DemangledNames* known) {
  std::vector<uint32_t> numbers;  // by function
  NameTable table;
  for (const ModuleLookup& lookup : lookups)
    for (const SourceFunction& function : lookup.answers.functions)
      numbers.push_back(table.NumberOf(NameToDemangle(function)));
  const std::vector<std::string_view> all = std::move(table).Take();
  std::vector<Name> names(all.size());  // by number
  if (known != nullptr) {
    const std::vector<std::string_view> forms = known->Find(all);
    for (size_t i = 0; i < forms.size(); ++i) names[i].known = forms[i];
  }
  for (size_t i = 1; i < all.size(); ++i) {
    if (!names[i].known.empty()) continue;
    names[i].number = static_cast<uint32_t>(names_.size());
    names_.push_back(all[i]);
  }
  name_of_.reserve(numbers.size());
  for (const uint32_t number : numbers) name_of_.push_back(names[number]);
  if (!names_.empty()) demangling_.emplace(names_, jobs);
}

void LinkageNames::AddTo(DemangledNames& known) const {
  for (size_t i = 0; i < names_.size(); ++i)
    known.Add(names_[i], demangling_->Get(i));
}

}  // namespace heapprof
