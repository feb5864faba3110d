// SPDX-License-Identifier: Apache-2.0
//
// Rows for engines that query many dumps: a JSON object per line, for each
// stack and metric of a dump.
//
//   {"v":1,"dump":"server.71.3.i3.heap","time":1764000000,"host":"web-1",...,
//    "metric":"inuse_space","value":4096,"lower":104,"upper":22817,
//    "samples":1,"frames":["main","Parse(int)"],"places":["","parse.cc:12"]}
//
// The columns are frozen: a change of their meaning, or a column less, gets
// another number "v". Text is never null, unknown numbers are. The schema of a
// row is "ndjson_row" in proto/heapprof.schema.json.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "heapprof/base/byte_sink.h"
#include "heapprof/profile/profile.h"
#include "heapprof/view/stack_measures.h"

namespace heapprof {

inline constexpr int kRowVersion = 1;

// The columns of each row, in order. Labels follow them.
inline constexpr std::string_view kRowColumns[] = {
    "v",       "dump",     "time",    "host",       "pid",    "sequence",
    "program", "build_id", "thread",  "thread_uid", "metric", "value",
    "lower",   "upper",    "samples", "frames",     "places"};

// What all rows of a dump have in common.
struct DumpColumns {
  std::string dump = {};     // its path, as the user named it
  int64_t time_seconds = 0;  // since 1970; 0 = unknown
  std::optional<uint64_t> pid = {};
  std::optional<uint64_t> sequence = {};
  std::string program = {};   // path; empty if unknown
  std::string build_id = {};  // of the program; empty if unknown
  // The only thread that the rows are about, by name or uid; empty: all of
  // them, or each row says which.
  std::string thread = {};
  // Labels of the user, by name. "host" is a column of its own.
  std::vector<std::pair<std::string, std::string>> labels = {};
};

// `profile` is the profile that was measured.
void WriteNdjson(const Profile& profile, const StackMeasures& measures,
                 const DumpColumns& columns, ByteSink& out);

}  // namespace heapprof
