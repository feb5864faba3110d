// SPDX-License-Identifier: Apache-2.0
//
// The other end of regex_differential.pl. All data is NUL-terminated fields.
// Input, per pattern: the pattern, the number of subjects, the subjects.
// Output: "error", or a "0" or "1" for each subject in one field.
#include <iostream>
#include <string>

#include "heapprof/base/regex.h"

int main() {
  std::ios::sync_with_stdio(false);
  std::string pattern;
  std::string field;
  while (std::getline(std::cin, pattern, '\0')) {
    std::getline(std::cin, field, '\0');
    const size_t count = std::stoul(field);
    const auto regex = heapprof::Regex::Compile("--focus", pattern);
    std::string answer;
    for (size_t i = 0; i < count; ++i) {
      std::getline(std::cin, field, '\0');
      if (!regex) continue;
      const auto matches = regex->Matches(field);
      answer += !matches ? '?' : *matches ? '1' : '0';
    }
    std::cout << (regex ? answer : "error") << '\0';
  }
  return std::cout.flush() ? 0 : 1;
}
