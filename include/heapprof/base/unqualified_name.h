// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace heapprof {

// Returns the part of the short name of a function or type after its scopes:
// "f" for "ns::f". Goes by the last "::", so template arguments must have been
// removed.
constexpr std::string_view UnqualifiedName(std::string_view short_name) {
  const size_t colons = short_name.rfind("::");
  return colons == short_name.npos ? short_name : short_name.substr(colons + 2);
}

// True if the short name of a function is in this scope or in one inside it:
// "ns::Type::f" is in "ns" and in "ns::Type".
constexpr bool IsInScope(std::string_view short_name, std::string_view scope) {
  return short_name.starts_with(scope) &&
         short_name.substr(scope.size()).starts_with("::");
}

}  // namespace heapprof
