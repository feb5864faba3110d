// SPDX-License-Identifier: Apache-2.0
#include "heapprof/groups/suggest_groups.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/escaped_pattern.h"
#include "heapprof/base/printable.h"
#include "heapprof/base/replace_all.h"
#include "heapprof/base/unqualified_name.h"
#include "heapprof/groups/built_in_groups.h"
#include "heapprof/groups/groups_file.h"

namespace heapprof {
namespace {

using Kind = GroupCandidate::Kind;

// True if the text can be in a literal string of TOML.
bool IsPlain(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return c >= ' ' && c <= '~' && c != '\''; });
}

std::string NameOf(const GroupCandidate& candidate) {
  if (candidate.kind == Kind::kFolder)
    return std::string(BaseName(candidate.text));
  return ReplaceAll(candidate.text, "::", "/");
}

std::string RuleOf(const GroupCandidate& candidate) {
  const std::string text = EscapedPattern(candidate.text);
  switch (candidate.kind) {
    case Kind::kScope:
      return fmt::format("function = '^{}::'", text);
    case Kind::kCrate:
      return fmt::format("function = '^<?{}::'", text);
    case Kind::kFolder:
      return fmt::format("file = '(^|/){}/'", text);
    case Kind::kModule:
      // The next version of a library has the same group.
      return fmt::format("module = '(^|/){}{}'", text,
                         IsLibraryName(candidate.text) ? "(\\.|$)" : "$");
  }
  return "";
}

SuggestedGroup GroupFrom(const GroupCandidate& candidate) {
  SuggestedGroup group = {.name = NameOf(candidate), .value = candidate.value};
  group.toml =
      fmt::format("[[groups]]\nname = \"{}\"\n{}\n",
                  ReplaceAll(group.name, "\\", "\\\\"), RuleOf(candidate));
  if (candidate.kind == Kind::kScope || candidate.kind == Kind::kCrate)
    group.scope = candidate.text;
  return group;
}

// Moves each group behind those of namespaces inside its own.
void PutInnerScopesFirst(std::vector<SuggestedGroup>& groups) {
  for (size_t i = groups.size(); i-- > 0;) {
    if (groups[i].scope.empty()) continue;
    for (size_t k = groups.size() - 1; k > i; --k) {
      if (!IsInScope(groups[k].scope, groups[i].scope)) continue;
      std::rotate(groups.begin() + static_cast<ptrdiff_t>(i),
                  groups.begin() + static_cast<ptrdiff_t>(i) + 1,
                  groups.begin() + static_cast<ptrdiff_t>(k) + 1);
      break;
    }
  }
}

}  // namespace

Result<std::vector<SuggestedGroup>> SuggestGroups(
    const std::vector<GroupCandidate>& candidates) {
  std::vector<SuggestedGroup> groups;
  for (const GroupCandidate& candidate : candidates) {
    const auto built_in =
        FindBuiltInGroup(candidate.function, candidate.module);
    if (!built_in) return std::unexpected(built_in.error());
    if (built_in->name.empty()) {
      SuggestedGroup group = GroupFrom(candidate);
      if (IsPlain(candidate.text) && ExpectedGroupName(group.name).empty())
        groups.push_back(std::move(group));
      continue;
    }
    const auto known =
        std::ranges::find(groups, built_in->name, &SuggestedGroup::name);
    if (known == groups.end())
      groups.push_back({.name = built_in->name,
                        .toml = std::string(built_in->toml),
                        .value = candidate.value});
    else
      known->value += candidate.value;
  }
  return groups;
}

std::string WriteGroups(std::vector<SuggestedGroup> groups,
                        const std::vector<std::string>& heading) {
  std::ranges::stable_sort(
      groups, [](const SuggestedGroup& a, const SuggestedGroup& b) {
        return a.value > b.value;
      });
  PutInnerScopesFirst(groups);
  std::string file;
  for (const std::string& line : heading)
    file += fmt::format("# {}\n", Printable(line));
  for (const SuggestedGroup& group : groups)
    file += fmt::format(
        "\n{}{}", group.comment.empty() ? "" : "# " + group.comment + '\n',
        group.toml);
  return file;
}

}  // namespace heapprof
