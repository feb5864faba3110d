// SPDX-License-Identifier: Apache-2.0
#include "heapprof/demangle/shown_names.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "demangle/find_special.h"
#include "demangle/operator_symbol.h"
#include "demangle/reference_qualifiers.h"
#include "heapprof/demangle/names.h"

namespace heapprof {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";

// Returns the position of the argument list of a function's name: of the first
// parenthesis outside all brackets, unless it is part of the name or of a
// decltype. Returns the size of the name if it has no argument list. Sets
// `name_start` to the position after the last blank before, outside all
// brackets.
size_t FindArguments(std::string_view name, size_t& name_start) {
  static constexpr CharSet kBrackets = SetOf("(<{[)>}]");
  static constexpr CharSet kMattersOutside = SetOf("(<{[)>}] o");
  int depth = 0;
  for (size_t i = 0; i < name.size(); ++i) {
    i = FindAny(depth == 0 ? kMattersOutside : kBrackets, name, i);
    if (i == name.size()) break;
    const std::string_view before = name.substr(0, i);
    const std::string_view rest = name.substr(i);
    const char c = name[i];
    if (depth == 0 && IsOperatorAt(before, rest)) {
      i += kOperator.size() - 1;
      i += BracketOperatorAt(name.substr(i + 1)).size();
      continue;
    }
    if (depth == 0 && c == '(' && !rest.starts_with(kAnonymous) &&
        !before.ends_with("decltype ") && !before.ends_with("decltype"))
      return i;
    if (c == '<' || c == '(' || c == '{' || c == '[') ++depth;
    if (c == '>' || c == ')' || c == '}' || c == ']') --depth;
    if (depth == 0 && c == ' ' && !before.ends_with("decltype") &&
        !before.ends_with("operator<") && !rest.starts_with(" <"))
      name_start = i + 1;
  }
  return name.size();
}

}  // namespace

std::string_view WithoutReturnType(std::string_view demangled) {
  size_t name_start = 0;
  const size_t arguments = FindArguments(demangled, name_start);
  return demangled.substr(0, arguments).ends_with('>')
             ? demangled.substr(name_start)
             : demangled;
}

std::vector<std::string> ShownNames(std::string_view demangled) {
  const std::string normal = NormalizeName(demangled);
  const std::string_view bare = WithoutReturnType(normal);
  const std::string with_templates = TemplateName(bare);
  const std::string shortest = ShortName(bare);
  // As StyledName() makes them.
  std::vector<std::string> names = {std::string(demangled), normal,
                                    std::string(bare),
                                    WithoutReferenceQualifiers(with_templates),
                                    WithoutReferenceQualifiers(shortest)};
  if (demangled == bare) {
    names.insert(names.end(), {with_templates, shortest});
  } else {
    names.insert(names.end(), {TemplateName(demangled), ShortName(demangled)});
  }
  std::ranges::sort(names);
  const auto repeated = std::ranges::unique(names);
  names.erase(repeated.begin(), repeated.end());
  return names;
}

Result<bool> MatchesShownName(const Regex& regex, std::string_view full_name) {
  for (const std::string& name : ShownNames(full_name)) {
    const Result<bool> matches = regex.Matches(name);
    if (!matches || *matches) return matches;
  }
  return false;
}

}  // namespace heapprof
