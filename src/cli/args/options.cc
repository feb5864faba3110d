// SPDX-License-Identifier: Apache-2.0
#include "cli/args/options.h"

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

#include "cli/args/check_outputs.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/option_table.h"
#include "cli/args/usage_error.h"

namespace heapprof {
namespace {

// Returns the arguments in the form that CLI11 needs: in reverse order, and
// with "--focus=" split into "--focus" and "", because CLI11 would treat
// "--focus=" as an option without a value.
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

// Joins one or more messages; only the first few are printed in full.
std::string Enumerate(std::vector<std::string> messages) {
  constexpr size_t kMost = 3;
  std::string more;
  if (messages.size() > kMost) {
    more = fmt::format("; and {} more", messages.size() - kMost);
    messages.resize(kMost);
  }
  return fmt::format("{}{}", fmt::join(messages, "; also "), more);
}

constexpr const OutputFormat* kText = OutputNamed("text");
constexpr const OutputFormat* kJson = OutputNamed("json");

// Returns the output that an option chooses; null if no option does.
Result<const OutputFormat*> FormatOf(const ParsedArgs& args) {
  if (args.formats.empty()) return nullptr;
  if (args.formats.size() == 1) return args.formats.front();
  std::string names;
  for (const OutputFormat& format : kOutputs)
    names += fmt::format("{}--{}", names.empty() ? "" : ", ", format.name);
  return UsageError("more than one output: choose one of " + names);
}

bool HasOutput(const Options& options, const OutputFormat* format) {
  return std::ranges::find(options.outputs, format, &Output::format) !=
         options.outputs.end();
}

// Returns true if an option was given that makes sense only for a table.
bool AsksForTable(const ParsedArgs& args) {
  return args.options.top || !args.granularities.empty() ||
         args.options.show_errors;
}

// Moves the option of a table from the chosen outputs to `json_table`, if
// --json is to write that table.
void SetJsonTable(ParsedArgs& args) {
  const auto table = std::ranges::find_if(
      args.formats,
      [](const OutputFormat* format) { return format->traits.has_json; });
  if (table == args.formats.end()) return;
  args.options.json_table = *table;
  if (std::ranges::find(args.formats, kJson) != args.formats.end())
    args.formats.erase(table);
}

Result<void> SetOutputs(ParsedArgs& args) {
  Options& options = args.options;
  SetJsonTable(args);
  const auto format = FormatOf(args);
  if (!format) return std::unexpected(format.error());
  auto outputs = ChooseOutputs(*format, args.output_paths);
  if (!outputs) return std::unexpected(outputs.error());
  options.outputs = std::move(*outputs);
  options.is_default_output = *format == nullptr && args.output_paths.empty() &&
                              options.bases.empty() && !AsksForTable(args) &&
                              !options.sort_by_cumulative &&
                              !options.show_bytes && options.thread != "*";
  if (options.outputs.size() > 1 && HasOutput(options, OutputNamed("symbols")))
    return UsageError("--symbols names addresses, not dumps: it has one -o");
  return {};
}

Result<void> SetInfoOutput(ParsedArgs& args) {
  Options& options = args.options;
  const auto format = FormatOf(args);
  if (!format) return std::unexpected(format.error());
  if (*format != nullptr && *format != kText && *format != kJson)
    return UsageError("info writes text, or JSON with --json");
  if (!options.bases.empty())
    return UsageError("info takes one dump, and no --base");
  if (args.output_paths.size() > 1)
    return UsageError("more than one -o: info writes one report");
  Output& output = options.outputs.front();
  if (!args.output_paths.empty()) output.path = args.output_paths.front();
  // Without an option, only a file named *.json gets JSON.
  const bool is_named_json = output.path.ends_with(kJson->extensions);
  output.format = *format != nullptr ? *format : is_named_json ? kJson : kText;
  return {};
}

Result<void> CompilePatterns(ParsedArgs& args) {
  // A gate names the user's functions, unless told otherwise.
  if (args.options.command == Command::kCheck && args.filters.own.empty())
    args.filters.own = "auto";
  auto filters = StackFilters::Compile(std::move(args.filters));
  if (!filters) return std::unexpected(filters.error());
  args.options.filters = std::move(*filters);
  const OutputFormat* output = args.options.json_table;
  if (output == nullptr && !args.formats.empty()) output = args.formats.front();
  if (output == nullptr || !output->traits.takes_pattern) return {};
  auto pattern =
      Regex::Compile(fmt::format("--{}", output->name), args.pattern);
  if (!pattern) return std::unexpected(pattern.error());
  args.options.pattern = std::move(*pattern);
  return {};
}

Result<void> SetMetric(ParsedArgs& args) {
  if (args.metrics.empty()) return {};
  if (args.metrics.size() > 1)
    return UsageError(
        "more than one metric: choose one of --inuse_space, --inuse_objects, "
        "--alloc_space, --alloc_objects");
  args.options.metric = args.metrics.front();
  args.options.is_metric_chosen = true;
  return {};
}

Result<void> SetGranularity(ParsedArgs& args) {
  if (args.granularities.empty()) return {};
  if (args.granularities.size() > 1)
    return UsageError(
        "more than one granularity: choose one of --functions, --lines, "
        "--files, --addresses, --modules");
  args.options.granularity = args.granularities.front();
  return {};
}

// Rejects URLs, which jeprof would fetch. A file with such a name must be given
// as "./http:...".
Result<void> CheckUrls(const std::vector<std::string>& files) {
  for (const std::string& file : files)
    if (file.starts_with("http://") || file.starts_with("https://"))
      return UsageError(fmt::format(
          "{:.200}: heapprof reads files; fetch the profile first, for example "
          "with curl -o server.heap",
          file));
  return {};
}

Result<void> SetCacheAction(Options& options) {
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

Result<void> SetHelpTopic(Options& options) {
  const bool is_command = options.command == Command::kHelp;
  const bool is_lone_switch =
      options.show_help && options.args.size() - options.files.size() == 1;
  if (is_command && options.files.size() > 1)
    return UsageError(fmt::format("help: expected one topic, found '{}'",
                                  fmt::join(options.files, " ")));
  if ((is_command || is_lone_switch) && options.files.size() == 1)
    options.help_topic = options.files.front();
  return {};
}

// Returns the first option of flame graphs that was given; empty if none was.
std::string_view FlameOptionOf(const FlameOptions& flame) {
  if (!flame.title.empty()) return "--title";
  if (flame.width) return "--width";
  if (flame.min_width) return "--min-width";
  if (flame.inverted) return "--inverted";
  if (flame.reverse) return "--reverse";
  return flame.palette ? "--palette" : "";
}

Result<void> CheckFlameOptions(const Options& options) {
  const std::string_view given = FlameOptionOf(options.flame);
  if (!given.empty() && !HasOutput(options, OutputNamed("flamegraph")))
    return UsageError(fmt::format("{} works only with --flamegraph", given));
  if (options.flame.palette && !options.bases.empty())
    return UsageError(
        "--palette does not work with --base: colours show what changed");
  return {};
}

Result<void> CheckCombinations(const Options& options) {
  if (options.two_columns && !HasOutput(options, OutputNamed("collapsed")))
    return UsageError("--two-column works only with --collapsed");
  if (options.two_columns && options.bases.empty())
    return UsageError("--two-column needs a --base to compare with");
  if (options.html_source && !HasOutput(options, OutputNamed("html")))
    return UsageError("--html-source works only with --html");
  if (options.show_errors && !HasOutput(options, kText) &&
      !HasOutput(options, kJson))
    return UsageError("--ci works only with --text and --json");
  if (HasOutput(options, OutputNamed("raw")) && !options.bases.empty())
    return UsageError("--raw writes a dump, which cannot be a difference");
  if (auto ok = CheckFlameOptions(options); !ok) return ok;
  for (const auto* files : {&options.files, &options.bases})
    if (auto ok = CheckUrls(*files); !ok) return ok;
  return {};
}

Result<void> CheckProtoOptions(const ParsedArgs& args) {
  const Options& options = args.options;
  const std::vector<Metric>& types = options.pprof.types;
  if (!args.for_proto.empty() && !HasOutput(options, OutputNamed("proto")))
    return UsageError(
        fmt::format("{} works only with --proto", args.for_proto));
  if (!types.empty() && options.is_metric_chosen &&
      std::ranges::find(types, options.metric) == types.end())
    return UsageError("--pprof-types lacks the chosen metric");
  return {};
}

// Sorts the positionals into the two sides of `heapprof check`. If --new is
// given, --base and --new each take all files that follow them. If it is not
// given, --base takes only its own value, as in other commands.
void SortSides(const NormalizedArgs& args, Options& options) {
  std::vector<std::string>& news = options.check.new_files;
  const bool has_new = !news.empty();
  for (size_t i = 0; i < args.positionals.size(); ++i) {
    const std::string& file = args.positionals[i];
    if (has_new && args.follows[i] == "base")
      options.bases.push_back(file);
    else if (has_new && args.follows[i] == "new")
      news.push_back(file);
    else
      options.files.push_back(file);
  }
  options.files.insert(options.files.end(), news.begin(), news.end());
}

Result<void> SetCheckMetric(ParsedArgs& args) {
  Options& options = args.options;
  if (options.check.settings.metric)
    args.metrics.push_back(*options.check.settings.metric);
  if (auto ok = SetMetric(args); !ok) return ok;
  if (options.is_metric_chosen) options.check.settings.metric = options.metric;
  return {};
}

Result<void> SetOutput(ParsedArgs& args) {
  if (args.options.command == Command::kCheck) return SetCheckMetric(args);
  if (auto ok = SetMetric(args); !ok) return ok;
  if (auto ok = SetGranularity(args); !ok) return ok;
  return args.options.command == Command::kInfo ? SetInfoOutput(args)
                                                : SetOutputs(args);
}

// Derives values from several options, and checks combinations.
Result<void> Complete(ParsedArgs& args) {
  if (auto ok = SetCacheAction(args.options); !ok) return ok;
  if (auto ok = SetHelpTopic(args.options); !ok) return ok;
  if (auto ok = SetOutput(args); !ok) return ok;
  if (auto ok = CheckCombinations(args.options); !ok) return ok;
  if (auto ok = CheckProtoOptions(args); !ok) return ok;
  return CompilePatterns(args);
}

// One option of the table, and its counterpart in CLI11.
struct Binding {
  GivenOption given;
  CLI::Option* option;
};

// Adds the options of the table that have a setter. The elements of `bindings`
// must not move afterwards: CLI11 keeps references to them.
void AddOptions(CLI::App& app, std::vector<Binding>& bindings) {
  for (const OptionSpec& spec : OptionTable())
    if (spec.set != nullptr) bindings.push_back({{.spec = spec}, nullptr});
  for (auto& [given, option] : bindings) {
    const std::string name = given.Name();
    if (IsSwitch(given.spec.kind))
      option = app.add_flag(fmt::format("{0},!--no-{1}", name, given.spec.name),
                            given.is_on)
                   ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    else
      option = app.add_option(name, given.values)->allow_extra_args(false);
  }
}

// Parses the options that NormalizeArgs() returned, and stores them in `args`.
Result<void> ReadOptions(const std::vector<std::string>& canonical,
                         ParsedArgs& args) {
  CLI::App app;
  app.set_help_flag();  // --help is an option like any other here
  std::vector<Binding> bindings;
  AddOptions(app, bindings);
  try {
    app.parse(ForCli11(canonical));
  } catch (const CLI::ParseError& error) {
    return UsageError(error.what());
  }
  const Command command = args.options.command;
  for (const auto& [given, option] : bindings) {
    if (option->count() == 0) continue;
    if (!IsFor(command, given.spec))
      return UsageError(fmt::format(
          "{} {} with 'heapprof check'", given.Name(),
          command == Command::kCheck ? "does not work" : "works only"));
    if (given.spec.group == OptionGroup::kProto && given.is_on)
      args.for_proto = given.Name();
    if (auto set = given.spec.set(given, args); !set) return set;
  }
  return {};
}

}  // namespace

// Returns true if --text shows the values before and after. It prints jeprof's
// table instead if there is no base, if the output goes to a pipe or file, or
// if the options ask for something that only jeprof's table can show.
bool ComparesOnTerminal(const Output& output, const Options& options) {
  const bool has_rows = options.granularity == Granularity::kFunctions ||
                        options.granularity == Granularity::kFiles ||
                        options.granularity == Granularity::kModules;
  return !options.bases.empty() && has_rows && options.thread != "*" &&
         !options.show_bytes && !options.drop_negative &&
         output.IsStandardOutput() &&
         StyleOfStandardOutput(options.color).is_terminal;
}

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
  ParsedArgs parsed;
  Options& options = parsed.options;
  // A command must be the first argument and not abbreviated. A file with the
  // name of a command can be given as "./info".
  for (const auto& [word, command] : {std::pair("info", Command::kInfo),
                                      {"check", Command::kCheck},
                                      {"cache", Command::kCache},
                                      {"help", Command::kHelp}}) {
    if (args.empty() || args.front() != word) continue;
    options.command = command;
    args = args.subspan(1);
    break;
  }
  NormalizedArgs normalized = NormalizeArgs(args, OptionTable());
  if (!normalized.errors.empty())
    return UsageError(Enumerate(std::move(normalized.errors)));

  if (auto read = ReadOptions(normalized.options, parsed); !read)
    return std::unexpected(read.error());
  options.args.assign(args.begin(), args.end());
  if (options.command == Command::kCheck) {
    SortSides(normalized, options);
    auto outputs = ChooseCheckOutputs(normalized.options);
    if (!outputs) return std::unexpected(outputs.error());
    options.check.outputs = *std::move(outputs);
  } else {
    options.files = std::move(normalized.positionals);
  }
  if (auto complete = Complete(parsed); !complete)
    return std::unexpected(complete.error());
  return std::move(options);
}

}  // namespace heapprof
