// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/unique_part.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "heapprof/demangle/shown_names.h"

namespace heapprof {
namespace {

// Returns the ends of `name` that begin after a scope, the longest first.
std::vector<std::string_view> PartsOf(std::string_view name) {
  constexpr size_t kShortest = 4;  // less says nothing
  constexpr std::string_view kScope = "::";
  std::vector<std::string_view> parts;
  for (size_t at = name.find(kScope); at != name.npos;
       at = name.find(kScope, at + 1)) {
    const std::string_view part = name.substr(at + kScope.size());
    const bool is_whole =
        std::ranges::count(part, '<') == std::ranges::count(part, '>') &&
        std::ranges::count(part, '(') == std::ranges::count(part, ')');
    if (is_whole && part.size() >= kShortest) parts.push_back(part);
  }
  return parts;
}

// True if each function that has `part` in a form of its name has `name`, too.
bool IsUnique(std::string_view part, std::string_view name,
              const std::vector<std::vector<std::string>>& functions) {
  const auto has = [](const std::vector<std::string>& forms,
                      std::string_view text) {
    return std::ranges::any_of(
        forms, [&](const std::string& form) { return form.contains(text); });
  };
  return std::ranges::all_of(functions, [&](const auto& forms) {
    return !has(forms, part) || has(forms, name);
  });
}

}  // namespace

std::string_view UniquePart(
    std::string_view name, const Profile& profile,
    const std::function<bool(std::string_view part)>& fits) {
  if (fits(name)) return name;
  const std::vector<std::string_view> parts = PartsOf(name);
  if (parts.empty()) return name;
  // All parts contain the last one.
  std::vector<std::vector<std::string>> functions;
  for (const Function& function : profile.functions)
    if (const std::string_view full = profile.String(function.name);
        full.contains(parts.back()))
      functions.push_back(ShownNames(full));
  for (const std::string_view part : parts) {
    if (!IsUnique(part, name, functions)) break;  // nor are shorter ones
    if (fits(part)) return part;
  }
  return name;
}

}  // namespace heapprof
