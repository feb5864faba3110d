// SPDX-License-Identifier: Apache-2.0
//
// Perl's regular expressions, as jeprof's users write them: PCRE2 on bytes,
// compiled to machine code, with a limit on the work of one match. Matches are
// unanchored and case-sensitive.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

class Regex {
 public:
  // `option` is the command-line option with the pattern, such as "--focus".
  // Every error message contains both. Errors are of kind kUsage.
  static Result<Regex> Compile(std::string_view option,
                               std::string_view pattern);
  Regex(Regex&& other) noexcept;
  Regex& operator=(Regex&& other) noexcept;
  ~Regex();

  // Returns true if `subject` matches, or an error if the match takes too long,
  // as with "(a+)+$". Not safe to call from two threads at the same time.
  Result<bool> Matches(std::string_view subject) const;

  const std::string& pattern() const { return pattern_; }

  // "--focus=PATTERN", for messages.
  std::string Text() const { return option_ + '=' + pattern_; }

 private:
  struct Compiled;
  Regex(std::string_view option, std::string_view pattern,
        std::unique_ptr<Compiled> compiled);

  std::string option_;
  std::string pattern_;
  std::unique_ptr<Compiled> compiled_;
};

// Returns whether one of the patterns matches.
inline Result<bool> AnyMatches(std::span<const Regex> patterns,
                               std::string_view subject) {
  for (const Regex& pattern : patterns) {
    auto matches = pattern.Matches(subject);
    if (!matches || *matches) return matches;
  }
  return false;
}

}  // namespace heapprof
