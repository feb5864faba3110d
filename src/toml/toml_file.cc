// SPDX-License-Identifier: Apache-2.0
#include "heapprof/toml/toml_file.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/base/printable.h"
#include "heapprof/toml/toml_limits.h"
#include "toml/toml_hazards.h"

namespace heapprof {
namespace {

std::string_view TypeName(const toml::node& node) {
  if (node.is_string()) return "a string";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a number";
  if (node.is_boolean()) return "a boolean";
  if (node.is_date()) return "a date";
  if (node.is_time()) return "a time";
  if (node.is_date_time()) return "a date with a time";
  if (node.is_array()) return "an array";
  return "a table";
}

std::string Found(const toml::node& node) {
  const auto text = node.value_exact<std::string_view>();
  return text ? fmt::format("'{:.200}'", *text) : std::string(TypeName(node));
}

// The library takes 10% for a damaged number, and 10 MiB for a number and
// something after it.
bool MayLackQuotes(std::string_view description) {
  constexpr std::string_view kSigns[] = {"integer", "floating-point",
                                         "value type", "comment or whitespace"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) {
    return description.contains(sign);
  });
}

}  // namespace

Result<toml::table> ParseToml(std::string_view text, const std::string& path,
                              std::string_view purpose) {
  if (text.size() > kLargestToml)
    return Fail(ErrorKind::kUsage,
                fmt::format("{}: expected at most {} bytes, found {}", path,
                            kLargestToml, text.size()));
  if (const auto hazard = FindTomlHazard(text))
    return Fail(ErrorKind::kUsage,
                fmt::format("{}:{}: not TOML for {}: expected {}", path,
                            hazard->line, purpose, hazard->expected));
  toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return TomlError(path, error.source(),
                     fmt::format("not TOML: {}{}", error.description(),
                                 MayLackQuotes(error.description())
                                     ? "; a text needs quotes, such as \"10%\""
                                     : ""));
  }
  return std::move(parsed).table();
}

std::unexpected<Error> TomlError(const std::string& path,
                                 const toml::source_region& region,
                                 std::string_view message) {
  return Fail(ErrorKind::kUsage,
              fmt::format("{}:{}: {}", path, region.begin.line, message));
}

std::unexpected<Error> UnexpectedToml(const TomlPlace& place,
                                      std::string_view expected) {
  return TomlError(place.path, place.node.source(),
                   fmt::format("{}: expected {}, found {}", place.key, expected,
                               Found(place.node)));
}

Result<void> SetToml(const TomlPlace& place, std::string& target) {
  const auto text = place.node.value_exact<std::string>();
  if (!text || text->find_first_not_of(" \t\r\n") == text->npos)
    return UnexpectedToml(place, "a text in quotes");
  target = *text;
  return {};
}

std::vector<std::pair<const toml::key*, const toml::node*>> InOrder(
    const toml::table& table) {
  std::vector<std::pair<const toml::key*, const toml::node*>> items;
  for (const auto& [key, node] : table) items.emplace_back(&key, &node);
  std::ranges::sort(items, {}, [](const auto& item) {
    const toml::source_position at = item.first->source().begin;
    return std::pair(at.line, at.column);
  });
  return items;
}

std::unexpected<Error> UnknownTomlKey(
    const std::string& path, const toml::key& key, std::string_view prefix,
    const std::vector<std::string_view>& known) {
  return TomlError(
      path, key.source(),
      fmt::format("unknown key '{}{:.60}'; expected one of {}", prefix,
                  Printable(key.str()), fmt::join(known, ", ")));
}

Result<std::vector<const toml::table*>> TablesAt(const TomlPlace& place) {
  const toml::array* const list = place.node.as_array();
  if (list == nullptr || (!list->empty() && !list->is_array_of_tables()))
    return UnexpectedToml(place, fmt::format("[[{}]]", place.key));
  std::vector<const toml::table*> tables;
  for (const toml::node& node : *list) tables.push_back(node.as_table());
  return tables;
}

std::unexpected<Error> LacksTomlKey(const std::string& path,
                                    const toml::table& table,
                                    std::string_view name,
                                    std::string_view what) {
  return TomlError(path, table.source(),
                   fmt::format("{}: expected {}, found none", name, what));
}

}  // namespace heapprof
