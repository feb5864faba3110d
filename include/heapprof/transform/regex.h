// SPDX-License-Identifier: Apache-2.0
//
// Perl's regular expressions, as users of jeprof write them: PCRE2 on bytes,
// compiled to machine code, with a limit on the work of one match. Matches are
// unanchored and case-sensitive.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "heapprof/base/error.h"

namespace heapprof {

class Regex {
 public:
  // `option` is what the pattern was given for, such as "--focus"; it and the
  // pattern are in every message. Errors are of kind kUsage.
  static Result<Regex> Compile(std::string_view option,
                               std::string_view pattern);
  Regex(Regex&& other) noexcept;
  Regex& operator=(Regex&& other) noexcept;
  ~Regex();

  // An error if the pattern takes too long on `subject`, such as "(a+)+$". Not
  // to be called from two threads at a time.
  Result<bool> Matches(std::string_view subject) const;

  // "--focus=PATTERN", for messages.
  std::string Text() const;

 private:
  struct Compiled;
  explicit Regex(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace heapprof
