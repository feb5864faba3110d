// SPDX-License-Identifier: Apache-2.0
//
// What the JSON documents have in common. Their schema is
// proto/heapprof.schema.json.
//
// Values are whole numbers of bytes or objects, shares are fractions between 0
// and 1, unknown values are null. Text that is not UTF-8 has U+FFFD for each
// invalid byte; then a member with "_bytes" appended to its name has all bytes,
// in hexadecimal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "heapprof/view/change.h"
#include "heapprof/view/module_table.h"

namespace heapprof {

using Json = nlohmann::ordered_json;

// Pure ASCII, so that no control character reaches a terminal. On one line
// unless `indent` is at least 0.
std::string Serialized(const Json& value, int indent = -1);

// null for an empty text.
Json OrNull(std::string_view text);
// null for 0.
Json OrNull(uint64_t number);

// Adds the member `key`, and `key`_bytes if needed. An empty text is null.
void AddText(std::string_view key, std::string_view text, Json& object);

// `value` as --show_bytes prints it.
int64_t WholeNumber(double value);

// The next whole numbers outside; null if there is no interval.
Json IntervalObject(const std::optional<Interval>& interval,
                    double confidence = kInfoConfidence);

Json CoverageObject(const ModuleTable& modules);

// `has_dwarf` says whether ModuleInfo::dwarf_versions is known.
Json ModuleArray(const ModuleTable& modules, bool has_dwarf);

}  // namespace heapprof
