// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "heapprof/base/split.h"
#include "heapprof/check/budgets.h"
#include "heapprof/toml/toml_file.h"

namespace heapprof {
namespace {

// Returns "b.toml:1: max_total".
std::string NameOf(const TomlPlace& place) {
  return fmt::format("{}:{}: {}", place.path, place.node.source().begin.line,
                     place.key);
}

// SetToml() has an overload for each type of member.

Result<void> SetToml(const TomlPlace& place,
                     std::optional<ParsedSize>& target) {
  if (const auto text = place.node.value_exact<std::string_view>())
    target = ParseSize(*text);
  if (!target)
    return UnexpectedToml(place, fmt::format("{} in quotes", kExpectedSize));
  target->place = NameOf(place);
  return {};
}

Result<void> SetToml(const TomlPlace& place,
                     std::optional<ParsedLimit>& target) {
  if (const auto text = place.node.value_exact<std::string_view>())
    target = ParseLimit(*text);
  if (!target)
    return UnexpectedToml(
        place, "a limit in quotes, such as \"5% + 8MiB\", \"5%\" or \"8MiB\"");
  target->place = NameOf(place);
  return {};
}

Result<double> NumberAt(const TomlPlace& place, bool (*is_valid)(double),
                        std::string_view expected) {
  const std::optional<double> number =
      place.node.is_number() ? place.node.value<double>() : std::nullopt;
  if (!number || !is_valid(*number)) return UnexpectedToml(place, expected);
  return *number;
}

// Sets an enumeration from one of the words in `choices`, such as "a|b|c". The
// enumerators must be in the same order as the words.
template <typename Target>
Result<void> SetChoice(const TomlPlace& place, std::string_view choices,
                       std::optional<Target>& target) {
  const auto text = place.node.value_exact<std::string_view>();
  const auto choice = text ? FindChoice(choices, *text) : std::nullopt;
  if (!choice) return UnexpectedToml(place, ChoicesText(choices));
  target = static_cast<Target>(*choice);
  return {};
}

template <auto kMember, typename T>
Result<void> SetMember(const TomlPlace& place, T& target) {
  return SetToml(place, target.*kMember);
}

template <auto kMember, const std::string_view& kChoices>
Result<void> SetMemberChoice(const TomlPlace& place, CheckSettings& settings) {
  return SetChoice(place, kChoices, settings.*kMember);
}

template <auto kMember, bool (*kIsValid)(double),
          const std::string_view& kExpected>
Result<void> SetMemberNumber(const TomlPlace& place, CheckSettings& settings) {
  const auto number = NumberAt(place, kIsValid, kExpected);
  if (!number) return std::unexpected(number.error());
  settings.*kMember = *number;
  return {};
}

using Settings = CheckSettings;
constexpr TomlKey<Settings> kSettingKeys[] = {
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
Result<void> SetPattern(const TomlPlace& place, RawRule& rule) {
  if (rule.pattern)
    return TomlError(place.path, place.node.source(),
                     place.key +
                         ": expected only one of function, file, "
                         "module and group");
  std::string text;
  if (auto set = SetToml(place, text); !set) return set;
  auto regex = Regex::Compile(place.key, text);
  if (!regex)
    return TomlError(place.path, place.node.source(), regex.error().message);
  rule.pattern = {kField, *std::move(regex)};
  return {};
}

Result<void> SetExpires(const TomlPlace& place, RawRule& rule) {
  const auto date = place.node.value_exact<toml::date>();
  if (!date)
    return UnexpectedToml(place, "a date without quotes, such as 2027-01-31");
  rule.expires = std::chrono::year_month_day(std::chrono::year(date->year),
                                             std::chrono::month(date->month),
                                             std::chrono::day(date->day));
  return {};
}

template <auto kMember>
Result<void> SetLimit(const TomlPlace& place, RawRule& rule) {
  return SetToml(place, rule.limits.*kMember);
}

constexpr TomlKey<RawRule> kRuleKeys[] = {
    {"function", SetPattern<EntryPattern::Field::kFunction>},
    {"file", SetPattern<EntryPattern::Field::kFile>},
    {"module", SetPattern<EntryPattern::Field::kModule>},
    {"group", SetPattern<EntryPattern::Field::kGroup>},
    {"max_total", SetLimit<&EntryLimits::max_total>},
    {"max_growth", SetLimit<&EntryLimits::max_growth>},
    {"max_new", SetLimit<&EntryLimits::max_new>},
};

constexpr TomlKey<RawRule> kIgnoreKeys[] = {
    {"function", SetPattern<EntryPattern::Field::kFunction>},
    {"file", SetPattern<EntryPattern::Field::kFile>},
    {"module", SetPattern<EntryPattern::Field::kModule>},
    {"group", SetPattern<EntryPattern::Field::kGroup>},
    {"reason", SetMember<&RawRule::reason>},
    {"expires", SetExpires},
};

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
        std::ranges::find(kSettingKeys, key.str(), &TomlKey<Settings>::name);
    if (it != std::end(kSettingKeys))
      return it->set({path_, std::string(key.str()), node}, budgets_.settings);
    auto known = NamesOf<Settings>(kSettingKeys);
    known.insert(known.end(), {"rules", "ignore"});
    return UnknownTomlKey(path_, key, "", known);
  }

  using Add = Result<void> (Reader::*)(const toml::table& table,
                                       const std::string& name);
  Result<void> ReadList(const toml::node& node, const std::string& key,
                        Add add) {
    const auto tables = TablesAt({path_, key, node});
    if (!tables) return std::unexpected(tables.error());
    for (size_t i = 0; i < tables->size(); ++i)
      if (auto added =
              (this->*add)(*(*tables)[i], fmt::format("{}[{}]", key, i));
          !added)
        return added;
    return {};
  }

  Result<RawRule> ReadRule(const toml::table& table, const std::string& name,
                           std::span<const TomlKey<RawRule>> keys) const {
    RawRule rule;
    if (auto read = ReadTomlTable(path_, table, name, keys, rule); !read)
      return std::unexpected(read.error());
    if (!rule.pattern)
      return Lacks(table, name, "function, file, module or group");
    return rule;
  }

  std::unexpected<Error> Lacks(const toml::table& table, std::string_view name,
                               std::string_view what) const {
    return LacksTomlKey(path_, table, name, what);
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
  const auto table = ParseToml(text, path, "budgets");
  if (!table) return std::unexpected(table.error());
  return Reader(path, today).Read(*table);
}

}  // namespace heapprof
