// SPDX-License-Identifier: Apache-2.0
#include "dwarf/shared/function_naming.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace heapprof {
namespace {

TEST(CanBeSymbolOfTest, ComparesPlainNamesAndLooksForThemInMangledOnes) {
  struct Case {
    std::string_view symbol;
    std::string_view name;
    bool expected;
  };
  for (const auto& [symbol, name, expected] : std::vector<Case>{
           {"main", "main", true},
           {"main", "other", false},
           {"_ZN2ns1fEi", "f", true},
           {"_ZN2ns1fEi", "g", false},
           {"_ZL6staticv", "static", true},
           {"_ZN2ns1gIiEEvT_", "g<int>", true},
           {"_ZZN2ns1fEvENKUlvE_clEv", "operator()", true},
           {"_ZN2ns1CclB5cxx11Ev", "operator()", true},
           {"_ZZN2ns1fEvENKUlT_E_clIiEEDaS0_", "operator()<int>", true},
           {"_ZN2ns7includeEi", "operator()", false},
           {"_ZN2ns1hIiEEvT_", "g<int>", false},
           // Coded, so nothing to look for.
           {"_ZN2ns1XD1Ev", "~X", true},
           {"_ZZN3app1fEvENKUliE_clEi", "operator()", true},
           {"plain", "operator()", false},
           // The constructor of std::allocator<app::T>.
           {"_ZNSaIN3app1TEEC2ERKS1_", "allocator", true},
           {"_ZN3app1fEv", "allocator", false},
           {"_ZNSaIN3app1TEEC2ERKS1_", "construct", false},
           // The file does not say how the function is called.
           {"plain", "", true},
           {"_ZN2ns1fEi", "", true},
       })
    EXPECT_EQ(CanBeSymbolOf(symbol, name), expected)
        << symbol << " for " << name;
}

}  // namespace
}  // namespace heapprof
