// SPDX-License-Identifier: Apache-2.0
#include "cli/args/suggested_option.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "cli/args/nearest_word.h"

namespace heapprof {
namespace {

// What options of other tools, such as pprof, are called here. The nearest
// names by spelling would mislead: --exclude for --include.
struct Synonym {
  std::string_view theirs;
  std::string_view ours;
};
constexpr Synonym kSynonyms[] = {
    {"after", "new"},
    {"before", "base"},
    {"bytes", "show_bytes"},
    {"call_tree", "tree"},
    {"compare", "base"},
    {"cores", "jobs"},
    {"count", "inuse_objects"},
    {"cumulative", "cum"},
    {"demangle", "names"},
    {"diff", "base"},
    {"diff_base", "base"},
    {"eog", "png"},
    {"filter", "focus"},
    {"flat", "text"},
    {"folded", "collapsed"},
    {"graph", "dot"},
    {"http", "html"},
    {"include", "focus"},
    {"interval", "every"},
    {"j", "jobs"},
    {"kcachegrind", "callgrind"},
    {"limit", "top"},
    {"md", "markdown"},
    {"min", "nodefraction"},
    {"n", "top"},
    {"old", "base"},
    {"only", "focus"},
    {"out", "output"},
    {"outfile", "output"},
    {"show", "retain"},
    {"sort", "cum"},
    {"source_path", "source-path"},
    {"stack", "traces"},
    {"stacks", "traces"},
    {"symbolize", "resymbolize"},
    {"table", "text"},
    {"tagfocus", "thread"},
    {"threshold", "nodefraction"},
    {"topproto", "proto"},
    {"totals", "text"},
    {"trim_path", "path-map"},
    {"unit", "show_bytes"},
    {"units", "show_bytes"},
    {"weblist", "list"},
};

// The words of other tools, in the place of a command, that are not called like
// an option of theirs.
constexpr Synonym kCommandSynonyms[] = {
    {"analyze", "overview"},   {"annotate", "list"},    {"browse", "html"},
    {"disassemble", "disasm"}, {"flame", "flamegraph"}, {"growth", "base"},
    {"inspect", "overview"},   {"open", "overview"},    {"report", "overview"},
    {"show", "overview"},      {"stat", "overview"},    {"stats", "overview"},
    {"summary", "overview"},   {"symbolize", "raw"},    {"top", "text"},
    {"view", "overview"},      {"web", "html"},
};

const OptionSpec* FindNamed(std::string_view name,
                            std::span<const OptionSpec> table) {
  const auto found = std::ranges::find(table, name, &OptionSpec::name);
  return found == table.end() ? nullptr : &*found;
}

std::optional<std::string> FindSynonym(
    std::string_view name, std::span<const OptionSpec> table,
    std::span<const Synonym> synonyms = kSynonyms) {
  const auto synonym = std::ranges::find(synonyms, name, &Synonym::theirs);
  if (synonym == synonyms.end() || FindNamed(synonym->ours, table) == nullptr)
    return std::nullopt;
  return std::string(synonym->ours);
}

// Reads "j4" as other tools do.
std::optional<std::string> LetterWithNumber(std::string_view name,
                                            std::span<const OptionSpec> table) {
  if (name.size() < 2 || name.find_first_not_of("0123456789", 1) != name.npos)
    return std::nullopt;
  const auto option = FindSynonym(name.substr(0, 1), table);
  if (!option) return std::nullopt;
  return fmt::format("{}={}", *option, name.substr(1));
}

// Returns the option that a name negates; only switches can be negated.
std::optional<std::string> NegatedOption(std::string_view name,
                                         std::span<const OptionSpec> table) {
  for (const std::string_view start : {"no-", "no"}) {
    if (!name.starts_with(start)) continue;
    const OptionSpec* const named = FindNamed(name.substr(start.size()), table);
    if (named != nullptr && named->replacement.empty())
      return std::string(named->name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> OptionForCommand(std::string_view word,
                                            std::span<const OptionSpec> table) {
  if (auto synonym = FindSynonym(word, table, kCommandSynonyms)) return synonym;
  const OptionSpec* const named = FindNamed(word, table);
  // A letter is not enough to tell what is meant.
  if (named != nullptr && named->replacement.empty() && word.size() > 1)
    return std::string(word);
  return word.size() > 1 ? FindSynonym(word, table) : std::nullopt;
}

std::optional<std::string> SuggestedOption(
    std::string_view name, std::optional<std::string_view> value,
    std::span<const OptionSpec> table) {
  // pprof's -sample_index=alloc_space and -granularity=lines.
  if (value)
    if (const OptionSpec* named = FindNamed(*value, table);
        named != nullptr && named->kind == OptionKind::kSwitch &&
        named->replacement.empty())
      return std::string(*value);
  if (auto synonym = FindSynonym(name, table)) return synonym;
  if (auto number = LetterWithNumber(name, table)) return number;
  if (auto negated = NegatedOption(name, table)) return negated;
  std::vector<std::string> known;
  for (const OptionSpec& spec : table)
    if (spec.replacement.empty())
      for (const OptionSpelling& spelling : Spellings(spec))
        known.push_back(spelling.text);
  return NearestWord(name, known);
}

}  // namespace heapprof
