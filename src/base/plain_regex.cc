// SPDX-License-Identifier: Apache-2.0
//
// In place of regex.cc, for a build without PCRE2: a pattern is sought as text,
// and refused if it would mean anything else to Perl.
#include <utility>

#include <fmt/core.h>

#include "heapprof/base/built_without.h"
#include "heapprof/base/regex.h"

namespace heapprof {
namespace {

constexpr std::string_view kSpecialCharacters = R"(\^$.|?*+()[{)";

}  // namespace

struct Regex::Compiled {};

Regex::Regex(std::string_view option, std::string_view pattern,
             std::unique_ptr<Compiled> compiled)
    : option_(option), pattern_(pattern), compiled_(std::move(compiled)) {}
Regex::Regex(Regex&& other) noexcept = default;
Regex& Regex::operator=(Regex&& other) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::Compile(std::string_view option,
                             std::string_view pattern) {
  const size_t special = pattern.find_first_of(kSpecialCharacters);
  if (special != pattern.npos)
    return Fail(ErrorKind::kUsage,
                fmt::format("{}={:.200}: '{}' cannot be in a pattern, because "
                            "{}; plain text can",
                            option, pattern, pattern[special],
                            BuiltWithout("PCRE2", "HEAPPROF_PCRE2")));
  return Regex(option, pattern, nullptr);
}

Result<bool> Regex::Matches(std::string_view subject) const {
  return subject.contains(pattern_);
}

}  // namespace heapprof
