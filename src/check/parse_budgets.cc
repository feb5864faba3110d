// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <ranges>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "heapprof/check/budgets.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "check/toml_hazards.h"
#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

// A value in the budgets file, with its file and key for messages.
struct Place {
  const std::string& path;
  std::string key;  // "max_total", "rules[0].function"
  const toml::node& node;
};

std::unexpected<Error> UsageAt(const std::string& path,
                               const toml::source_region& region,
                               std::string_view message) {
  return Fail(ErrorKind::kUsage,
              fmt::format("{}:{}: {}", path, region.begin.line, message));
}

// Returns "b.toml:1: max_total".
std::string NameOf(const Place& place) {
  return fmt::format("{}:{}: {}", place.path, place.node.source().begin.line,
                     place.key);
}

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

std::unexpected<Error> Unexpected(const Place& place,
                                  std::string_view expected) {
  return UsageAt(place.path, place.node.source(),
                 fmt::format("{}: expected {}, found {}", place.key, expected,
                             Found(place.node)));
}

// Set() stores a value of the budgets file in a member, and fails if the value
// has the wrong type. There is one overload for each type of member.

Result<void> Set(const Place& place, std::optional<ParsedSize>& target) {
  if (const auto text = place.node.value_exact<std::string_view>())
    target = ParseSize(*text);
  if (!target)
    return Unexpected(place, fmt::format("{} in quotes", kExpectedSize));
  target->place = NameOf(place);
  return {};
}

Result<void> Set(const Place& place, std::optional<ParsedLimit>& target) {
  if (const auto text = place.node.value_exact<std::string_view>())
    target = ParseLimit(*text);
  if (!target)
    return Unexpected(
        place, "a limit in quotes, such as \"5% + 8MiB\", \"5%\" or \"8MiB\"");
  target->place = NameOf(place);
  return {};
}

Result<void> Set(const Place& place, std::string& target) {
  const auto text = place.node.value_exact<std::string>();
  if (!text || text->find_first_not_of(" \t\r\n") == text->npos)
    return Unexpected(place, "a text in quotes");
  target = *text;
  return {};
}

Result<double> NumberAt(const Place& place, bool (*is_valid)(double),
                        std::string_view expected) {
  const std::optional<double> number =
      place.node.is_number() ? place.node.value<double>() : std::nullopt;
  if (!number || !is_valid(*number)) return Unexpected(place, expected);
  return *number;
}

// Sets an enumeration from one of the words in `choices`, such as "a|b|c". The
// enumerators must be in the same order as the words.
template <typename Target>
Result<void> SetChoice(const Place& place, std::string_view choices,
                       std::optional<Target>& target) {
  const auto text = place.node.value_exact<std::string_view>();
  size_t index = 0;
  for (const auto part : std::views::split(choices, '|')) {
    if (text == std::string_view(part.begin(), part.end())) {
      target = static_cast<Target>(index);
      return {};
    }
    ++index;
  }
  return Unexpected(place, fmt::format("one of {}", choices));
}

// A key that a TOML table may have, and the function that stores its value in a
// member of `T`.
template <typename T>
struct Key {
  std::string_view name;
  Result<void> (*set)(const Place& place, T& target);
};

template <auto kMember, typename T>
Result<void> SetMember(const Place& place, T& target) {
  return Set(place, target.*kMember);
}

template <auto kMember, const std::string_view& kChoices>
Result<void> SetMemberChoice(const Place& place, CheckSettings& settings) {
  return SetChoice(place, kChoices, settings.*kMember);
}

template <auto kMember, bool (*kIsValid)(double),
          const std::string_view& kExpected>
Result<void> SetMemberNumber(const Place& place, CheckSettings& settings) {
  const auto number = NumberAt(place, kIsValid, kExpected);
  if (!number) return std::unexpected(number.error());
  settings.*kMember = *number;
  return {};
}

using Settings = CheckSettings;
constexpr Key<Settings> kSettingKeys[] = {
    {"max_total", SetMember<&Settings::max_total>},
    {"max_total_growth", SetMember<&Settings::max_total_growth>},
    {"max_growth", SetMember<&Settings::max_growth>},
    {"max_new", SetMember<&Settings::max_new>},
    {"by", SetMemberChoice<&Settings::by, kByChoices>},
    {"metric", SetMemberChoice<&Settings::metric, kMetricChoices>},
    {"confidence",
     SetMemberNumber<&Settings::confidence, IsConfidence, kExpectedConfidence>},
    {"noise", SetMemberChoice<&Settings::noise, kNoiseChoices>},
    {"fail_on", SetMemberChoice<&Settings::fail_on, kFailOnChoices>},
    {"require_symbols", SetMemberNumber<&Settings::require_symbols,
                                        IsPercentage, kExpectedPercentage>},
};

// A table of [[rules]] or [[ignore]] while it is read.
struct RawRule {
  std::optional<EntryPattern> pattern = {};
  EntryLimits limits = {};
  std::string reason = {};
  std::optional<std::chrono::year_month_day> expires = {};
};

template <EntryPattern::Field kField>
Result<void> SetPattern(const Place& place, RawRule& rule) {
  if (rule.pattern)
    return UsageAt(place.path, place.node.source(),
                   place.key +
                       ": expected only one of function, file and "
                       "module");
  std::string text;
  if (auto set = Set(place, text); !set) return set;
  auto regex = Regex::Compile(place.key, text);
  if (!regex)
    return UsageAt(place.path, place.node.source(), regex.error().message);
  rule.pattern = {kField, *std::move(regex)};
  return {};
}

Result<void> SetExpires(const Place& place, RawRule& rule) {
  const auto date = place.node.value_exact<toml::date>();
  if (!date)
    return Unexpected(place, "a date without quotes, such as 2027-01-31");
  rule.expires = std::chrono::year_month_day(std::chrono::year(date->year),
                                             std::chrono::month(date->month),
                                             std::chrono::day(date->day));
  return {};
}

template <auto kMember>
Result<void> SetLimit(const Place& place, RawRule& rule) {
  return Set(place, rule.limits.*kMember);
}

constexpr Key<RawRule> kRuleKeys[] = {
    {"function", SetPattern<EntryPattern::Field::kFunction>},
    {"file", SetPattern<EntryPattern::Field::kFile>},
    {"module", SetPattern<EntryPattern::Field::kModule>},
    {"max_total", SetLimit<&EntryLimits::max_total>},
    {"max_growth", SetLimit<&EntryLimits::max_growth>},
    {"max_new", SetLimit<&EntryLimits::max_new>},
};

constexpr Key<RawRule> kIgnoreKeys[] = {
    {"function", SetPattern<EntryPattern::Field::kFunction>},
    {"file", SetPattern<EntryPattern::Field::kFile>},
    {"module", SetPattern<EntryPattern::Field::kModule>},
    {"reason", SetMember<&RawRule::reason>},
    {"expires", SetExpires},
};

// Returns the items of `table` in the order of the file, so that the error that
// is reported is the first one in the file.
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

std::unexpected<Error> UnknownKey(const std::string& path, const toml::key& key,
                                  std::string_view prefix,
                                  std::vector<std::string_view> known) {
  return UsageAt(
      path, key.source(),
      fmt::format("unknown key '{}{:.60}'; expected one of {}", prefix,
                  Printable(key.str()), fmt::join(known, ", ")));
}

template <typename T>
std::vector<std::string_view> NamesOf(std::span<const Key<T>> keys) {
  std::vector<std::string_view> names;
  for (const Key<T>& key : keys) names.push_back(key.name);
  return names;
}

class Reader {
 public:
  Reader(const std::string& path, std::chrono::year_month_day today)
      : path_(path), today_(today) {
    budgets_.path = path;
  }

  Result<Budgets> Read(const toml::table& table) {
    for (const auto& [key, node] : InOrder(table)) {
      Result<void> read;
      if (key->str() == "rules")
        read = ReadList(*node, "rules", &Reader::AddRule);
      else if (key->str() == "ignore")
        read = ReadList(*node, "ignore", &Reader::AddIgnore);
      else
        read = ReadSetting(*key, *node);
      if (!read) return std::unexpected(read.error());
    }
    return std::move(budgets_);
  }

 private:
  Result<void> ReadSetting(const toml::key& key, const toml::node& node) {
    const auto it =
        std::ranges::find(kSettingKeys, key.str(), &Key<Settings>::name);
    if (it != std::end(kSettingKeys))
      return it->set({path_, std::string(key.str()), node}, budgets_.settings);
    auto known = NamesOf<Settings>(kSettingKeys);
    known.insert(known.end(), {"rules", "ignore"});
    return UnknownKey(path_, key, "", std::move(known));
  }

  using Add = Result<void> (Reader::*)(const toml::table& table,
                                       const std::string& name);
  Result<void> ReadList(const toml::node& node, const std::string& key,
                        Add add) {
    const toml::array* const list = node.as_array();
    if (list == nullptr || (!list->empty() && !list->is_array_of_tables()))
      return Unexpected({path_, key, node}, fmt::format("[[{}]]", key));
    for (size_t i = 0; i < list->size(); ++i)
      if (auto added = (this->*add)(*list->get_as<toml::table>(i),
                                    fmt::format("{}[{}]", key, i));
          !added)
        return added;
    return {};
  }

  Result<RawRule> ReadRule(const toml::table& table, const std::string& name,
                           std::span<const Key<RawRule>> keys) const {
    RawRule rule;
    for (const auto& [key, node] : InOrder(table)) {
      const auto it = std::ranges::find(keys, key->str(), &Key<RawRule>::name);
      if (it == keys.end())
        return UnknownKey(path_, *key, name + '.', NamesOf(keys));
      const Place place = {path_, fmt::format("{}.{}", name, key->str()),
                           *node};
      if (auto set = it->set(place, rule); !set)
        return std::unexpected(set.error());
    }
    if (!rule.pattern) return Lacks(table, name, "function, file or module");
    return rule;
  }

  std::unexpected<Error> Lacks(const toml::table& table, std::string_view name,
                               std::string_view what) const {
    return UsageAt(path_, table.source(),
                   fmt::format("{}: expected {}, found none", name, what));
  }

  Result<void> AddRule(const toml::table& table, const std::string& name) {
    auto rule = ReadRule(table, name, kRuleKeys);
    if (!rule) return std::unexpected(rule.error());
    const EntryLimits& limits = rule->limits;
    if (!limits.max_total && !limits.max_growth && !limits.max_new)
      return Lacks(table, name, "max_total, max_growth or max_new");
    budgets_.rules.push_back({.name = name,
                              .pattern = *std::move(rule->pattern),
                              .limits = std::move(rule->limits)});
    return {};
  }

  Result<void> AddIgnore(const toml::table& table, const std::string& name) {
    auto rule = ReadRule(table, name, kIgnoreKeys);
    if (!rule) return std::unexpected(rule.error());
    if (rule->reason.empty()) return Lacks(table, name, "reason");
    if (!rule->expires)
      return Lacks(table, name, "expires, such as expires = 2027-01-31");
    const std::chrono::year_month_day& date = *rule->expires;
    budgets_.ignores.push_back(
        {.name = name,
         .pattern = *std::move(rule->pattern),
         .reason = std::move(rule->reason),
         .expires = fmt::format("{:04}-{:02}-{:02}", int(date.year()),
                                unsigned(date.month()), unsigned(date.day())),
         .is_expired = today_ > date});
    return {};
  }

  const std::string& path_;
  const std::chrono::year_month_day today_;
  Budgets budgets_;
};

}  // namespace

Result<Budgets> ParseBudgets(std::string_view text, const std::string& path,
                             std::chrono::year_month_day today) {
  if (text.size() > kLargestBudgets)
    return Fail(ErrorKind::kUsage,
                fmt::format("{}: expected at most {} bytes, found {}", path,
                            kLargestBudgets, text.size()));
  if (const auto hazard = FindTomlHazard(text))
    return Fail(ErrorKind::kUsage,
                fmt::format("{}:{}: not TOML for budgets: expected {}", path,
                            hazard->line, hazard->expected));
  const toml::parse_result parsed = toml::parse(text, path);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    return UsageAt(path, error.source(),
                   fmt::format("not TOML: {}", error.description()));
  }
  return Reader(path, today).Read(parsed.table());
}

}  // namespace heapprof
