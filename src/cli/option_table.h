// SPDX-License-Identifier: Apache-2.0
//
// Every option of the command line, by name and kind of value. Two groups
// live in one table: the options of jeprof 5.3.0, which are frozen because
// old scripts abbreviate them, and heapprof's own, which may grow freely
// because they are never abbreviated.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace heapprof {

enum class OptionKind : uint8_t {
  kSwitch,       // --name, --noname or --no-name
  kPlainSwitch,  // --name only
  kString,       // any value, even one that looks like an option
  kInteger,
  kFloat,
};

enum class OptionOrigin : uint8_t { kJeprof, kHeapprof };

// All views point to string literals.
struct OptionSpec {
  std::string_view name;  // lower case
  OptionKind kind;
  OptionOrigin origin;
  // Not empty for a jeprof option that has no meaning offline: one line that
  // names what to use instead.
  std::string_view replacement = {};
  // Not empty for an alias: the name that the canonical form uses.
  std::string_view alias_of = {};
};

std::span<const OptionSpec> OptionTable();

}  // namespace heapprof
