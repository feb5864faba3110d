// SPDX-License-Identifier: Apache-2.0
#include "demangle/find_special.h"

#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

bool IsSpecialAt(std::string_view text, size_t i, bool and_blanks) {
  const std::string_view rest = text.substr(i);
  return std::string_view("()<>").contains(text[i]) || rest.starts_with("->") ||
         rest.starts_with("operator") || (and_blanks && text[i] == ' ');
}

TEST(FindSpecialTest, SkipsOnlyWhatIsNotSpecial) {
  constexpr std::string_view kPieces[] = {
      "a", "std::", "o", "op",   "operator",     "-",        "->", ">", "<",
      "(", ")",     " ", "\xff", "basic_string", "allocator"};
  std::mt19937 random(1);
  size_t found_count = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (size_t i = random() % 20; i > 0; --i)
      text +=
          random() % 3 == 0 ? kPieces[random() % std::size(kPieces)] : "plain";
    for (const bool and_blanks : {false, true})
      for (size_t start = 0; start <= text.size(); ++start) {
        const size_t found = FindSpecial(text, start, and_blanks);
        for (size_t i = start; i < found; ++i)
          ASSERT_FALSE(IsSpecialAt(text, i, and_blanks)) << text << ' ' << i;
        if (found == text.size()) continue;
        ++found_count;
        ASSERT_TRUE(IsSpecialAt(text, found, and_blanks) ||
                    text[found] == '-' || text[found] == 'o')
            << text << ' ' << found;
      }
  }
  EXPECT_GT(found_count, 10'000u);
}

}  // namespace
}  // namespace heapprof
