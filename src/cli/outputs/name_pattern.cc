// SPDX-License-Identifier: Apache-2.0
#include "cli/outputs/name_pattern.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "heapprof/base/escaped_pattern.h"
#include "heapprof/base/quoted_word.h"
#include "heapprof/demangle/shown_names.h"

namespace heapprof {

namespace {

// Says how to match a name that was given as it is shown, though it is no
// pattern for itself, such as "server+0x1340" or "Parse(char*)".
std::string AdviceOnName(const Regex& regex, const Profile& profile) {
  const std::string& text = regex.pattern();
  const std::string escaped = EscapedPattern(text);
  const auto has_text = [&](const std::string& name) {
    return name.contains(text);
  };
  if (escaped == text ||
      std::ranges::none_of(profile.functions, [&](const Function& function) {
        return std::ranges::any_of(ShownNames(profile.String(function.name)),
                                   has_text);
      }))
    return "";
  const std::string option = regex.Text().substr(0, regex.Text().find('='));
  return "; the name itself is " + QuotedWord(option + '=' + escaped);
}

// Says that a file, such as a dump, was taken for the pattern.
std::string AdviceOnFile(const Regex& regex) {
  const std::string& file = regex.pattern();
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return "";
  const std::string option = regex.Text().substr(0, regex.Text().find('='));
  return fmt::format(
      "; {0} is a file, but taken as a pattern: name the pattern first, as in "
      "{1}=PATTERN {0}",
      QuotedWord(file), option);
}

}  // namespace

std::unexpected<Error> MatchesNone(const Regex& regex, const Profile& profile) {
  return Fail(
      ErrorKind::kNoData,
      fmt::format("{} matches none of the functions{}{}{}", regex.Text(),
                  profile.is_comparison ? " that changed" : "",
                  AdviceOnName(regex, profile), AdviceOnFile(regex)));
}

bool NamePattern::Matches(std::string_view name) {
  if (error_) return false;
  const auto matches = regex_.Matches(name);
  if (!matches) error_ = matches.error();
  return matches && *matches;
}

Result<void> NamePattern::Check(bool any_matches) const {
  if (error_) return std::unexpected(*error_);
  if (any_matches) return {};
  return MatchesNone(regex_, profile_);
}

}  // namespace heapprof
