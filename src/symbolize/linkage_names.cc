// SPDX-License-Identifier: Apache-2.0
#include "symbolize/linkage_names.h"

#include <string_view>
#include <utility>

#include "heapprof/base/hash.h"
#include "heapprof/base/id_table.h"
#include "heapprof/base/no_index.h"
#include "heapprof/demangle/names.h"
#include "heapprof/demangle/rust_mangling.h"

namespace heapprof {
namespace {

class NameTable {
 public:
  // Numbers the names from 0, in the order in which they first come.
  uint32_t NumberOf(std::string_view name) {
    const uint32_t number = index_.FindOrAddIndex(
        HashOfText(name), names_.size(),
        [&](uint32_t known) { return names_[known] == name; });
    if (number == names_.size()) names_.push_back(name);
    return number;
  }
  // Returns the names, indexed by number.
  std::vector<std::string_view> Take() && { return std::move(names_); }

 private:
  std::vector<std::string_view> names_;
  IdTable index_;
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

std::string ReadableName(std::string_view scoped_name, std::string_view scope) {
  const size_t mangled_size = MangledScope(scoped_name).size();
  return std::string(scope) +
         DemanglerSpelling(scoped_name.substr(mangled_size));
}

LinkageNames::LinkageNames(const std::vector<ModuleLookup>& lookups,
                           unsigned jobs, const DemangledNames* known) {
  NameTable table;
  for (const ModuleLookup& lookup : lookups)
    for (const SourceFunction& function : lookup.answers.functions) {
      const std::string_view name = NameToDemangle(function);
      Name& added = name_of_.emplace_back();
      if (known != nullptr) added.known = known->Find(name);
      if (!name.empty() && added.known.empty())
        added.number = table.NumberOf(name);
    }
  names_ = std::move(table).Take();
  if (!names_.empty()) demangling_.emplace(names_, jobs);
}

void LinkageNames::AddTo(DemangledNames& known) const {
  for (size_t i = 0; i < names_.size(); ++i)
    known.Add(names_[i], demangling_->Get(i));
}

// True if another run cannot demangle what this one could not.
bool LinkageNames::IsFinal(size_t function) const {
  const uint32_t number = name_of_[function].number;
  return number != kNoIndex && demangling_->IsFinal(number);
}

void LinkageNames::AddForIndex(const ModuleLookup& lookup, size_t first,
                               DemangledNames& names) const {
  if (!CanDemangle()) return;
  for (size_t i = 0; i < lookup.answers.functions.size(); ++i) {
    const SourceFunction& function = lookup.answers.functions[i];
    const bool is_scoped = function.linkage_name.empty();
    const std::string_view name =
        is_scoped ? function.scoped_name : function.linkage_name;
    const std::string_view mangled = MangledScope(name);
    if (mangled.empty() || MayBeRust(mangled)) continue;
    const std::string_view demangled = Demangled(first + i);
    if (demangled == mangled && !IsFinal(first + i)) continue;
    names.Add(name, is_scoped ? ReadableName(name, demangled) : demangled);
  }
}

}  // namespace heapprof
