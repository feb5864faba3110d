// SPDX-License-Identifier: Apache-2.0
//
// What a row of the option table says about an option.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/error.h"

namespace heapprof {

enum class OptionKind : uint8_t {
  kSwitch,       // --name, --noname or --no-name
  kPlainSwitch,  // --name only
  kString,       // any value, even one that looks like an option
  kInteger,
  kFloat,
  kFraction,  // 0.05 or 5%
  kPercent,   // 5 or 5%
};

enum class OptionOrigin : uint8_t { kJeprof, kHeapprof };

// The groups of options, in the order of the help text.
enum class OptionGroup : uint8_t {
  kOutput,
  kTable,
  kRows,
  kGraph,
  kFlame,
  kMetric,
  kComparison,
  kCheck,    // of `heapprof check` only; not in --help
  kRecord,   // of `heapprof record` only; not in --help
  kIndex,    // of `heapprof index` only; not in --help
  kTrend,    // of `heapprof trend` only; not in --help
  kExplain,  // of `heapprof explain` only; not in --help
  kSuggest,  // of `heapprof groups` only; not in --help
  kNames,
  kThreads,
  kFilters,
  kSymbols,
  kCache,
  kPprof,
  kProto,  // only with --proto
  kResources,
  kTerminal,
  kMessages,
  kRetired,  // options of jeprof that are refused; not in --help
};

struct GivenOption;
struct ParsedArgs;
// Stores the value of one option in `args`.
using OptionSetter = Result<void> (*)(const GivenOption& given,
                                      ParsedArgs& args);

// One row of the option table. All views point to string literals.
struct OptionSpec {
  std::string_view name = {};  // lower case
  OptionKind kind = OptionKind::kSwitch;
  OptionOrigin origin = OptionOrigin::kHeapprof;
  OptionGroup group = OptionGroup::kOutput;
  // What the help text calls the value, such as "FILE" or "auto|always|never";
  // empty for switches.
  std::string_view value = {};
  // May contain line feeds; the help text wraps long lines.
  std::string_view help = {};
  OptionSetter set = nullptr;
  bool is_on_by_default = false;  // a switch that users can only switch off
  // For an option of jeprof that heapprof does not support: one line that says
  // what to use instead. Empty for all other options.
  std::string_view replacement = {};
  // For an alias: the name by which NormalizeArgs() replaces it. Empty for all
  // other options. An alias has neither a help text nor a setter.
  std::string_view alias_of = {};
};

struct OptionSpelling {
  std::string text;  // without dashes
  bool negated = false;
};

// Returns all full spellings of an option.
inline std::vector<OptionSpelling> Spellings(const OptionSpec& spec) {
  const std::string name(spec.name);
  std::vector<OptionSpelling> spellings = {{name, false}};
  if (spec.kind == OptionKind::kSwitch) {
    spellings.push_back({"no" + name, true});
    spellings.push_back({"no-" + name, true});
  }
  return spellings;
}

inline bool IsSwitch(OptionKind kind) {
  return kind == OptionKind::kSwitch || kind == OptionKind::kPlainSwitch;
}

}  // namespace heapprof
