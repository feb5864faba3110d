// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/info.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "heapprof/report/info_json.h"
#include "heapprof/report/info_text.h"

namespace heapprof {
namespace {

using ::testing::HasSubstr;

// A dump with a library whose debug file is missing, and its program.
Info Example() {
  ModuleRow library;
  library.path = "/usr/lib/libz.so.1";
  library.locations = 3;
  library.unresolved = 2;
  library.stacks = 5;
  library.unresolved_stacks = 4;
  library.value = 25;
  library.unresolved_value = 20;
  library.percent = 25;
  library.resolved_percent = 20;
  library.facts = {
      .file = "/copy/libz.so.1",
      .wanted_build_id = "aabbcc",
      .build_id = "aabbcc",
      .return_addresses = 31,
      .after_call = 30,
      .debug_file = "",
      .tried = {{"/usr/lib/debug/.build-id/aa/bbcc.debug", "not found"},
                {"/copy/libz.so.debug", "belongs to another build"}},
      .reason = "no debug information for build id aabbcc",
      .remedies = {{"install it:", "dpkg -S /usr/lib/libz.so.1"},
                   {"or build it", ""}}};
  ModuleRow program;
  program.path = "/srv/app";
  program.deleted = true;
  program.locations = 4;
  program.stacks = 2;
  program.percent = 75;
  program.resolved_percent = 100;
  program.facts.file = "/srv/app";
  program.facts.build_id = "dd";
  program.facts.debug_file = "/srv/app";
  program.facts.dwarf_versions = {4, 5};
  program.facts.problems = {"section .debug_str: damaged zlib data"};
  Info info;
  info.dump = {.path = "app.heap",
               .format = "jemalloc heap dump",
               .produced_by = "jemalloc 4.0 or later",
               .useless_files = {"app.dwp: not used"}};
  info.time_seconds = 1700000000;
  info.sampling_period = 524288;
  info.has_memory_map = true;
  info.stacks = 7;
  info.threads = 2;
  info.totals = {{Metric::kInuseSpace, 3 << 20, Interval{2 << 20, 5 << 20}},
                 {Metric::kInuseObjects, 12.6, std::nullopt}};
  info.modules.rows = {library, program};
  info.modules.unresolved = 1;
  info.modules.unresolved_percent = 20;
  return info;
}

TEST(WriteInfoTextTest, LaysOutOneFactPerLine) {
  EXPECT_EQ(WriteInfoText(Example()), R"(app.heap
  format            jemalloc heap dump
  written by        jemalloc 4.0 or later
  written at        2023-11-14 22:13:20 UTC
  sampling period   524288 bytes
  memory map        yes
  stacks            7
  threads           2
  inuse_space       3.0 MiB (2.0 MiB to 5.0 MiB with 95 % confidence)
  inuse_objects     13
  does not fit      app.dwp: not used

Modules: 1 of 2 unresolved (20.0 % of inuse_space)

/usr/lib/libz.so.1
  share             25.0 % of inuse_space
  named             1 of 3 addresses, 1 of 5 stacks, 20.0 % of its share
  file              /copy/libz.so.1
  build id          aabbcc (as wanted)
  fit               97 % of 31 return addresses follow a call
  debug info        none
  tried             /usr/lib/debug/.build-id/aa/bbcc.debug
  tried             /copy/libz.so.debug: belongs to another build
  missing           no debug information for build id aabbcc
  remedy            install it:
    dpkg -S /usr/lib/libz.so.1
  remedy            or build it

/srv/app (deleted or replaced)
  share             75.0 % of inuse_space
  named             4 of 4 addresses, 2 of 2 stacks, 100.0 % of its share
  file              at this path
  build id          dd
  debug info        DWARF 4, 5 in the file itself
  problem           section .debug_str: damaged zlib data
)");
}

TEST(WriteInfoTextTest, SaysWhatADumpLacks) {
  Info info;
  info.dump = {.path = "d", .format = "jemalloc heap dump"};
  EXPECT_EQ(WriteInfoText(info), R"(d
  format            jemalloc heap dump
  sampling period   not known: no error bars
  memory map        none
  stacks            0
  threads           0

Modules: 0, all resolved
)");
  info.sampling_period = 1;
  info.is_symbolized = true;
  info.totals = {{Metric::kInuseSpace, 4096, Interval{4095.9, 4096.1}}};
  EXPECT_THAT(WriteInfoText(info),
              HasSubstr("\n  sampling period   1 byte: every allocation was "
                        "sampled\n"));
  EXPECT_THAT(WriteInfoText(info), HasSubstr("\n  names             in the "
                                             "file\n"));
  EXPECT_THAT(WriteInfoText(info), HasSubstr("inuse_space       4.0 KiB\n"));
}

TEST(WriteInfoTextTest, ShowsTheBuildIdThatNoFileHas) {
  Info info;
  info.modules.rows.resize(2);
  info.modules.rows[0].facts.wanted_build_id = "aa";
  info.modules.rows[1].facts.wanted_build_id = "aa";
  info.modules.rows[1].facts.file = "/x";
  const std::string text = WriteInfoText(info);
  EXPECT_THAT(text,
              HasSubstr("  build id          aa wanted, no file found\n"));
  EXPECT_THAT(text, HasSubstr("  build id          aa wanted, none found\n"));
  EXPECT_THAT(text, HasSubstr("\naddresses outside the memory map\n"));
}

TEST(WriteInfoTextTest, BreaksSentencesButNoPaths) {
  Info info;
  info.modules.rows.resize(1);
  const std::string path = "/" + std::string(90, 'x');
  info.modules.rows[0].facts.reason =
      "one two three four five six seven eight nine ten \u00e9leven twelve " +
      path + " end";
  EXPECT_THAT(WriteInfoText(info),
              HasSubstr("  missing           one two three four five six seven "
                        "eight nine ten \u00e9leven\n"
                        "                    twelve\n"
                        "                    " +
                        path + "\n                    end\n"));
}

TEST(WriteInfoTextTest, LetsNoControlCharacterThrough) {
  Info info = Example();
  info.dump.path = "a\x1b[2J";
  info.modules.rows[0].path = "b\nc";
  info.modules.rows[0].facts.remedies[0].command = "d\re";
  const std::string text = WriteInfoText(info);
  EXPECT_THAT(text, HasSubstr("a?[2J\n"));
  EXPECT_THAT(text, HasSubstr("\nb?c\n"));
  EXPECT_THAT(text, HasSubstr("    d?e\n"));
}

TEST(WriteInfoJsonTest, SaysTheSameAsTheText) {
  const auto root = nlohmann::json::parse(WriteInfoJson(Example()));
  EXPECT_EQ(root, nlohmann::json::parse(R"({
    "schema": "heapprof.info", "schema_version": 1,
    "dump": {"path": "app.heap", "format": "jemalloc heap dump",
      "written_by": "jemalloc 4.0 or later", "time_seconds": 1700000000,
      "sampling_period": 524288, "has_memory_map": true,
      "is_symbolized": false, "stacks": 7, "threads": 2,
      "files_of_no_use": ["app.dwp: not used"]},
    "totals": {
      "inuse_space": {"value": 3145728.0, "interval": {"lower": 2097152.0,
        "upper": 5242880.0, "confidence": 0.95}},
      "inuse_objects": {"value": 12.6, "interval": null}},
    "coverage": {"metric": "inuse_space", "modules": 2,
      "unresolved_modules": 1, "unresolved_share": 0.2},
    "modules": [
      {"path": "/usr/lib/libz.so.1", "deleted": false, "share": 0.25,
       "addresses": 3, "unresolved_addresses": 2, "stacks": 5,
       "unresolved_stacks": 4, "value": 25.0,
       "unresolved_value": 20.0, "file": "/copy/libz.so.1",
       "wanted_build_id": "aabbcc", "build_id": "aabbcc",
       "return_addresses": 31, "after_call": 30, "debug_file": null,
       "dwarf_versions": [],
       "tried": [{"path": "/usr/lib/debug/.build-id/aa/bbcc.debug",
                  "outcome": "not found"},
                 {"path": "/copy/libz.so.debug",
                  "outcome": "belongs to another build"}],
       "problems": [],
       "missing": "no debug information for build id aabbcc",
       "remedies": [
         {"text": "install it:", "command": "dpkg -S /usr/lib/libz.so.1"},
         {"text": "or build it", "command": null}]},
      {"path": "/srv/app", "deleted": true, "share": 0.75, "addresses": 4,
       "unresolved_addresses": 0, "stacks": 2, "unresolved_stacks": 0,
       "value": 0.0, "unresolved_value": 0.0,
       "file": "/srv/app", "wanted_build_id": null, "build_id": "dd",
       "return_addresses": 0, "after_call": 0,
       "debug_file": "/srv/app", "dwarf_versions": [4, 5], "tried": [],
       "problems": ["section .debug_str: damaged zlib data"], "missing": null, "remedies": []}]})"));
}

TEST(WriteInfoJsonTest, BeginsWithTheSchemaAndEndsTheLine) {
  const std::string text = WriteInfoJson(Info{});
  EXPECT_TRUE(text.starts_with(
      "{\n  \"schema\": \"heapprof.info\",\n  \"schema_version\": 1,\n"))
      << text;
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(WriteInfoJsonTest, StaysValidWhateverBytesAPathHas) {
  Info info;
  info.dump.path = "a\xff\"\x1b";
  const auto root = nlohmann::json::parse(WriteInfoJson(info));
  EXPECT_EQ(root["dump"]["path"], "a\uFFFD\"\x1b");
}

}  // namespace
}  // namespace heapprof
