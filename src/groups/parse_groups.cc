// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include "heapprof/groups/groups_file.h"
#include "heapprof/toml/toml_file.h"

namespace heapprof {
namespace {

Result<void> AddRegex(const TomlPlace& place, std::vector<Regex>& regexes) {
  std::string text;
  if (auto set = SetToml(place, text); !set) return set;
  // A match that takes too long names the place, too.
  auto regex =
      Regex::Compile(fmt::format("{}:{}: {}", place.path,
                                 place.node.source().begin.line, place.key),
                     text);
  if (!regex) return std::unexpected(regex.error());
  regexes.push_back(*std::move(regex));
  return {};
}

// Adds a regular expression, or a list of them.
template <auto kMember>
Result<void> AddRegexes(const TomlPlace& place, Group& group) {
  const toml::array* const list = place.node.as_array();
  if (list == nullptr) return AddRegex(place, group.*kMember);
  if (list->empty())
    return TomlError(place.path, place.node.source(),
                     place.key +
                         ": expected a text in quotes or a list of "
                         "them, found an empty list");
  for (const toml::node& node : *list)
    if (auto added = AddRegex({place.path, place.key, node}, group.*kMember);
        !added)
      return added;
  return {};
}

Result<void> SetName(const TomlPlace& place, Group& group) {
  if (auto set = SetToml(place, group.name); !set) return set;
  const std::string_view expected = ExpectedGroupName(group.name);
  if (!expected.empty()) return UnexpectedToml(place, expected);
  return {};
}

Result<void> SetOwn(const TomlPlace& place, Group& group) {
  if (place.node.value_exact<bool>() != true)
    return UnexpectedToml(place, "true without quotes");
  group.takes_own = true;
  return {};
}

Result<void> SetFrom(const TomlPlace& place, Group& group) {
  const auto text = place.node.value_exact<std::string_view>();
  if (text != "leaf" && text != "root")
    return UnexpectedToml(place, "\"leaf\" or \"root\"");
  group.from_root = text == "root";
  return {};
}

constexpr TomlKey<Group> kGroupKeys[] = {
    {"name", SetName},
    {"function", AddRegexes<&Group::functions>},
    {"file", AddRegexes<&Group::files>},
    {"module", AddRegexes<&Group::modules>},
    {"own", SetOwn},
    {"from", SetFrom},
};

Result<Group> ReadGroup(const std::string& path, const toml::table& table,
                        const std::string& name) {
  Group group;
  if (auto read = ReadTomlTable<Group>(path, table, name, kGroupKeys, group);
      !read)
    return std::unexpected(read.error());
  if (group.name.empty()) return LacksTomlKey(path, table, name, "name");
  if (group.functions.empty() && group.files.empty() && group.modules.empty() &&
      !group.takes_own)
    return LacksTomlKey(path, table, name, "function, file, module or own");
  return group;
}

}  // namespace

Result<std::vector<Group>> ParseGroups(std::string_view text,
                                       const std::string& path) {
  const auto table = ParseToml(text, path, "groups");
  if (!table) return std::unexpected(table.error());
  std::vector<Group> groups;
  for (const auto& [key, node] : InOrder(*table)) {
    if (key->str() != "groups")
      return UnknownTomlKey(path, *key, "", {"[[groups]]"});
    const auto tables = TablesAt({path, "groups", *node});
    if (!tables) return std::unexpected(tables.error());
    for (size_t i = 0; i < tables->size(); ++i) {
      auto group = ReadGroup(path, *(*tables)[i], fmt::format("groups[{}]", i));
      if (!group) return std::unexpected(group.error());
      groups.push_back(*std::move(group));
    }
  }
  if (groups.empty())
    return Fail(ErrorKind::kUsage,
                path +
                    ": expected [[groups]] with name and function, file, "
                    "module or own; found none");
  return groups;
}

}  // namespace heapprof
