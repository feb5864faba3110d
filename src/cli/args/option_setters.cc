// SPDX-License-Identifier: Apache-2.0
#include "cli/args/option_setters.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/usage_error.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/parse_number.h"
#include "heapprof/base/split.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/report/ndjson.h"

namespace heapprof {
namespace {

std::unexpected<Error> Unexpected(const GivenOption& given,
                                  std::string_view expected,
                                  std::string_view found) {
  return UsageError(
      fmt::format("{}: expected {}, found {}", given.Name(), expected, found));
}

// Returns the last value as an integer. NormalizeArgs() has checked the value
// and limited it to the range of int64_t.
int64_t IntegerOf(const GivenOption& given) {
  const std::string& text = given.Last();
  int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool IsColumnName(std::string_view text) {
  return !text.empty() && !IsDigit(text.front()) &&
         std::ranges::all_of(text, IsWord);
}

// True for the columns of --ndjson and the labels that pprof profiles have.
bool IsTakenColumn(std::string_view key) {
  return std::ranges::find(kRowColumns, key) != std::end(kRowColumns) ||
         key == "bytes" || key == kLifetimeLabel;
}

std::string Quoted(const GivenOption& given) {
  return fmt::format("'{:.200}'", given.Last());
}

void AppendParts(const GivenOption& given, char separator,
                 std::vector<std::string>& parts) {
  for (const std::string& list : given.values)
    for (std::string& part : SplitNonEmpty(list, separator))
      parts.push_back(std::move(part));
}

// Reads "0x55d0c0de1000" or "/srv/app=0x55d0c0de1000".
std::optional<LoadBase> ParseLoadBase(const std::string& text) {
  const size_t equals = text.rfind('=');
  LoadBase base;
  if (equals != text.npos) base.file = text.substr(0, equals);
  std::string_view digits =
      std::string_view(text).substr(equals == text.npos ? 0 : equals + 1);
  if (digits.starts_with("0x")) digits.remove_prefix(2);
  const auto address = ParseNumber<uint64_t>(digits, 16);
  if (!address || equals == 0) return std::nullopt;
  base.address = *address;
  return base;
}

// Reads a size of at least one byte.
Result<uint64_t> SizeOf(const GivenOption& given) {
  constexpr double kLargest = 1e18;
  const auto size = ParseSize(given.Last());
  if (!size || size->value < 1 || size->value > kLargest)
    return Unexpected(given, kExpectedSize, Quoted(given));
  return static_cast<uint64_t>(size->value);
}

// Reads "30s", "1.5h" or "500ms" and returns nanoseconds.
std::optional<uint64_t> ParseDuration(const std::string& text) {
  struct TimeUnit {
    std::string_view name;
    double nanoseconds;
  };
  constexpr TimeUnit kUnits[] = {
      {"ms", 1e6}, {"s", 1e9}, {"m", 6e10}, {"h", 3.6e12}, {"d", 8.64e13}};
  constexpr double kLongest = 9e18;
  double number = 0;
  const char* const text_end = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), text_end, number);
  const auto* const unit = std::ranges::find(
      kUnits, std::string_view(end, text_end), &TimeUnit::name);
  if (error != std::errc() || unit == std::end(kUnits)) return std::nullopt;
  const double nanoseconds = number * unit->nanoseconds;
  if (!(nanoseconds > 0 && nanoseconds <= kLongest)) return std::nullopt;
  return static_cast<uint64_t>(nanoseconds);
}

}  // namespace

std::string GivenOption::Name() const {
  return fmt::format("--{}{}", is_on ? "" : "no-", spec.name);
}

void StoreValue(const GivenOption& given, bool& target) {
  target = given.is_on;
}

void StoreValue(const GivenOption& given, std::string& target) {
  target = given.Last();
}

void StoreValue(const GivenOption& given, std::vector<std::string>& target) {
  target = given.values;
}

Result<void> StoreValue(const GivenOption& given, size_t& target) {
  const int64_t number = IntegerOf(given);
  if (number < 0) return Unexpected(given, "0 or more", fmt::to_string(number));
  target = static_cast<size_t>(number);
  return {};
}

Result<void> StoreValue(const GivenOption& given,
                        std::optional<size_t>& target) {
  return StoreValue(given, target.emplace());
}

Result<void> StoreValue(const GivenOption& given, double& target) {
  const double number = std::strtod(given.Last().c_str(), nullptr);
  if (!(number >= 0))
    return Unexpected(given, "0 or more", fmt::to_string(number));
  target = number;
  return {};
}

Result<void> StoreValue(const GivenOption& given,
                        std::optional<double>& target) {
  return StoreValue(given, target.emplace());
}

Result<std::optional<size_t>> FindChoice(const GivenOption& given) {
  return FindChoice(given, given.spec.value);
}

Result<std::optional<size_t>> FindChoice(const GivenOption& given,
                                         std::string_view all) {
  const std::string& value = given.Last();
  if (value.empty()) return std::nullopt;
  if (const auto choice = FindChoice(all, value)) return choice;
  return Unexpected(given, ChoicesText(all), fmt::format("'{}'", value));
}

Result<void> AddOutput(const GivenOption& given, ParsedArgs& args) {
  if (!given.is_on) return {};
  args.formats.push_back(
      std::ranges::find(kOutputs, given.spec.name, &OutputFormat::name));
  if (!given.values.empty()) args.pattern = given.Last();
  return {};
}

Result<void> AddOutputFiles(const GivenOption& given, ParsedArgs& args) {
  args.output_paths = given.values;
  return {};
}

Result<void> SetInlines(const GivenOption& given, ParsedArgs& args) {
  args.filters.no_inlines = !given.is_on;
  return {};
}

Result<void> SetNodeFraction(const GivenOption& given, ParsedArgs& args) {
  Options& options = args.options;
  auto stored = StoreValue(given, options.graph.node_fraction);
  if (stored) options.least_fraction = options.graph.node_fraction;
  return stored;
}

Result<void> SetFlameWidth(const GivenOption& given, ParsedArgs& args) {
  constexpr int64_t kLeast = 100, kMost = 100'000;
  const int64_t width = IntegerOf(given);
  if (width < kLeast || width > kMost)
    return Unexpected(given, fmt::format("{} to {}", kLeast, kMost),
                      fmt::to_string(width));
  args.options.flame.width = static_cast<size_t>(width);
  return {};
}

Result<void> AddLoadBases(const GivenOption& given, ParsedArgs& args) {
  for (const std::string& text : given.values) {
    auto base = ParseLoadBase(text);
    if (!base)
      return Unexpected(given, "ADDR or FILE=ADDR, with a hexadecimal address",
                        fmt::format("'{:.200}'", text));
    args.options.load_bases.push_back(*std::move(base));
  }
  return {};
}

Result<void> AddPathMaps(const GivenOption& given, ParsedArgs& args) {
  for (const std::string& text : given.values) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == text.npos)
      return Unexpected(given, "FROM=TO", fmt::format("'{}'", text));
    args.options.locator.debug.path_map.push_back(
        {text.substr(0, equals), text.substr(equals + 1)});
  }
  return {};
}

Result<void> AddSymbolPath(const GivenOption& given, ParsedArgs& args) {
  AppendParts(given, ':', args.options.locator.symbol_path);
  return {};
}

Result<void> AddLibPrefix(const GivenOption& given, ParsedArgs& args) {
  AppendParts(given, ',', args.options.locator.symbol_path);
  AppendParts(given, ',', args.options.lib_prefix);
  return {};
}

Result<void> AddSourcePath(const GivenOption& given, ParsedArgs& args) {
  AppendParts(given, ':', args.options.source_path);
  return {};
}

Result<void> SetJobs(const GivenOption& given, ParsedArgs& args) {
  constexpr int64_t kMostJobs = 1024;
  const int64_t jobs = IntegerOf(given);
  if (jobs < 0 || jobs > kMostJobs)
    return Unexpected(given, fmt::format("0 to {}", kMostJobs),
                      fmt::to_string(jobs));
  args.options.jobs = static_cast<unsigned>(jobs);
  return {};
}

Result<void> SetMarkdownBudget(const GivenOption& given, ParsedArgs& args) {
  auto size = SizeOf(given);
  if (!size) return std::unexpected(size.error());
  args.options.markdown_budget = *size;
  return {};
}

Result<void> AddNamedMetric(const GivenOption& given, ParsedArgs& args) {
  const auto metric = FindChoice(given);
  if (!metric) return std::unexpected(metric.error());
  if (*metric) args.metrics.push_back(static_cast<Metric>(**metric));
  return {};
}

Result<void> SetMemoryLimit(const GivenOption& given, ParsedArgs& args) {
  const auto size = ParseSize(given.Last());
  if (!size) return Unexpected(given, kExpectedSize, Quoted(given));
  args.options.memory_limit = static_cast<uint64_t>(size->value);
  return {};
}

Result<void> SetCacheSize(const GivenOption& given, ParsedArgs& args) {
  const auto size = ParseSize(given.Last());
  if (!size) return Unexpected(given, kExpectedSize, Quoted(given));
  args.options.cache_size = static_cast<uint64_t>(size->value);
  return {};
}

Result<void> StoreValue(const GivenOption& given,
                        std::optional<ParsedSize>& target) {
  target = ParseSize(given.Last());
  if (!target) return Unexpected(given, kExpectedSize, Quoted(given));
  target->place = given.Name();
  return {};
}

Result<void> StoreValue(const GivenOption& given,
                        std::optional<ParsedLimit>& target) {
  target = ParseLimit(given.Last());
  if (!target) return Unexpected(given, kExpectedLimit, Quoted(given));
  target->place = given.Name();
  return {};
}

Result<void> SetConfidence(const GivenOption& given, ParsedArgs& args) {
  const double number = std::strtod(given.Last().c_str(), nullptr);
  if (!IsConfidence(number))
    return Unexpected(given, kExpectedConfidence, Quoted(given));
  args.options.check.settings.confidence = number;
  return {};
}

Result<void> SetRequiredSymbols(const GivenOption& given, ParsedArgs& args) {
  const double number = std::strtod(given.Last().c_str(), nullptr);
  if (!IsPercentage(number))
    return Unexpected(given, kExpectedPercentage, Quoted(given));
  args.options.check.settings.require_symbols = number;
  return {};
}

Result<void> SetBy(const GivenOption& given, ParsedArgs& args) {
  const bool is_trend = args.options.command == Command::kTrend;
  const auto choice =
      FindChoice(given, is_trend ? kTrendByChoices : kByChoices);
  if (!choice) return std::unexpected(choice.error());
  if (!*choice) return {};
  if (is_trend)
    args.options.trend.by = static_cast<TrendBy>(**choice);
  else
    args.options.check.settings.by = static_cast<CompareBy>(**choice);
  return {};
}

Result<void> SetPer(const GivenOption& given, ParsedArgs& args) {
  args.options.trend.axis = FindTrendAxis(given.Last());
  if (args.options.trend.axis || given.Last().empty()) return {};
  return Unexpected(given, "hour, dump or gib", Quoted(given));
}

Result<void> SetFailOn(const GivenOption& given, ParsedArgs& args) {
  if (args.options.command == Command::kTrend) {
    args.options.trend.limit = ParseTrendLimit(given.Last());
    if (!args.options.trend.limit)
      return Unexpected(given, kExpectedTrendLimit, Quoted(given));
    return {};
  }
  const auto choice = FindChoice(given);
  if (!choice) return std::unexpected(choice.error());
  if (*choice)
    args.options.check.settings.fail_on = static_cast<FailOn>(**choice);
  return {};
}

Result<void> SetMinAge(const GivenOption& given, ParsedArgs& args) {
  const auto age = ParseDuration(given.Last());
  if (!age)
    return Unexpected(given, "an age such as 90s, 2m or 1.5h", Quoted(given));
  args.options.min_age = *age;
  return {};
}

Result<void> SetSamplePeriod(const GivenOption& given, ParsedArgs& args) {
  const auto period = SizeOf(given);
  if (!period) return std::unexpected(period.error());
  args.options.sample_period = *period;
  return {};
}

Result<void> AddLabels(const GivenOption& given, ParsedArgs& args) {
  auto& labels = args.options.labels;
  for (const std::string& text : given.values) {
    const size_t equals = text.find('=');
    std::string key = text.substr(0, equals);
    if (equals == text.npos || !IsColumnName(key))
      return Unexpected(given,
                        "KEY=VALUE, where KEY has letters, digits and '_' "
                        "and does not begin with a digit",
                        fmt::format("'{:.200}'", text));
    if (key != "host" && IsTakenColumn(key))
      return UsageError(fmt::format(
          "{}: {} means something else in rows and profiles; choose another "
          "name",
          given.Name(), key));
    if (std::ranges::find(labels, key,
                          &std::pair<std::string, std::string>::first) !=
        labels.end())
      return UsageError(
          fmt::format("{}: {} is given twice", given.Name(), key));
    labels.emplace_back(std::move(key), text.substr(equals + 1));
  }
  return {};
}

Result<void> SetPprofTypes(const GivenOption& given, ParsedArgs& args) {
  std::vector<Metric>& types = args.options.pprof.types;
  for (const std::string& type : SplitNonEmpty(given.Last(), ',')) {
    const auto metric = FindChoice(kMetricChoices, type);
    if (!metric)
      return Unexpected(
          given,
          fmt::format("some of {}", fmt::join(Split(kMetricChoices, '|'), ",")),
          fmt::format("'{:.200}'", type));
    types.push_back(static_cast<Metric>(*metric));
  }
  return {};
}

Result<void> SetRate(const GivenOption& given, ParsedArgs& args) {
  const auto size = SizeOf(given);
  if (!size) return std::unexpected(size.error());
  args.options.record.asked_rate = *size;
  args.options.record.recording.rate = NearestRate(*size);
  return {};
}

Result<void> SetEvery(const GivenOption& given, ParsedArgs& args) {
  constexpr uint64_t kMillisecond = 1'000'000;
  const auto duration = ParseDuration(given.Last());
  if (!duration || *duration < kMillisecond)
    return Unexpected(given, "a time such as 30s, 5m or 500ms", Quoted(given));
  args.options.record.recording.every_ms = *duration / kMillisecond;
  return {};
}

Result<void> SetOnGrowth(const GivenOption& given, ParsedArgs& args) {
  const auto size = SizeOf(given);
  if (!size) return std::unexpected(size.error());
  args.options.record.recording.growth = *size;
  return {};
}

Result<void> Ignore(const GivenOption& /*given*/, ParsedArgs& /*args*/) {
  return {};
}

}  // namespace heapprof
