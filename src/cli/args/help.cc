// SPDX-License-Identifier: Apache-2.0
#include "cli/args/help.h"

#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/option_table.h"
#include "cli/args/options.h"

namespace heapprof {
namespace {

constexpr size_t kTextColumn = 23;  // where the help of an option begins
constexpr size_t kWidth = 80;

constexpr std::string_view kUsage =
    R"(heapprof - who holds the memory: reads jemalloc heap dumps, names every frame

usage: heapprof [options] [BINARY] DUMP...
       heapprof check [options] [BINARY] --base OLD... --new NEW...
       heapprof info [options] [BINARY] DUMP
       heapprof cache [list|prune|clear]
       heapprof help [TOPIC]

Arguments are recognised by their content, in any order. Without BINARY, the
program is found through the memory map in the dump. DUMP may be a heap dump
(*.heap), a dump with a '--- symbol' section or a pprof profile, each also
compressed (.gz, .zst, .xz, .bz2), or '-' for standard input. Several dumps are
added up. A folder stands for the binaries and debug files in it, and for the
dump if there is only one.

Examples:
  heapprof -o mem.flame.svg BIN DUMP
  heapprof --text --cum --show_bytes BIN DUMP
  heapprof --text DUMP
  heapprof --base OLD.heap NEW.heap
  heapprof --callers 'Block::Read' DUMP
  heapprof info DUMP
  heapprof --proto -o heap.pb.gz BIN DUMP && pprof -top heap.pb.gz
  heapprof --proto -o named.pb.gz BIN heap.pb.gz

'check' exits with status 1 if memory use grew beyond a limit; see 'heapprof
check --help'. 'info' says what is in the dump, which modules have names, and
what to do about the others. 'cache' lists the indexes of binaries, removes
unusable ones, or all. 'help' shows this text or the page of a topic.

All numbers are estimates from samples; see 'heapprof help accuracy'.

)";

constexpr std::string_view kCheckUsage =
    R"(heapprof check - did memory use grow beyond a limit?

usage: heapprof check [options] [BINARY] --base OLD NEW
       heapprof check [options] [BINARY] --base OLD... --new NEW...

Compares the total and each function with the limits. Growth counts only if
sampling noise cannot explain it. Several files on a side are runs of the same
program; they are averaged. Without BINARY, the programs are found through the
memory maps in the dumps.

Examples:
  heapprof check --max-growth '10% + 4MiB' --base OLD.heap NEW.heap
  heapprof check --max-total 2GiB NEW.heap
  heapprof check --budgets heap-budgets.toml --format markdown -o comment.md \
    --base main/*.heap --new branch/*.heap

Exit status: 0 within the limits, 1 a regression and nothing else, 2 wrong
usage, 3 any other failure, 4 too few symbols.

'heapprof help check' explains budgets, verdicts and how to run this in CI.

Output:
  -o, --output FILE    write the report to FILE, whole or not at all
)";

constexpr std::string_view kRules = R"(
Options of jeprof keep their names, abbreviations and meaning: one or two
dashes, any case, unique prefixes, --opt=VALUE or --opt VALUE, before or after
the files.

Exit status: 0 done, 1 failed (unreadable or damaged input, write error),
2 wrong usage.

Topics of 'heapprof help TOPIC':
)";

// Returns how the option is written, such as "-o, --output FILE".
std::string SyntaxOf(const OptionSpec& spec) {
  std::string syntax;
  std::string aliases;
  for (const OptionSpec& alias : OptionTable()) {
    if (alias.alias_of != spec.name) continue;
    if (alias.name.size() == 1)
      syntax += fmt::format("-{}, ", alias.name);
    else
      aliases += fmt::format(", --{}", alias.name);
  }
  syntax += fmt::format("--{}{}{}", spec.is_on_by_default ? "no-" : "",
                        spec.name, aliases);
  if (!spec.value.empty()) syntax += fmt::format(" {}", spec.value);
  return syntax;
}

// Appends `text`, wrapped into lines that begin at kTextColumn. The last line
// of `help` must already reach that column.
void AppendWrapped(std::string_view text, std::string& help) {
  size_t column = kTextColumn;
  bool is_line_start = true;
  const auto new_line = [&] {
    help += '\n' + std::string(kTextColumn, ' ');
    column = kTextColumn;
    is_line_start = true;
  };
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    if (!is_line_start && column + 1 + end > kWidth) new_line();
    if (!is_line_start) help += ' ';
    help += text.substr(0, end);
    column += end + (is_line_start ? 0 : 1);
    is_line_start = false;
    if (end < text.size() && text[end] == '\n') new_line();
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  help += '\n';
}

void AppendOption(const OptionSpec& spec, std::string& help) {
  std::string syntax = "  " + SyntaxOf(spec);
  help += syntax;
  if (syntax.size() < kTextColumn)
    help += std::string(kTextColumn - syntax.size(), ' ');
  else
    help += '\n' + std::string(kTextColumn, ' ');
  AppendWrapped(spec.help, help);
}

// Appends those options of the group for which `is_shown` returns true, below
// the heading of the group; nothing if there are none.
template <typename IsShown>
void AppendGroup(const OptionGroupInfo& group, IsShown is_shown,
                 std::string& help) {
  bool is_first = true;
  for (const OptionSpec& spec : OptionTable()) {
    if (spec.group != group.group || spec.help.empty() || !is_shown(spec))
      continue;
    if (std::exchange(is_first, false))
      help += fmt::format("{}:\n", group.heading);
    AppendOption(spec, help);
  }
}

void AppendGroup(const OptionGroupInfo& group, std::string& help) {
  AppendGroup(group, [](const OptionSpec&) { return true; }, help);
}

void AppendOptionsFor(Command command, std::string& help) {
  for (const OptionGroupInfo& group : OptionGroups())
    if (command != Command::kCheck || group.group != OptionGroup::kOutput)
      AppendGroup(
          group,
          [command](const OptionSpec& spec) { return IsFor(command, spec); },
          help);
}

// Appends the options of jeprof that are refused, each with its replacement.
void AppendRefused(std::string& help) {
  for (const OptionSpec& spec : OptionTable()) {
    if (spec.replacement.empty()) continue;
    const std::string syntax = fmt::format("  --{}", spec.name);
    help += fmt::format("{:<{}}", syntax, kTextColumn);
    AppendWrapped(spec.replacement, help);
  }
}

const OptionGroupInfo* FindGroup(std::string_view name) {
  const auto group =
      std::ranges::find(OptionGroups(), name, &OptionGroupInfo::name);
  return group == OptionGroups().end() ? nullptr : &*group;
}

const HelpFile* FindFile(std::string_view topic) {
  const auto file = std::ranges::find(HelpFiles(), topic, &HelpFile::topic);
  return file == HelpFiles().end() ? nullptr : &*file;
}

std::string_view SummaryOf(const HelpFile& file) {
  return file.text.substr(0, file.text.find('\n'));
}

// Returns the page for a topic. Lines in braces, such as "{options filters}",
// are replaced by text made from the option table.
std::string Expand(const HelpFile& file) {
  std::string page = fmt::format("{} - ", file.topic);
  for (const auto part : std::views::split(file.text, '\n')) {
    std::string_view line(part.begin(), part.end());
    constexpr std::string_view kOptions = "{options ";
    if (line == "{refused options}") {
      AppendRefused(page);
    } else if (line.starts_with(kOptions) && line.ends_with('}')) {
      line.remove_prefix(kOptions.size());
      line.remove_suffix(1);
      if (const OptionGroupInfo* group = FindGroup(line))
        AppendGroup(*group, page);
    } else {
      page += line;
      page += '\n';
    }
  }
  page.resize(page.find_last_not_of('\n') + 2);
  return page;
}

}  // namespace

std::string VersionText() { return "heapprof " HEAPPROF_VERSION "\n"; }

std::string HelpText() {
  std::string help(kUsage);
  AppendOptionsFor(Command::kReport, help);
  help += kRules;
  for (const HelpFile& file : HelpFiles())
    help += fmt::format("  {:<{}}{}\n", file.topic, kTextColumn - 2,
                        SummaryOf(file));
  return help;
}

std::string CheckHelpText() {
  std::string help(kCheckUsage);
  AppendOptionsFor(Command::kCheck, help);
  return help;
}

std::vector<std::string_view> HelpTopics() {
  std::vector<std::string_view> topics;
  for (const HelpFile& file : HelpFiles()) topics.push_back(file.topic);
  for (const OptionGroupInfo& group : OptionGroups())
    if (FindFile(group.name) == nullptr) topics.push_back(group.name);
  return topics;
}

Result<std::string> HelpPage(std::string_view topic) {
  if (const HelpFile* file = FindFile(topic)) return Expand(*file);
  if (const OptionGroupInfo* group = FindGroup(topic)) {
    std::string page;
    AppendGroup(*group, page);
    return page;
  }
  return Fail(ErrorKind::kUsage,
              fmt::format("no help on '{:.60}'; topics: {}", topic,
                          fmt::join(HelpTopics(), ", ")));
}

}  // namespace heapprof
