// SPDX-License-Identifier: Apache-2.0
#include "cli/args/parse_args.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/command_table.h"
#include "cli/args/normalize_args.h"
#include "cli/args/option_setters.h"
#include "cli/args/option_table.h"
#include "cli/args/read_groups.h"
#include "cli/args/usage_error.h"
#include "heapprof/base/built_without.h"
#include "heapprof/report/can_write_json.h"
#include "heapprof/report/check.h"

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

constexpr const OutputFormat* kTextOutput = OutputNamed("text");
constexpr const OutputFormat* kJson = OutputNamed("json");

bool HasOutput(const Options& options, const OutputFormat* format) {
  return std::ranges::find(options.outputs, format, &Output::format) !=
         options.outputs.end();
}

Result<void> CompilePatterns(ParsedArgs& args) {
  auto filters = StackFilters::Compile(std::move(args.filters));
  if (!filters) return std::unexpected(filters.error());
  args.options.filters = std::move(*filters);
  auto groups = ReadGroups(args.options.group_sources);
  if (!groups) return std::unexpected(groups.error());
  args.options.groups = std::move(*groups);
  const OutputFormat* output = args.options.json_table;
  if (output == nullptr && !args.formats.empty()) output = args.formats.front();
  if (output == nullptr || !output->traits.takes_pattern) return {};
  auto pattern =
      Regex::Compile(fmt::format("--{}", output->name), args.pattern);
  if (!pattern) return std::unexpected(pattern.error());
  args.options.pattern = std::move(*pattern);
  return {};
}

Result<void> CheckStandardInput(const Options& options) {
  if (std::ranges::count(options.files, "-") +
          std::ranges::count(options.bases, "-") >
      1)
    return UsageError("-: named twice, but standard input can be read once");
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

// Returns the format of an output that CanWriteJson() is about; empty if there
// is none.
std::string_view FormatWithJson(const Options& options) {
  if (HasOutput(options, kJson) ||
      std::ranges::any_of(options.trend.outputs,
                          [](const TrendOutput& output) {
                            return output.format == TrendFormat::kJson;
                          }) ||
      std::ranges::any_of(options.check.outputs, [](const CheckOutput& output) {
        return CheckFormats()[output.format].name == "json";
      }))
    return "JSON";
  // The page of explain has no data for scripts.
  const bool has_page = HasOutput(options, OutputNamed("html")) &&
                        options.command != Command::kExplain;
  return has_page ? "HTML" : "";
}

Result<void> CheckJson(const Options& options) {
  if (CanWriteJson()) return {};
  const std::string_view format = FormatWithJson(options);
  if (format.empty()) return {};
  return UsageError(
      fmt::format("{} cannot be written, because {}", format,
                  BuiltWithout("nlohmann-json", "HEAPPROF_JSON")));
}

Result<void> CheckCombinations(const Options& options) {
  if (options.each.is_chosen && options.command != Command::kReport)
    return UsageError(fmt::format("--each does not work with 'heapprof {}'",
                                  SpecOf(options.command).name));
  if (!options.news.empty() && options.each.is_chosen)
    return UsageError(
        "--new does not work with --each, which compares each dump with that "
        "of --base");
  if (!options.news.empty() && options.bases.empty() &&
      options.command != Command::kCheck)
    return UsageError("--new needs a --base to compare with");
  if (options.two_columns && !HasOutput(options, OutputNamed("collapsed")))
    return UsageError("--two-column works only with --collapsed");
  if (options.two_columns && options.bases.empty())
    return UsageError("--two-column needs a --base to compare with");
  if (options.html_source && !HasOutput(options, OutputNamed("html")))
    return UsageError("--html-source works only with --html");
  if (options.markdown_budget && !HasOutput(options, OutputNamed("markdown")))
    return UsageError("--budget works only with --markdown");
  if (options.show_errors && !HasOutput(options, kTextOutput) &&
      !HasOutput(options, kJson))
    return UsageError("--ci works only with --text and --json");
  if (!options.labels.empty() && !HasOutput(options, OutputNamed("ndjson")) &&
      !HasOutput(options, OutputNamed("proto")))
    return UsageError("--label works only with --ndjson and --proto");
  if (HasOutput(options, OutputNamed("ndjson")) && !options.bases.empty())
    return UsageError(
        "--ndjson writes each dump for itself: name both without --base, and "
        "compare them in a query");
  if (HasOutput(options, OutputNamed("raw")) && !options.bases.empty())
    return UsageError("--raw writes a dump, which cannot be a difference");
  if (auto ok = CheckFlameOptions(options); !ok) return ok;
  if (auto ok = CheckJson(options); !ok) return ok;
  return CheckStandardInput(options);
}

// Groups that no output shows may still be what a filter matches.
Result<void> CheckGroups(const Options& options) {
  const bool shows_groups = std::ranges::any_of(
      options.outputs,
      [](const Output& output) { return !output.format->traits.lacks_groups; });
  if (options.group_sources.empty() || shows_groups ||
      !options.filters.IsEmpty())
    return {};
  return UsageError(
      fmt::format("--{} shows no groups; a filter can choose one, such as "
                  "--focus='^\\[RocksDB\\]$'",
                  options.outputs.front().format->name));
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

// One option of the table, and its counterpart in CLI11.
struct Binding {
  GivenOption given;
  CLI::Option* option;
};

// Returns whatever may be the name of an option.
std::set<std::string_view> NamesIn(const std::vector<std::string>& canonical) {
  std::set<std::string_view> names;
  for (std::string_view word : canonical) {
    for (const std::string_view start : {"--", "no-"}) {
      if (!word.starts_with(start)) break;
      word.remove_prefix(start.size());
      names.insert(word.substr(0, word.find('=')));
    }
  }
  return names;
}

// Adds those options of the table that are given: CLI11 compares each with all
// others, which for the whole table would take most of the time of a start. The
// elements of `bindings` must not move afterwards: CLI11 keeps references to
// them.
void AddOptions(const std::vector<std::string>& canonical, CLI::App& app,
                std::vector<Binding>& bindings) {
  const std::set<std::string_view> names = NamesIn(canonical);
  for (const OptionSpec& spec : OptionTable())
    if (spec.set != nullptr && names.contains(spec.name))
      bindings.push_back({{.spec = spec}, nullptr});
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

// check has --format json where other commands have --json.
std::string UseInstead(const CommandSpec& command, const GivenOption& given) {
  for (const CheckFormat& format : CheckFormats()) {
    if (command.command == Command::kCheck && given.spec.name == format.name)
      return fmt::format("; use --format {}", format.name);
    if (given.spec.name == "format" && given.values.back() == format.name)
      for (const OptionSpec& spec : OptionTable())
        if (spec.name == format.name && command.Takes(spec))
          return fmt::format("; use --{}", format.name);
  }
  return "";
}

// Names the commands that take an option, or the one that does not. `word` is
// the first of the files; options may precede the command that is meant.
std::unexpected<Error> DoesNotTake(const CommandSpec& command,
                                   const GivenOption& given,
                                   std::string_view word) {
  const CommandSpec* meant = FindCommand(word);
  if (meant != nullptr && meant->Takes(given.spec))
    return UsageError(CommandComesFirst(word));
  std::vector<std::string> takers;
  for (const CommandSpec& other : kCommands)
    if (other.Takes(given.spec))
      takers.push_back(fmt::format("'heapprof {}'", other.name));
  if (kCommands[0].Takes(given.spec))
    return UsageError(fmt::format("{} does not work with 'heapprof {}'{}",
                                  given.Name(), command.name,
                                  UseInstead(command, given)));
  return UsageError(fmt::format("{} works only with {}{}", given.Name(),
                                fmt::join(takers, " and "),
                                UseInstead(command, given)));
}

// Parses the options that NormalizeArgs() returned, and stores them in `args`.
Result<void> ReadOptions(const NormalizedArgs& normalized, ParsedArgs& args) {
  const std::vector<std::string>& canonical = normalized.options;
  CLI::App app;
  app.set_help_flag();  // --help is an option like any other here
  std::vector<Binding> bindings;
  AddOptions(canonical, app, bindings);
  try {
    app.parse(ForCli11(canonical));
  } catch (const CLI::ParseError& error) {
    return UsageError(error.what());
  }
  const CommandSpec& command = SpecOf(args.options.command);
  for (const auto& [given, option] : bindings) {
    if (option->count() == 0) continue;
    if (!command.Takes(given.spec))
      return DoesNotTake(
          command, given,
          normalized.positionals.empty() ? "" : normalized.positionals.front());
    if (given.spec.group == OptionGroup::kProto && given.is_on)
      args.for_proto = given.Name();
    if (given.spec.value.starts_with("RE"))
      for (const std::string& pattern : given.values)
        args.options.pattern_arguments.push_back({given.spec.name, pattern});
    if (auto set = given.spec.set(given, args); !set) return set;
  }
  return {};
}

}  // namespace

Result<Options> ParseArgs(std::span<const std::string> args) {
  ParsedArgs parsed;
  Options& options = parsed.options;
  // A command must be the first argument and not abbreviated. A file with the
  // name of a command can be given as "./info".
  if (!args.empty()) {
    if (const CommandSpec* command = FindCommand(args.front())) {
      options.command = command->command;
      args = args.subspan(1);
    }
  }
  NormalizedArgs normalized =
      NormalizeArgs(args, OptionTable(), SpecOf(options.command).runs_program);
  if (!normalized.errors.empty())
    return UsageError(Enumerate(std::move(normalized.errors)));

  if (auto read = ReadOptions(normalized, parsed); !read)
    return std::unexpected(read.error());
  options.args.assign(args.begin(), args.end());
  for (const std::string& path : options.bases)
    options.side_arguments.push_back({"--base", path});
  for (const std::string& path : options.news)
    options.side_arguments.push_back({"--new", path});
  if (auto read = SpecOf(options.command).read(normalized, parsed); !read)
    return std::unexpected(read.error());
  if (auto fit = CheckCombinations(options); !fit)
    return std::unexpected(fit.error());
  if (auto fit = CheckProtoOptions(parsed); !fit)
    return std::unexpected(fit.error());
  if (auto compiled = CompilePatterns(parsed); !compiled)
    return std::unexpected(compiled.error());
  if (auto fit = CheckGroups(options); !fit)
    return std::unexpected(fit.error());
  return std::move(options);
}

}  // namespace heapprof
