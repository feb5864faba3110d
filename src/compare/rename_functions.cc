// SPDX-License-Identifier: Apache-2.0
#include "compare/rename_functions.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

// The names of one function.
using NameSet = std::vector<const NameInBuilds*>;

// Returns what the names agree in.
std::string CommonName(const NameSet& names) {
  std::set<std::string> texts, with_arguments, matching, loose;
  for (const NameInBuilds* name : names) {
    texts.insert(name->text);
    if (name->has_arguments) with_arguments.insert(name->text);
    matching.insert(name->matching);
  }
  if (texts.size() == 1) return *texts.begin();
  if (matching.size() == 1)
    return with_arguments.size() == 1 ? *with_arguments.begin()
                                      : *matching.begin();
  for (const std::string& name : matching)
    loose.insert(LooseMatchingName(name));
  // Braces are placeholders of compilers, such as {unnamed}.
  return *std::ranges::min_element(loose, {}, [](const std::string& name) {
    return std::pair(name.contains('{'), name.size());
  });
}

// Returns one of the names, if possible with an argument list. No other
// function has it.
const std::string& FirstName(const NameSet& names) {
  const auto key = [](const NameInBuilds* name) {
    return std::pair(!name->has_arguments, std::string_view(name->text));
  };
  return std::ranges::min(names, {}, key)->text;
}

// A name that all functions have already stays as it came from the file.
void SetName(const NameSet& names, std::string_view text, Profile& profile) {
  std::vector<FunctionId> functions;
  std::set<StringId> old_names;
  for (const NameInBuilds* name : names)
    for (const FunctionId id : name->functions) {
      functions.push_back(id);
      old_names.insert(profile.functions[id.index()].name);
    }
  if (old_names.size() == 1) return;
  const StringId name = profile.strings.Intern(text);
  for (const FunctionId id : functions)
    profile.functions[id.index()].name = name;
}

}  // namespace

void RenameFunctions(const std::vector<NameInBuilds>& names, Matches& matches,
                     Profile& profile) {
  std::map<size_t, NameSet> sets;                             // by root
  std::map<std::string_view, std::set<size_t>> sets_of_text;  // their roots
  for (size_t i = 0; i < names.size(); ++i) {
    const size_t root = matches.Root(i);
    sets[root].push_back(&names[i]);
    sets_of_text[names[i].text].insert(root);
  }
  std::map<size_t, std::string> common_names;  // by root
  std::map<std::string, size_t> uses;
  for (const auto& [root, set] : sets)
    if (matches.BuildsOf(root).size() > 1)
      ++uses[common_names[root] = CommonName(set)];
  for (const auto& [root, name] : common_names) {
    const auto owners = sets_of_text.find(name);
    const bool is_taken = uses[name] > 1 || (owners != sets_of_text.end() &&
                                             owners->second != std::set{root});
    SetName(sets[root], is_taken ? FirstName(sets[root]) : name, profile);
  }
}

}  // namespace heapprof
