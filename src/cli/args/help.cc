// SPDX-License-Identifier: Apache-2.0
#include "cli/args/help.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/nearest_word.h"
#include "cli/args/option_table.h"
#include "cli/args/suggested_option.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/lower_case.h"

namespace heapprof {
namespace {

constexpr size_t kTextColumn = 23;  // where the help of an option begins
constexpr size_t kWidth = 80;

constexpr std::string_view kTitle =
    "heapprof - who holds the memory: reads jemalloc heap dumps, names every "
    "frame\n\n";

constexpr std::string_view kArguments =
    R"(Arguments are recognised by their content, in any order. Without BINARY, the
program is found through the memory map in the dump. DUMP may be a heap dump
(*.heap), a dump with a '--- symbol' section, a pprof profile or folded stacks,
each also compressed (.gz, .zst, .xz, .bz2), or '-' for standard input. Several
dumps are added up; of one process, a terminal shows their trend. A folder
stands for the binaries and debug files in it, and for its dumps.

Examples:
  heapprof -o mem.flame.svg BIN DUMP
  heapprof --text --cum --show_bytes BIN DUMP
  heapprof --text DUMP
  heapprof --base OLD.heap NEW.heap
  heapprof trend FOLDER
  heapprof --callers 'Block::Read' DUMP
  heapprof info DUMP
  heapprof --proto -o heap.pb.gz BIN DUMP && pprof -top heap.pb.gz
  heapprof --proto -o named.pb.gz BIN heap.pb.gz

)";

constexpr std::string_view kShortHelp =
    R"(usage: heapprof [options] [BINARY] DUMP...       COMMAND -h says more
  heapprof DUMP                       who holds the memory, on one screen
  heapprof --base OLD NEW             what grew
  heapprof trend FOLDER               what grows from dump to dump, how fast
  heapprof --callers 'Block::' DUMP   who calls it; also --callees, --list
  heapprof --text --cum DUMP          all functions; also --tree, --traces
  heapprof -o mem.html DUMP           a page; also .flame.svg .pb.gz .json .txt
  heapprof record -- ./server         run a program, and dump its memory
  heapprof check --base OLD --new NEW  for CI: exit status 1 if memory grew

--alloc_space          what was allocated, not only what is live
--focus, --ignore RE   only stacks that match, or that do not
--thread N, --own RE   one thread; which code is yours
All options are in 'heapprof --help', more in 'heapprof help TOPIC'.
)";

constexpr std::string_view kAccuracy =
    R"(All numbers are estimates from samples; see 'heapprof help accuracy'.

)";

constexpr std::string_view kRules = R"(
Options of jeprof keep their names, abbreviations and meaning: one or two
dashes, any case, unique prefixes, --opt=VALUE or --opt VALUE, before or after
the files.

Exit status: 0 done, 1 failed (input unreadable or damaged beyond use, write
error, more memory needed than --memory-limit allows), 2 wrong usage.

)";

// Returns how the option is written, such as "-o, --output FILE".
std::string SyntaxOf(const OptionSpec& spec) {
  return fmt::format("{}{}{}", fmt::join(DocumentedNames(spec), ", "),
                     spec.value.empty() ? "" : " ", spec.value);
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

// Appends the options of the group that the command takes, below a heading;
// nothing if there are none.
void AppendGroup(const OptionGroupInfo& group, const CommandSpec& command,
                 std::string& help) {
  const std::vector<OptionSpec> options = OptionsIn(group.group, command);
  if (options.empty()) return;
  help += fmt::format("{}:\n", HeadingOf(group, command));
  for (const OptionSpec& option : options) AppendOption(option, help);
}

// Appends the options of a command that has a page, which explains its output.
// Groups that it shares with `heapprof` have pages of their own.
void AppendOptionsOf(const CommandSpec& command, std::string& help) {
  std::vector<std::string_view> shared;
  for (const OptionGroupInfo& group : OptionGroups()) {
    if (command.Takes(group.group) &&
        SpecOf(Command::kReport).Takes(group.group))
      shared.push_back(group.name);
    else if (group.group != OptionGroup::kOutput)
      AppendGroup(group, command, help);
  }
  help += fmt::format("Options shared with 'heapprof DUMP':\n{}",
                      std::string(kTextColumn, ' '));
  AppendWrapped(fmt::format("'heapprof help {}'", fmt::join(shared, "', '")),
                help);
}

void AppendUsage(std::string& help) {
  for (const CommandSpec& command : kCommands)
    help += fmt::format(
        "{} heapprof {}{}{}\n", &command == kCommands ? "usage:" : "      ",
        command.name, command.name.empty() ? "" : " ", command.usage);
  help += '\n';
}

void AppendCommands(std::string& help) {
  help += "Commands ('heapprof NAME --help' says more):\n";
  for (const CommandSpec& command : kCommands) {
    if (command.name.empty()) continue;
    help += fmt::format("  {:<{}}", command.name, kTextColumn - 2);
    AppendWrapped(command.help, help);
  }
  help += '\n';
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
      if (const OptionGroupInfo* group = FindOptionGroup(line))
        AppendGroup(*group, CommandOf(group->group), page);
    } else {
      page += line;
      page += '\n';
    }
  }
  page.resize(page.find_last_not_of('\n') + 2);
  return page;
}

// Returns how often `text` has `word` between characters other than letters and
// digits.
size_t MentionsOf(std::string_view word, std::string_view text) {
  const auto is_in_word = [&](size_t at) {
    return at < text.size() && (IsLetter(text[at]) || IsDigit(text[at]));
  };
  size_t mentions = 0;
  for (size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + word.size()))
    mentions +=
        (at == 0 || !is_in_word(at - 1)) && !is_in_word(at + word.size());
  return mentions;
}

// Returns up to four topics whose pages mention `word`, the one that mentions
// it most first.
std::vector<std::string_view> TopicsAbout(std::string_view word) {
  constexpr size_t kMost = 4;
  const std::string lower_word = LowerCase(word);
  std::vector<std::pair<size_t, std::string_view>> found;
  for (const HelpFile& file : HelpFiles())
    if (const size_t mentions = MentionsOf(lower_word, LowerCase(file.text)))
      found.emplace_back(mentions, file.topic);
  std::ranges::stable_sort(found, std::greater(),
                           &std::pair<size_t, std::string_view>::first);
  std::vector<std::string_view> topics;
  for (const auto& [mentions, topic] : found | std::views::take(kMost))
    topics.push_back(topic);
  return topics;
}

// Says what the user may have meant by a topic that there is not.
std::string TopicsInstead(std::string_view topic) {
  std::vector<std::string> known;
  for (const CommandSpec& command : kCommands) known.emplace_back(command.name);
  for (const std::string_view name : HelpTopics()) known.emplace_back(name);
  const std::optional<std::string> nearest = NearestWord(topic, known);
  const bool is_beginning = nearest && nearest->starts_with(topic);
  const std::vector<std::string_view> about =
      topic.empty() || is_beginning ? std::vector<std::string_view>()
                                    : TopicsAbout(topic);
  if (!about.empty())
    return fmt::format("topics that mention it: {}", fmt::join(about, ", "));
  return nearest ? fmt::format("did you mean '{}'?", *nearest)
                 : fmt::format("topics: {}", fmt::join(HelpTopics(), ", "));
}

}  // namespace

std::string_view ArgumentsText() { return kArguments; }

std::string_view RulesText() { return kRules; }

const HelpFile* FindHelpFile(std::string_view topic) {
  const auto file = std::ranges::find(HelpFiles(), topic, &HelpFile::topic);
  return file == HelpFiles().end() ? nullptr : &*file;
}

std::string_view SummaryOf(const HelpFile& file) {
  return file.text.substr(0, file.text.find('\n'));
}

const OptionGroupInfo* FindOptionGroup(std::string_view name) {
  const auto group =
      std::ranges::find(OptionGroups(), name, &OptionGroupInfo::name);
  return group == OptionGroups().end() ? nullptr : &*group;
}

std::vector<OptionSpec> OptionsIn(OptionGroup group,
                                  const CommandSpec& command) {
  std::vector<OptionSpec> options;
  for (const OptionSpec& option : OptionTable()) {
    const OptionSpec own = command.OptionOf(option);
    if (own.group == group && !own.help.empty() && command.Takes(option))
      options.push_back(own);
  }
  return options;
}

std::string_view HeadingOf(const OptionGroupInfo& group,
                           const CommandSpec& command) {
  return command.Takes(group.group)
             ? group.heading
             : group.heading.substr(0, group.heading.find(" ("));
}

std::string ShortHelp() {
  std::string help(kTitle);
  help += kShortHelp;
  std::vector<std::string_view> commands;
  for (const CommandSpec& command : kCommands)
    if (!command.name.empty()) commands.push_back(command.name);
  std::vector<std::string_view> topics;
  for (const HelpFile& file : HelpFiles()) topics.push_back(file.topic);
  for (const auto& [heading, words] :
       {std::pair("Commands:", commands), std::pair("Topics:", topics)}) {
    help += fmt::format("{:<{}}", heading, kTextColumn);
    AppendWrapped(fmt::format("{}", fmt::join(words, " ")), help);
  }
  return help;
}

std::string HelpText() {
  std::string help(kTitle);
  AppendUsage(help);
  help += kArguments;
  AppendCommands(help);
  help += kAccuracy;
  for (const OptionGroupInfo& group : OptionGroups())
    AppendGroup(group, SpecOf(Command::kReport), help);
  help += kRules;
  help += "Topics of 'heapprof help TOPIC':\n";
  for (const HelpFile& file : HelpFiles())
    help += fmt::format("  {:<{}}{}\n", file.topic, kTextColumn - 2,
                        SummaryOf(file));
  return help;
}

std::string HelpOf(const CommandSpec& command) {
  if (command.page != nullptr) {
    std::string help(command.page());
    AppendOptionsOf(command, help);
    return help;
  }
  const HelpFile* const file = FindHelpFile(command.name);
  if (file == nullptr) return HelpText();
  std::string help = "heapprof " + Expand(*file);
  help.insert(help.find('\n') + 1, fmt::format("\nusage: heapprof {} {}\n",
                                               command.name, command.usage));
  return help;
}

std::vector<std::string_view> HelpTopics() {
  std::vector<std::string_view> topics;
  for (const HelpFile& file : HelpFiles()) topics.push_back(file.topic);
  for (const OptionGroupInfo& group : OptionGroups())
    if (FindHelpFile(group.name) == nullptr) topics.push_back(group.name);
  return topics;
}

Result<std::string> HelpPage(std::string_view topic) {
  if (const HelpFile* file = FindHelpFile(topic)) return Expand(*file);
  if (const OptionGroupInfo* group = FindOptionGroup(topic)) {
    std::string page;
    AppendGroup(*group, CommandOf(group->group), page);
    return page;
  }
  for (const CommandSpec& command : kCommands)
    if (command.page != nullptr && command.name == topic)
      return HelpOf(command);
  if (const auto option = OptionForCommand(topic, OptionTable())) {
    const auto spec =
        std::ranges::find(OptionTable(), *option, &OptionSpec::name);
    const auto group =
        std::ranges::find(OptionGroups(), spec->group, &OptionGroupInfo::group);
    if (group != OptionGroups().end()) return HelpPage(group->name);
  }
  return Fail(ErrorKind::kUsage, fmt::format("no help on '{:.60}'; {}", topic,
                                             TopicsInstead(topic)));
}

}  // namespace heapprof
