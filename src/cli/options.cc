// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <ranges>
#include <string_view>
#include <thread>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/normalize_args.h"
#include "cli/option_table.h"

namespace heapprof {
namespace {

// In the order of Granularity.
constexpr std::array<const char*, 5> kGranularities = {
    "functions", "lines", "files", "addresses", "modules"};

// What the flags of one command line add up to, before it is checked.
struct Flags {
  std::vector<std::pair<OutputMode, bool>> modes;  // all there are
  std::map<OutputMode, std::string> patterns;      // of those that take one
  bool json = false;
  std::array<bool, kGranularities.size()> granularities = {};
  std::array<bool, kMetricCount> metrics = {};
  bool inlines = true;
  std::optional<long long> top;
  std::optional<long long> node_count;
  std::optional<double> node_fraction;
  std::optional<double> edge_fraction;
  std::optional<long long> max_degree;
  std::optional<std::string> names;
  std::string color;
  long long jobs = 0;
  std::optional<std::string> cache_size;
  std::string pprof_addr;
  std::optional<long long> sample_period;
  std::vector<std::string> outputs;
  std::vector<std::string> symbol_paths;
  std::vector<std::string> source_paths;
  std::vector<std::string> lib_prefixes;
  std::vector<std::string> path_maps;
  std::vector<std::string> load_bases;
};

void AddSwitch(CLI::App& app, const std::string& name, bool& value) {
  app.add_flag("--" + name + ",!--no-" + name, value)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

template <typename T>
void AddValue(CLI::App& app, const std::string& name, T& value) {
  app.add_option("--" + name, value)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void AddList(CLI::App& app, const std::string& name,
             std::vector<std::string>& values) {
  app.add_option("--" + name, values)->allow_extra_args(false);
}

void AddPattern(CLI::App& app, const std::string& name, bool& asked,
                std::string& pattern) {
  app.add_option_function<std::string>("--" + name,
                                       [&](const std::string& value) {
                                         asked = true;
                                         pattern = value;
                                       })
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void AddInputOptions(CLI::App& app, Options& options, Flags& flags) {
  AddList(app, "base", options.bases);
  AddList(app, "load-base", flags.load_bases);
  AddValue(app, "maps", options.maps);
  AddList(app, "perf-map", options.perf_maps);
}

void AddSymbolOptions(CLI::App& app, Options& options, Flags& flags) {
  AddList(app, "symbol-path", flags.symbol_paths);
  AddList(app, "lib_prefix", flags.lib_prefixes);
  AddValue(app, "add_lib", options.added_library);
  AddList(app, "path-map", flags.path_maps);
  AddList(app, "sysroot", options.locator.debug.sysroots);
  AddList(app, "debug-dir", options.locator.debug.dirs);
  AddSwitch(app, "debuginfod", options.use_debuginfod);
  AddSwitch(app, "force", options.locator.force);
  AddValue(app, "jobs", flags.jobs);
  AddSwitch(app, "cache", options.use_cache);
  AddValue(app, "cache-dir", options.cache_directory);
  AddValue(app, "cache-size", flags.cache_size);
  AddSwitch(app, "resymbolize", options.resymbolize);
  AddList(app, "source-path", flags.source_paths);
  AddValue(app, "tools", options.tools);
  AddValue(app, "pprof-addr", flags.pprof_addr);
  AddValue(app, "sample-period", flags.sample_period);
}

void AddReportOptions(CLI::App& app, Options& options, Flags& flags) {
  for (const OutputFormat& format : OutputFormats())
    flags.modes.emplace_back(format.mode, false);
  for (auto& [mode, asked] : flags.modes) {
    const std::string name(FormatOf(mode).option);
    if (FormatOf(mode).takes_pattern)
      AddPattern(app, name, asked, flags.patterns[mode]);
    else
      AddSwitch(app, name, asked);
  }
  AddSwitch(app, "json", flags.json);
  for (size_t i = 0; i < kGranularities.size(); ++i)
    AddSwitch(app, kGranularities[i], flags.granularities[i]);
  AddSwitch(app, "inuse_objects", flags.metrics[0]);
  AddSwitch(app, "inuse_space", flags.metrics[1]);
  AddSwitch(app, "alloc_objects", flags.metrics[2]);
  AddSwitch(app, "alloc_space", flags.metrics[3]);
  AddSwitch(app, "cum", options.sort_by_cumulative);
  AddSwitch(app, "show_bytes", options.show_bytes);
  AddSwitch(app, "two-column", options.two_columns);
  AddSwitch(app, "drop_negative", options.drop_negative);
  AddValue(app, "thread", options.thread);
  AddSwitch(app, "allocator-frames", options.keep_allocator_frames);
  AddValue(app, "top", flags.top);
  AddValue(app, "names", flags.names);
  AddList(app, "output", flags.outputs);
}

void AddGraphOptions(CLI::App& app, Options& options, Flags& flags) {
  AddValue(app, "nodecount", flags.node_count);
  AddValue(app, "nodefraction", flags.node_fraction);
  AddValue(app, "edgefraction", flags.edge_fraction);
  AddValue(app, "maxdegree", flags.max_degree);
  AddSwitch(app, "heapcheck", options.mark_leaks);
}

void AddFilterOptions(CLI::App& app, FilterOptions& filters, Flags& flags) {
  AddValue(app, "retain", filters.retain);
  AddValue(app, "exclude", filters.exclude);
  AddValue(app, "focus", filters.focus);
  AddValue(app, "ignore", filters.ignore);
  AddValue(app, "module", filters.module);
  AddValue(app, "show_from", filters.show_from);
  AddValue(app, "prune_from", filters.prune_from);
  AddList(app, "hide", filters.hide);
  AddValue(app, "own", filters.own);
  AddSwitch(app, "inlines", flags.inlines);
}

void AddMessageOptions(CLI::App& app, Options& options, Flags& flags) {
  AddValue(app, "color", flags.color);
  AddSwitch(app, "quiet", options.quiet);
  AddSwitch(app, "verbose", options.verbose);
  AddSwitch(app, "help", options.show_help);
  AddSwitch(app, "version", options.show_version);
}

// Options of jeprof that change nothing here: debug files are always found by
// build id, and the zoom is that of a viewer.
void AddIgnoredOptions(CLI::App& app, bool& by_id, std::string& value) {
  AddSwitch(app, "debug-syms-by-id", by_id);
  AddValue(app, "scale", value);
}

std::unexpected<Error> UsageError(std::string message) {
  return Fail(ErrorKind::kUsage, std::move(message));
}

// CLI11 takes its arguments last first, and reads "--focus=" as a missing
// value where "--focus" "" is an empty one.
std::vector<std::string> ForCli11(const std::vector<std::string>& canonical) {
  std::vector<std::string> args;
  for (const std::string& arg : canonical) {
    if (arg.ends_with('=') && arg.find('=') == arg.size() - 1) {
      args.push_back(arg.substr(0, arg.size() - 1));
      args.emplace_back();
    } else {
      args.push_back(arg);
    }
  }
  std::ranges::reverse(args);
  return args;
}

// The first of several messages, which are one or more, as one.
std::string Enumerate(std::vector<std::string> messages) {
  constexpr size_t kMost = 3;
  std::string more;
  if (messages.size() > kMost) {
    more = fmt::format("; and {} more", messages.size() - kMost);
    messages.resize(kMost);
  }
  return fmt::format("{}{}", fmt::join(messages, "; also "), more);
}

// The output that was asked for by its option.
Result<std::optional<OutputMode>> ModeOf(const Flags& flags) {
  std::optional<OutputMode> mode;
  for (const auto& [asked_mode, asked] : flags.modes) {
    if (!asked) continue;
    if (mode) {
      std::string names;
      for (const OutputFormat& format : OutputFormats())
        names +=
            fmt::format("{}--{}", names.empty() ? "" : ", ", format.option);
      return UsageError("more than one output: choose one of " + names);
    }
    mode = asked_mode;
  }
  return mode;
}

bool HasMode(const Options& options, OutputMode mode) {
  return std::ranges::find(options.outputs, mode, &Output::mode) !=
         options.outputs.end();
}

// Whether an option makes sense for a table only.
bool AsksForTable(const Flags& flags) {
  return flags.top || std::ranges::count(flags.granularities, true) > 0;
}

Result<void> SetOutputs(const Flags& flags, Options& options) {
  if (flags.json) return UsageError("--json belongs to info");
  const auto mode = ModeOf(flags);
  if (!mode) return std::unexpected(mode.error());
  auto outputs = ChooseOutputs(*mode, flags.outputs);
  if (!outputs) return std::unexpected(outputs.error());
  if (*mode && FormatOf(**mode).takes_pattern)
    options.pattern = flags.patterns.at(**mode);
  options.outputs = std::move(*outputs);
  options.is_default_output = !*mode && flags.outputs.empty() &&
                              options.bases.empty() && !AsksForTable(flags) &&
                              !options.sort_by_cumulative &&
                              !options.show_bytes && options.thread != "*";
  if (HasMode(options, OutputMode::kSymbols) && options.outputs.size() > 1)
    return UsageError("--symbols names addresses, not dumps: it has one -o");
  return {};
}

Result<void> CheckInfo(const Flags& flags, Options& options) {
  const auto mode = ModeOf(flags);
  if (!mode) return std::unexpected(mode.error());
  if (mode->value_or(OutputMode::kText) != OutputMode::kText)
    return UsageError("info writes text, or JSON with --json");
  if (!options.bases.empty())
    return UsageError("info takes one dump, and no --base");
  if (flags.outputs.size() > 1)
    return UsageError("more than one -o: info writes one report");
  std::string& path = options.outputs.front().path;
  if (!flags.outputs.empty()) path = flags.outputs.front();
  options.json = flags.json || (!*mode && path.ends_with(".json"));
  return {};
}

Result<Metric> MetricOf(const Flags& flags) {
  if (std::ranges::count(flags.metrics, true) > 1)
    return UsageError(
        "more than one metric: choose one of --inuse_space, --inuse_objects, "
        "--alloc_space, --alloc_objects");
  for (size_t i = 0; i < kMetricCount; ++i)
    if (flags.metrics[i]) return static_cast<Metric>(i);
  return Metric::kInuseSpace;
}

Result<Granularity> GranularityOf(const Flags& flags) {
  if (std::ranges::count(flags.granularities, true) > 1)
    return UsageError(
        "more than one granularity: choose one of --functions, --lines, "
        "--files, --addresses, --modules");
  const auto chosen = std::ranges::find(flags.granularities, true);
  return chosen == flags.granularities.end()
             ? Granularity::kFunctions
             : static_cast<Granularity>(chosen - flags.granularities.begin());
}

// jeprof fetches these. A file may have such a name only with "./" before it.
Result<void> CheckUrls(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (file.starts_with("http://") || file.starts_with("https://"))
      return UsageError(fmt::format(
          "{:.200}: heapprof reads files; fetch the profile first, for example "
          "with curl -o server.heap",
          file));
  return {};
}

Result<void> CheckPprofInput(const Flags& flags, Options& options) {
  struct Name {
    std::string_view text;
    AddressSpace space;
  };
  constexpr Name kNames[] = {{"runtime", AddressSpace::kRuntime},
                             {"vaddr", AddressSpace::kFileAddress},
                             {"fileoff", AddressSpace::kFileOffset}};
  if (!flags.pprof_addr.empty()) {
    const auto it = std::ranges::find(kNames, flags.pprof_addr, &Name::text);
    if (it == std::end(kNames))
      return UsageError(
          fmt::format("--pprof-addr: expected runtime, vaddr or fileoff, found "
                      "'{}'",
                      flags.pprof_addr));
    options.pprof_addresses = it->space;
  }
  if (flags.sample_period) {
    if (*flags.sample_period <= 0)
      return UsageError(fmt::format(
          "--sample-period: expected a number of bytes above 0, found {}",
          *flags.sample_period));
    options.sample_period = static_cast<uint64_t>(*flags.sample_period);
  }
  return {};
}

Result<NameStyle> NameStyleOf(const std::string& name) {
  if (name == "full") return NameStyle::kFull;
  if (name == "template") return NameStyle::kTemplate;
  if (name == "short") return NameStyle::kShort;
  return UsageError(fmt::format(
      "--names: expected full, template or short, found '{}'", name));
}

Result<ColorMode> ColorModeOf(const std::string& name) {
  if (name.empty() || name == "auto") return ColorMode::kAuto;
  if (name == "always") return ColorMode::kAlways;
  if (name == "never") return ColorMode::kNever;
  return UsageError(
      fmt::format("--color: expected auto, always or never, found '{}'", name));
}

// The non-empty parts of each of `lists`, as "a:b" is two parts.
std::vector<std::string> SplitEach(const std::vector<std::string>& lists,
                                   char separator) {
  std::vector<std::string> parts;
  for (const std::string_view list : lists)
    for (const auto part : std::views::split(list, separator))
      if (!part.empty()) parts.emplace_back(part.begin(), part.end());
  return parts;
}

// "0x55d0c0de1000", or "/srv/app=0x55d0c0de1000".
Result<void> SetLoadBases(const Flags& flags, Options& options) {
  for (const std::string& text : flags.load_bases) {
    const size_t equals = text.rfind('=');
    LoadBase base;
    if (equals != text.npos) base.file = text.substr(0, equals);
    std::string_view digits =
        std::string_view(text).substr(equals == text.npos ? 0 : equals + 1);
    if (digits.starts_with("0x")) digits.remove_prefix(2);
    constexpr int kHexadecimal = 16;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(),
                        base.address, kHexadecimal);
    if (error != std::errc() || end != digits.data() + digits.size() ||
        equals == 0)
      return UsageError(fmt::format(
          "--load-base: expected ADDR or FILE=ADDR, with a hexadecimal "
          "address, found '{:.200}'",
          text));
    options.load_bases.push_back(std::move(base));
  }
  return {};
}

Result<void> SetSearchPath(const Flags& flags, LocatorOptions& locator) {
  locator.symbol_path = SplitEach(flags.symbol_paths, ':');
  for (std::string& prefix : SplitEach(flags.lib_prefixes, ','))
    locator.symbol_path.push_back(std::move(prefix));
  for (const std::string& text : flags.path_maps) {
    const size_t equals = text.find('=');
    if (equals == 0 || equals == text.npos)
      return UsageError(
          fmt::format("--path-map: expected FROM=TO, found '{}'", text));
    locator.debug.path_map.push_back(
        {text.substr(0, equals), text.substr(equals + 1)});
  }
  return {};
}

Result<void> SetGraphLimits(const Flags& flags, GraphLimits& limits) {
  const auto set = [](const char* name, const auto& given,
                      auto& limit) -> Result<void> {
    if (given && !(*given >= 0))
      return UsageError(
          fmt::format("--{}: expected 0 or more, found {}", name, *given));
    if (given) limit = static_cast<std::decay_t<decltype(limit)>>(*given);
    return {};
  };
  for (const auto& done :
       {set("nodecount", flags.node_count, limits.node_count),
        set("nodefraction", flags.node_fraction, limits.node_fraction),
        set("edgefraction", flags.edge_fraction, limits.edge_fraction),
        set("maxdegree", flags.max_degree, limits.degree)})
    if (!done) return done;
  return {};
}

// "512MiB" or a number of bytes.
Result<uint64_t> SizeOf(const std::string& option, const std::string& text) {
  struct Unit {
    std::string_view name;
    unsigned shift;
  };
  constexpr Unit kUnits[] = {
      {"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};
  uint64_t number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view name(end, text.data() + text.size());
  const auto unit = std::ranges::find(kUnits, name, &Unit::name);
  if (error != std::errc() || unit == std::end(kUnits) ||
      number > UINT64_MAX >> unit->shift)
    return UsageError(
        fmt::format("{}: expected a size such as 512MiB or 4GiB, found '{}'",
                    option, text));
  return number << unit->shift;
}

Result<void> SetCache(const Flags& flags, Options& options) {
  if (flags.cache_size) {
    auto size = SizeOf("--cache-size", *flags.cache_size);
    if (!size) return std::unexpected(size.error());
    options.cache_size = *size;
  }
  if (options.command != Command::kCache || options.files.empty()) return {};
  constexpr std::array<std::string_view, 3> kActions = {"list", "prune",
                                                        "clear"};
  const auto action = std::ranges::find(kActions, options.files.front());
  if (action == kActions.end() || options.files.size() > 1)
    return UsageError(
        fmt::format("cache: expected list, prune or clear, found '{}'",
                    fmt::join(options.files, " ")));
  options.cache_action = static_cast<CacheAction>(action - kActions.begin());
  return {};
}

Result<void> Check(const Flags& flags, Options& options) {
  if (auto ok = SetCache(flags, options); !ok) return ok;
  if (auto ok = CheckPprofInput(flags, options); !ok) return ok;
  for (const auto* files : {&options.files, &options.bases})
    if (auto ok = CheckUrls(*files); !ok) return ok;
  if (auto ok = SetGraphLimits(flags, options.graph); !ok) return ok;
  if (flags.node_fraction) options.least_fraction = *flags.node_fraction;
  options.source_path = SplitEach(flags.source_paths, ':');
  auto paths = SetSearchPath(flags, options.locator);
  if (!paths) return paths;
  if (auto bases = SetLoadBases(flags, options); !bases) return bases;
  auto outputs = options.command == Command::kInfo ? CheckInfo(flags, options)
                                                   : SetOutputs(flags, options);
  if (!outputs) return outputs;
  auto metric = MetricOf(flags);
  if (!metric) return std::unexpected(metric.error());
  options.metric = *metric;
  options.is_metric_chosen = std::ranges::count(flags.metrics, true) != 0;
  auto granularity = GranularityOf(flags);
  if (!granularity) return std::unexpected(granularity.error());
  options.granularity = *granularity;
  options.filters.no_inlines = !flags.inlines;
  if (flags.top && *flags.top < 0)
    return UsageError(
        fmt::format("--top: expected 0 or more, found {}", *flags.top));
  if (flags.top) options.top = static_cast<size_t>(*flags.top);
  if (flags.names) {
    auto names = NameStyleOf(*flags.names);
    if (!names) return std::unexpected(names.error());
    options.names = *names;
  }
  auto color = ColorModeOf(flags.color);
  if (!color) return std::unexpected(color.error());
  options.color = *color;
  constexpr long long kMostJobs = 1024;
  if (flags.jobs < 0 || flags.jobs > kMostJobs)
    return UsageError(fmt::format("--jobs: expected 0 to {}, found {}",
                                  kMostJobs, flags.jobs));
  options.jobs = static_cast<unsigned>(flags.jobs);
  if (options.two_columns && !HasMode(options, OutputMode::kCollapsed))
    return UsageError("--two-column belongs to --collapsed");
  if (options.two_columns && options.bases.empty())
    return UsageError("--two-column needs a --base to compare with");
  if (HasMode(options, OutputMode::kRaw) && !options.bases.empty())
    return UsageError("--raw writes a dump, which cannot be a difference");
  return {};
}

}  // namespace

unsigned JobCount(const Options& options) {
  return options.jobs != 0 ? options.jobs
                           : std::max(1u, std::thread::hardware_concurrency());
}

Unit UnitOf(const Options& options) {
  if (IsObjectCount(options.metric)) return Unit::kObjects;
  return options.show_bytes ? Unit::kBytes : Unit::kMegabytes;
}

LabelOptions LabelsOf(const Options& options) {
  return {.granularity = options.granularity,
          .names = options.names ? NameForm::kAsTheyAre : NameForm::kShort};
}

Result<Options> ParseArgs(std::span<const std::string> args) {
  Options options;
  // Only in front, and only as it is: "./info" is a file.
  for (const auto& [word, command] :
       {std::pair("info", Command::kInfo), {"cache", Command::kCache}}) {
    if (args.empty() || args.front() != word) continue;
    options.command = command;
    args = args.subspan(1);
    break;
  }
  NormalizedArgs normalized = NormalizeArgs(args, OptionTable());
  if (!normalized.errors.empty())
    return UsageError(Enumerate(std::move(normalized.errors)));

  Flags flags;
  bool ignored_switch = false;
  std::string ignored_value;
  CLI::App app;
  app.set_help_flag();  // --help is an option like any other here
  AddInputOptions(app, options, flags);
  AddSymbolOptions(app, options, flags);
  AddReportOptions(app, options, flags);
  AddGraphOptions(app, options, flags);
  AddFilterOptions(app, options.filters, flags);
  AddMessageOptions(app, options, flags);
  AddIgnoredOptions(app, ignored_switch, ignored_value);
  try {
    app.parse(ForCli11(normalized.options));
  } catch (const CLI::ParseError& error) {
    return UsageError(error.what());
  }
  options.args.assign(args.begin(), args.end());
  options.files = std::move(normalized.positionals);
  if (auto checked = Check(flags, options); !checked)
    return std::unexpected(checked.error());
  return options;
}

}  // namespace heapprof
