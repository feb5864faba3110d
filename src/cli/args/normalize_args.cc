// SPDX-License-Identifier: Apache-2.0
#include "cli/args/normalize_args.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/args/suggested_option.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/error.h"
#include "heapprof/base/lower_case.h"
#include "heapprof/base/printable.h"

namespace heapprof {
namespace {

constexpr size_t kMaxListedCandidates = 8;

// The parts of an argument that is an option. The views point into the
// argument.
struct TypedOption {
  std::string_view shown;  // dashes and name as typed, for messages
  std::string name;        // lower case
  std::optional<std::string_view> value;
};

struct Match {
  const OptionSpec* spec = nullptr;
  bool negated = false;
  bool operator==(const Match&) const = default;
};

// Quotes what the user typed, shortened so that the message stays one line.
std::string Quoted(std::string_view text) {
  return fmt::format("'{:.60}'", Printable(text));
}

std::string CanonicalName(const Match& match) {
  const OptionSpec& spec = *match.spec;
  return fmt::format("--{}{}", match.negated ? "no-" : "",
                     spec.alias_of.empty() ? spec.name : spec.alias_of);
}

// Splits an option into its parts. Returns nothing if the argument is a
// positional.
std::optional<TypedOption> SplitOption(std::string_view arg) {
  if (arg == "-") return std::nullopt;
  size_t name_start = 0;
  if (arg.starts_with("--")) {
    name_start = 2;
  } else if (arg.starts_with('-') || arg.starts_with('+')) {
    name_start = 1;
  } else {
    return std::nullopt;
  }
  // The first character belongs to the name even if it is "=".
  const size_t equals = arg.find('=', name_start + 1);
  TypedOption typed;
  typed.shown = arg.substr(0, equals);
  typed.name = LowerCase(typed.shown.substr(name_start));
  if (equals != std::string_view::npos) typed.value = arg.substr(equals + 1);
  return typed;
}

bool IsExact(std::string_view spelling, std::string_view name,
             OptionOrigin origin) {
  if (origin == OptionOrigin::kJeprof) return spelling == name;
  const auto dash = [](char c) { return c == '_' ? '-' : c; };
  return std::ranges::equal(spelling, name, {}, dash, dash);
}

// Returns the option with exactly this name. If there is none, returns all
// options that `name` abbreviates: none if the name is unknown, several if it
// is ambiguous.
std::vector<Match> FindMatches(std::string_view name,
                               std::span<const OptionSpec> table) {
  std::vector<Match> abbreviated;
  for (const OptionSpec& spec : table) {
    for (const OptionSpelling& spelling : Spellings(spec)) {
      const Match match = {&spec, spelling.negated};
      if (IsExact(spelling.text, name, spec.origin)) return {match};
      if (spec.origin == OptionOrigin::kJeprof && !name.empty() &&
          spelling.text.starts_with(name) &&
          std::ranges::find(abbreviated, match) == abbreviated.end()) {
        abbreviated.push_back(match);
      }
    }
  }
  return abbreviated;
}

// True for what a shell makes of a limit such as 10% + 4MiB without quotes.
bool IsPartOfSum(std::string_view shown) {
  return shown == "+" ||
         (shown.size() > 1 && shown[0] == '+' && IsDigit(shown[1]));
}

std::unexpected<Error> UnknownOption(const TypedOption& typed,
                                     std::span<const OptionSpec> table) {
  std::string message = fmt::format("unknown option {}", Quoted(typed.shown));
  if (IsPartOfSum(typed.shown)) {
    message += "; a limit with blanks needs quotes, as in '10% + 4MiB'";
  } else if (const std::optional<std::string> nearest =
                 SuggestedOption(typed.name, typed.value, table)) {
    message += fmt::format("; did you mean '--{}'?", *nearest);
  }
  return Fail(ErrorKind::kUsage, std::move(message));
}

std::unexpected<Error> AmbiguousOption(const TypedOption& typed,
                                       const std::vector<Match>& matches) {
  std::vector<std::string> names;
  for (const Match& match : matches) {
    names.push_back(
        fmt::format("--{}{}", match.negated ? "no-" : "", match.spec->name));
  }
  std::ranges::sort(names);
  std::string more;
  if (names.size() > kMaxListedCandidates) {
    more = fmt::format(" and {} more", names.size() - kMaxListedCandidates);
    names.resize(kMaxListedCandidates);
  }
  return Fail(ErrorKind::kUsage,
              fmt::format("option {} is ambiguous: {}{}", Quoted(typed.shown),
                          fmt::join(names, ", "), more));
}

Result<Match> FindOption(const TypedOption& typed,
                         std::span<const OptionSpec> table) {
  const std::vector<Match> matches = FindMatches(typed.name, table);
  if (matches.empty()) return UnknownOption(typed, table);
  if (matches.size() > 1) return AmbiguousOption(typed, matches);
  return matches.front();
}

// Removes a sign from the start of `in`. Returns "-" if the sign was a minus,
// otherwise an empty string.
std::string TakeSign(std::string_view& in) {
  const bool minus = in.starts_with('-');
  if (minus || in.starts_with('+')) in.remove_prefix(1);
  return minus ? "-" : "";
}

// Moves the digits at the start of `in` to the end of `out`, and drops the
// underscores between them. Returns false if there are no digits.
bool TakeDigits(std::string_view& in, std::string& out) {
  const size_t size = std::min(in.find_first_not_of("0123456789_"), in.size());
  const size_t before = out.size();
  std::ranges::copy_if(in.substr(0, size), std::back_inserter(out),
                       [](char c) { return c != '_'; });
  in.remove_prefix(size);
  return out.size() > before;
}

std::optional<std::string> CanonicalInteger(std::string_view value) {
  std::string number = TakeSign(value);
  if (!TakeDigits(value, number) || !value.empty()) return std::nullopt;
  int64_t parsed = 0;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), parsed);
  if (error == std::errc::result_out_of_range) {
    using Limits = std::numeric_limits<int64_t>;
    parsed = number.starts_with('-') ? Limits::min() : Limits::max();
  }
  return fmt::to_string(parsed);
}

std::optional<std::string> CanonicalFloat(std::string_view value) {
  std::string number = TakeSign(value);
  if (value.starts_with('_')) return std::nullopt;
  bool has_digits = TakeDigits(value, number);
  if (value.starts_with('.')) {
    value.remove_prefix(1);
    number += '.';
    has_digits |= TakeDigits(value, number);
  }
  if (!has_digits) return std::nullopt;
  if (value.starts_with('e') || value.starts_with('E')) {
    value.remove_prefix(1);
    number += 'e';
    number += TakeSign(value);
    if (!TakeDigits(value, number)) return std::nullopt;
  }
  if (!value.empty()) return std::nullopt;
  return number;
}

// Reads "5%", which is 0.05 as a fraction and 5 as a percentage, or a number.
std::optional<std::string> CanonicalShare(std::string_view value,
                                          bool is_fraction) {
  constexpr double kPercent = 100;
  if (!value.ends_with('%')) return CanonicalFloat(value);
  value.remove_suffix(1);
  if (value.ends_with(' ')) value.remove_suffix(1);
  auto number = CanonicalFloat(value);
  if (!number || !is_fraction) return number;
  return fmt::to_string(std::strtod(number->c_str(), nullptr) / kPercent);
}

std::optional<std::string> CanonicalNumber(OptionKind kind,
                                           std::string_view value) {
  if (kind == OptionKind::kInteger) return CanonicalInteger(value);
  if (kind == OptionKind::kFloat) return CanonicalFloat(value);
  return CanonicalShare(value, kind == OptionKind::kFraction);
}

Result<std::string> CanonicalValue(const TypedOption& typed, OptionKind kind,
                                   std::string_view value) {
  if (kind == OptionKind::kString) return std::string(value);
  // Like Getopt::Long, ignores a line feed after the number: "$" in Perl's
  // regular expressions also matches before a final line feed.
  const std::string_view number =
      value.ends_with('\n') ? value.substr(0, value.size() - 1) : value;
  std::optional<std::string> canonical = CanonicalNumber(kind, number);
  if (!canonical) {
    return Fail(
        ErrorKind::kUsage,
        fmt::format("option {} needs {}, got {}{}", Quoted(typed.shown),
                    kind == OptionKind::kInteger ? "an integer" : "a number",
                    Quoted(value),
                    typed.name == "top" && !typed.value
                        ? "; pprof's -top is '--text' here"
                        : ""));
  }
  return *std::move(canonical);
}

Result<std::string> NormalizeSwitch(const TypedOption& typed,
                                    const Match& match) {
  if (typed.value) {
    return Fail(ErrorKind::kUsage,
                fmt::format("option {} takes no value, got {}",
                            Quoted(typed.shown), Quoted(*typed.value)));
  }
  return CanonicalName(match);
}

// Returns "--name=value". The value is the text after "=" or, if there is no
// "=", the next argument, which is then removed from `rest`. That argument may
// be anything: "--", another option, the empty string.
Result<std::string> NormalizeValueOption(const TypedOption& typed,
                                         const Match& match,
                                         std::span<const std::string>& rest) {
  std::string_view value;
  if (typed.value && !typed.value->empty()) {
    value = *typed.value;
  } else if (!typed.value && !rest.empty()) {
    value = rest.front();
    rest = rest.subspan(1);
  } else {
    return Fail(ErrorKind::kUsage,
                fmt::format("option {} needs a value{}", Quoted(typed.shown),
                            typed.value ? " after '='" : ""));
  }
  const Result<std::string> canonical =
      CanonicalValue(typed, match.spec->kind, value);
  if (!canonical) return std::unexpected(canonical.error());
  return fmt::format("{}={}", CanonicalName(match), *canonical);
}

// Appends the option in its canonical form to `result`. Returns its name if it
// has a value, and an empty string otherwise.
Result<std::string_view> NormalizeOption(const TypedOption& typed,
                                         std::span<const std::string>& rest,
                                         std::span<const OptionSpec> table,
                                         NormalizedArgs& result) {
  const Result<Match> match = FindOption(typed, table);
  if (!match) return std::unexpected(match.error());
  const OptionSpec& spec = *match->spec;
  const bool retired = !spec.replacement.empty();
  if (retired && !match->negated) {
    return Fail(ErrorKind::kUsage,
                fmt::format("option {} is not supported: {}",
                            Quoted(typed.shown), spec.replacement));
  }
  const bool is_switch =
      spec.kind == OptionKind::kSwitch || spec.kind == OptionKind::kPlainSwitch;
  Result<std::string> option = is_switch
                                   ? NormalizeSwitch(typed, *match)
                                   : NormalizeValueOption(typed, *match, rest);
  if (!option) return std::unexpected(option.error());
  if (!retired) result.options.push_back(*std::move(option));
  return is_switch ? std::string_view() : spec.name;
}

}  // namespace

NormalizedArgs NormalizeArgs(std::span<const std::string> args,
                             std::span<const OptionSpec> table,
                             bool ends_at_positional) {
  NormalizedArgs result;
  std::string_view last;  // name of the last option; empty if it has no value
  while (!args.empty()) {
    const std::string& arg = args.front();
    args = args.subspan(1);
    if (arg == "--") break;
    const std::optional<TypedOption> typed = SplitOption(arg);
    if (!typed) {
      result.positionals.push_back(arg);
      result.follows.push_back(last);
      if (ends_at_positional) break;
      continue;
    }
    const auto done = NormalizeOption(*typed, args, table, result);
    last = done.value_or("");
    if (!done) result.errors.push_back(done.error().message);
  }
  result.positionals.insert(result.positionals.end(), args.begin(), args.end());
  result.follows.resize(result.positionals.size());
  return result;
}

}  // namespace heapprof
