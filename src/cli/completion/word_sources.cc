// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/word_sources.h"

#include <algorithm>
#include <string_view>

#include "cli/args/help.h"
#include "heapprof/base/char_class.h"

namespace heapprof {
namespace {

struct NamedSource {
  std::string_view name;  // in usage lines
  bool WordSources::* source;
};

constexpr NamedSource kSources[] = {
    {"DUMP", &WordSources::inputs},      {"BINARY", &WordSources::inputs},
    {"FOLDER", &WordSources::inputs},    {"FILE", &WordSources::files},
    {"DIR", &WordSources::folders},      {"PID", &WordSources::processes},
    {"PROGRAM", &WordSources::programs},
};

// Returns true for a word that users type as it is, such as "inuse_space".
bool IsLiteral(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](char c) {
    return (c >= 'a' && c <= 'z') || IsDigit(c) || c == '_';
  });
}

void AddTopics(WordSources& sources) {
  for (const CommandSpec& command : kCommands)
    if (command.page != nullptr) sources.words.push_back(command.name);
  for (const std::string_view topic : HelpTopics())
    if (std::ranges::find(sources.words, topic) == sources.words.end())
      sources.words.push_back(topic);
}

// Reads a usage line, such as "[list|prune|clear]" or "[BINARY] DUMP...".
WordSources SourcesOf(std::string_view usage) {
  constexpr std::string_view kSeparators = " |[].";
  WordSources sources;
  while (!usage.empty()) {
    const std::string_view word =
        usage.substr(0, usage.find_first_of(kSeparators));
    usage.remove_prefix(std::min(word.size() + 1, usage.size()));
    const auto* const named =
        std::ranges::find(kSources, word, &NamedSource::name);
    if (named != std::end(kSources))
      sources.*named->source = true;
    else if (word == "TOPIC")
      AddTopics(sources);
    else if (IsLiteral(word) && word != "options")
      sources.words.push_back(word);
  }
  return sources;
}

}  // namespace

WordSources SourcesOfValue(const OptionSpec& option) {
  return SourcesOf(option.value);
}

WordSources SourcesOfArguments(const CommandSpec& command) {
  return SourcesOf(command.usage);
}

std::string_view Summary(const OptionSpec& option) {
  const std::string_view help = option.help;
  size_t end = help.size();
  for (const std::string_view separator : {"\n", "; ", ". ", " (default"})
    end = std::min(end, help.find(separator));
  return help.substr(0, end);
}

}  // namespace heapprof
