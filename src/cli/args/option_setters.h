// SPDX-License-Identifier: Apache-2.0
//
// The functions that store the values of options in Options. Most rows of the
// option table use Store(), which depends on the type of the member; the others
// have a function of their own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/args/option_spec.h"
#include "cli/args/options.h"
#include "heapprof/base/error.h"

namespace heapprof {

// One option, with all values that the command line gives to it.
struct GivenOption {
  const OptionSpec& spec;
  bool is_on = true;  // for switches: what the last occurrence says
  // For options that take a value: all values given, in order; at least one.
  std::vector<std::string> values = {};

  std::string Name() const;  // "--name", or "--no-name" if `is_on` is false
  const std::string& Last() const { return values.back(); }
};

// The options that have been read so far. The members after `options` depend on
// each other and are interpreted only when all options have been read.
struct ParsedArgs {
  Options options;
  std::vector<const OutputFormat*> formats;
  std::string pattern;    // the value of --peek, --list and the like
  FilterOptions filters;  // not yet compiled
  std::vector<std::string> output_paths;  // -o
  std::vector<Metric> metrics;
  std::vector<Granularity> granularities;
  std::string for_proto;  // an option that works only with --proto; or empty
};

// Each of these functions stores the value of an option in `target`. It fails
// with an error of kind kUsage if the value is out of range.
void StoreValue(const GivenOption& given, bool& target);
void StoreValue(const GivenOption& given, std::string& target);
void StoreValue(const GivenOption& given, std::vector<std::string>& target);
Result<void> StoreValue(const GivenOption& given, size_t& target);
Result<void> StoreValue(const GivenOption& given,
                        std::optional<size_t>& target);
Result<void> StoreValue(const GivenOption& given, double& target);
Result<void> StoreValue(const GivenOption& given,
                        std::optional<double>& target);
Result<void> StoreValue(const GivenOption& given,
                        std::optional<ParsedSize>& target);
Result<void> StoreValue(const GivenOption& given,
                        std::optional<ParsedLimit>& target);

// Finds the value among those that the option table allows for this option,
// such as "short|full", and returns its index. Returns nothing for an empty
// value, which stands for the default.
Result<std::optional<size_t>> FindChoice(const GivenOption& given);
// Finds it among `all`.
Result<std::optional<size_t>> FindChoice(const GivenOption& given,
                                         std::string_view all);

// Follows a path of member pointers: Follow<&A::b, &B::c>(a) is a.b.c.
template <auto kFirst, auto... kRest, typename T>
auto& Follow(T& object) {
  if constexpr (sizeof...(kRest) == 0)
    return object.*kFirst;
  else
    return Follow<kRest...>(object.*kFirst);
}

// The setter that stores a value in a member of Options. The member is at the
// end of a path of member pointers, as in Store<&Options::locator,
// &LocatorOptions::force>.
template <auto... kPath>
Result<void> Store(const GivenOption& given, ParsedArgs& args) {
  auto& target = Follow<kPath...>(args.options);
  if constexpr (std::is_void_v<decltype(StoreValue(given, target))>) {
    StoreValue(given, target);
    return {};
  } else {
    return StoreValue(given, target);
  }
}

// The setter for a member that is an enumeration or the index of a choice. The
// enumerators must be in the order in which the option table lists the values,
// such as "auto|always|never".
template <auto... kPath>
Result<void> StoreChoice(const GivenOption& given, ParsedArgs& args) {
  const auto choice = FindChoice(given);
  if (!choice) return std::unexpected(choice.error());
  auto& target = Follow<kPath...>(args.options);
  using Target = std::remove_reference_t<decltype(target)>;
  if constexpr (std::is_enum_v<Target>) {
    if (*choice) target = static_cast<Target>(**choice);
  } else if constexpr (std::is_integral_v<Target>) {
    if (*choice) target = **choice;
  } else {
    if (*choice) target = static_cast<typename Target::value_type>(**choice);
  }
  return {};
}

// The setter for a member of FilterOptions.
template <auto kMember>
Result<void> StoreFilter(const GivenOption& given, ParsedArgs& args) {
  StoreValue(given, args.filters.*kMember);
  return {};
}

// The setters for groups of switches of which only one may be on, such as those
// for the metric.
template <Metric kMetric>
Result<void> AddMetric(const GivenOption& given, ParsedArgs& args) {
  if (given.is_on) args.metrics.push_back(kMetric);
  return {};
}
Result<void> AddNamedMetric(const GivenOption& given, ParsedArgs& args);
template <Granularity kGranularity>
Result<void> AddGranularity(const GivenOption& given, ParsedArgs& args) {
  if (given.is_on) args.granularities.push_back(kGranularity);
  return {};
}

Result<void> AddOutput(const GivenOption& given, ParsedArgs& args);
Result<void> AddOutputFiles(const GivenOption& given, ParsedArgs& args);
Result<void> AddLabels(const GivenOption& given, ParsedArgs& args);
Result<void> SetInlines(const GivenOption& given, ParsedArgs& args);
Result<void> SetNodeFraction(const GivenOption& given, ParsedArgs& args);
Result<void> SetFlameWidth(const GivenOption& given, ParsedArgs& args);
Result<void> AddLoadBases(const GivenOption& given, ParsedArgs& args);
Result<void> AddPathMaps(const GivenOption& given, ParsedArgs& args);
Result<void> AddSymbolPath(const GivenOption& given, ParsedArgs& args);
Result<void> AddLibPrefix(const GivenOption& given, ParsedArgs& args);
Result<void> AddSourcePath(const GivenOption& given, ParsedArgs& args);
Result<void> SetJobs(const GivenOption& given, ParsedArgs& args);
Result<void> SetMarkdownBudget(const GivenOption& given, ParsedArgs& args);
Result<void> SetMemoryLimit(const GivenOption& given, ParsedArgs& args);
Result<void> SetCacheSize(const GivenOption& given, ParsedArgs& args);
Result<void> SetSamplePeriod(const GivenOption& given, ParsedArgs& args);
Result<void> SetMinAge(const GivenOption& given, ParsedArgs& args);
Result<void> SetPprofTypes(const GivenOption& given, ParsedArgs& args);
Result<void> SetConfidence(const GivenOption& given, ParsedArgs& args);
Result<void> SetRequiredSymbols(const GivenOption& given, ParsedArgs& args);
Result<void> SetPer(const GivenOption& given, ParsedArgs& args);
Result<void> SetRate(const GivenOption& given, ParsedArgs& args);
Result<void> SetEvery(const GivenOption& given, ParsedArgs& args);
Result<void> SetOnGrowth(const GivenOption& given, ParsedArgs& args);
// These two options have other values with `heapprof trend` than with
// `heapprof check`.
Result<void> SetBy(const GivenOption& given, ParsedArgs& args);
Result<void> SetFailOn(const GivenOption& given, ParsedArgs& args);
// The setter for options that are accepted but have no effect.
Result<void> Ignore(const GivenOption& given, ParsedArgs& args);

}  // namespace heapprof
