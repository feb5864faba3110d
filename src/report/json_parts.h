// SPDX-License-Identifier: Apache-2.0
//
// What the JSON documents have in common. Their schema is
// proto/heapprof.schema.json.
//
// Values are whole numbers of bytes or objects, shares are fractions between 0
// and 1, and unknown values are null. If text is not valid UTF-8, invalid bytes
// are replaced by U+FFFD, and a second member, with "_bytes" appended to its
// name, has the original bytes in hexadecimal.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "heapprof/view/change.h"
#include "heapprof/view/module_table.h"
#include "report/json_values.h"

namespace heapprof {

using Json = nlohmann::ordered_json;

// Returns `value` as text. It is pure ASCII, so that no control character
// reaches a terminal, and contains no "##[", with which commands to CI services
// begin. If `indent` is negative, all is on one line; else each level is
// indented by that many blanks.
std::string Serialized(const Json& value, int indent = -1);

// Returns null if `text` is empty.
Json OrNull(std::string_view text);
// Returns null if `number` is 0.
Json OrNull(uint64_t number);

// Adds `text` to `object` as the member `key`; empty text is written as null.
// If `text` is not valid UTF-8, also adds the member "<key>_bytes".
void AddText(std::string_view key, std::string_view text, Json& object);

// Adds a member that `object` does not have yet. To look for it, as operator[]
// does, takes quadratic time if there are many members.
void AddNewMember(std::string key, Json value, Json& object);

// Returns an array with an object for each name; see AddText().
Json NamedObjects(std::span<const std::string> names);

// Returns an object with the rounded bounds; null if there is no interval.
Json IntervalObject(const std::optional<Interval>& interval,
                    double confidence = kConfidence);

// Returns the document of a gate that could not judge: only why.
Json NotJudged(std::string_view schema, int version, std::string_view error);

Json CoverageObject(const ModuleTable& modules);

// Returns an object for each module. Set `has_dwarf` if
// ModuleInfo::dwarf_versions is known; otherwise, objects do not have it.
Json ModuleArray(const ModuleTable& modules, bool has_dwarf);

}  // namespace heapprof
