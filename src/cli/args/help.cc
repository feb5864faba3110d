// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/args/option_table.h"
#include "cli/args/options.h"

namespace heapprof {
namespace {

constexpr size_t kTextColumn = 23;  // where the help of an option begins
constexpr size_t kWidth = 80;

constexpr std::string_view kUsage =
    R"(heapprof - who holds the memory: reads jemalloc heap dumps, names every frame

usage: heapprof [options] [BINARY] DUMP...
       heapprof info [options] [BINARY] DUMP
       heapprof cache [list|prune|clear]

Arguments are recognised by what they contain, in any order. Without BINARY the
program is found through the memory map in the dump. DUMP may be a heap dump
(*.heap), a symbolized '--- symbol' file, a pprof profile, each also
compressed (.gz, .zst, .xz, .bz2), or '-' for standard input. Several dumps are
added up. A folder stands for the binaries and debug files in it, and for the
dump if it holds the only one.

Examples:
  heapprof --collapsed BIN DUMP | flamegraph.pl --color=mem --countname=bytes > mem.svg
  heapprof --text --cum --show_bytes BIN DUMP
  heapprof --text DUMP
  heapprof --base OLD.heap NEW.heap
  heapprof --callers 'Block::Read' DUMP
  heapprof info DUMP
  heapprof --proto -o heap.pb.gz BIN DUMP && pprof -top heap.pb.gz

'info' says what is in the dump, which modules have names and what to do about
the others; with --top N of N modules, with --verbose everything that is known
of each, with --json for scripts. 'cache' lists the indexes of binaries, removes
unusable ones, or all.

All numbers are estimates from samples. 'info' and --threads show their bounds
for 95 % confidence. Those of totals are wider if threads ran one after another
on one stack, which jemalloc samples alike; a pprof profile does not show that.

)";

constexpr std::string_view kRules = R"(
Options of jeprof keep their names, abbreviations and meaning: one or two
dashes, any case, unique prefixes, --opt=VALUE or --opt VALUE, before or after
the files.

Exit status: 0 done, 1 failed (unreadable or damaged input, write error),
2 wrong usage.
)";

// "-o, --output FILE"
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

// Appends the words of `text`, in lines that begin in kTextColumn; the first
// line of `help` is there already, up to that column.
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

}  // namespace

std::string VersionText() { return "heapprof " HEAPPROF_VERSION "\n"; }

std::string HelpText() {
  std::string help(kUsage);
  for (const OptionGroupInfo& group : OptionGroups()) {
    help += fmt::format("{}:\n", group.heading);
    for (const OptionSpec& spec : OptionTable())
      if (spec.group == group.group && !spec.help.empty())
        AppendOption(spec, help);
  }
  help += kRules;
  return help;
}

}  // namespace heapprof
