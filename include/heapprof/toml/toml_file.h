// SPDX-License-Identifier: Apache-2.0
//
// Reads files in TOML that users write: a text becomes a table, and the keys of
// a table become members of a struct. An unknown key is an error, so that a
// misspelled key cannot be overlooked. All errors are of kind kUsage and name
// the file, the line, the key, and what was expected and found.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/error.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

namespace heapprof {

// A value, with its file and key for messages.
struct TomlPlace {
  const std::string& path;
  std::string key;  // "max_total", "rules[0].function"
  const toml::node& node;
};

// Parses `text`, the contents of the file `path`. `purpose` says what the file
// is for: "budgets".
Result<toml::table> ParseToml(std::string_view text, const std::string& path,
                              std::string_view purpose);

// Returns the error "PATH:LINE: MESSAGE".
std::unexpected<Error> TomlError(const std::string& path,
                                 const toml::source_region& region,
                                 std::string_view message);
// Returns the error that a value is not what was expected.
std::unexpected<Error> UnexpectedToml(const TomlPlace& place,
                                      std::string_view expected);

// Sets a text that is not blank.
Result<void> SetToml(const TomlPlace& place, std::string& target);

// A key that a table may have, and the function that stores its value in `T`.
template <typename T>
struct TomlKey {
  std::string_view name;
  Result<void> (*set)(const TomlPlace& place, T& target);
};

// Returns the items of `table` in the order of the file, so that the error that
// is reported is the first one in the file.
std::vector<std::pair<const toml::key*, const toml::node*>> InOrder(
    const toml::table& table);

// `prefix` precedes the key in the message: "rules[0].".
std::unexpected<Error> UnknownTomlKey(
    const std::string& path, const toml::key& key, std::string_view prefix,
    const std::vector<std::string_view>& known);

// Returns the array of tables [[key]]; fails if `place` is something else.
Result<std::vector<const toml::table*>> TablesAt(const TomlPlace& place);

template <typename T>
std::vector<std::string_view> NamesOf(std::span<const TomlKey<T>> keys) {
  std::vector<std::string_view> names;
  for (const TomlKey<T>& key : keys) names.push_back(key.name);
  return names;
}

// Stores the values of `table`, whose name is `name`, in `target`.
template <typename T>
Result<void> ReadTomlTable(const std::string& path, const toml::table& table,
                           const std::string& name,
                           std::span<const TomlKey<T>> keys, T& target) {
  for (const auto& [key, node] : InOrder(table)) {
    const auto it = std::ranges::find(keys, key->str(), &TomlKey<T>::name);
    if (it == keys.end())
      return UnknownTomlKey(path, *key, name + '.', NamesOf(keys));
    const TomlPlace place = {path, name + '.' + std::string(key->str()), *node};
    if (auto set = it->set(place, target); !set) return set;
  }
  return {};
}

// Returns the error that `table` lacks `what`.
std::unexpected<Error> LacksTomlKey(const std::string& path,
                                    const toml::table& table,
                                    std::string_view name,
                                    std::string_view what);

}  // namespace heapprof
