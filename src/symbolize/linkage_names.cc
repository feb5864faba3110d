// SPDX-License-Identifier: Apache-2.0
#include "symbolize/linkage_names.h"

#include <functional>
#include <utility>

namespace heapprof {

LinkageNames::LinkageNames(const std::vector<ModuleAnswers>& work,
                           unsigned jobs) {
  size_t functions = 0;
  for (const ModuleAnswers& w : work) functions += w.answers.functions.size();
  name_of_.reserve(functions);
  std::vector<std::string_view> names = {""};
  for (const ModuleAnswers& w : work)
    for (const SourceFunction& function : w.answers.functions)
      name_of_.push_back(function.demangled_name.empty()
                             ? NumberOf(function.linkage_name, names)
                             : kNone);
  size_ = names.size() - 1;
  demangling_.emplace(std::move(names), jobs);
}

uint32_t LinkageNames::NumberOf(std::string_view name,
                                std::vector<std::string_view>& names) {
  if (name.empty()) return kNone;
  const uint64_t hash = std::hash<std::string_view>()(name);
  if (const uint32_t known = numbers_.Find(
          hash, [&](uint32_t number) { return names[number] == name; }))
    return known;
  const auto number = static_cast<uint32_t>(names.size());
  names.push_back(name);
  numbers_.Add(hash, number);
  return number;
}

}  // namespace heapprof
