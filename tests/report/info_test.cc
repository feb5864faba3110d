// SPDX-License-Identifier: Apache-2.0
#include "heapprof/view/info.h"

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "heapprof/base/text_columns.h"
#include "heapprof/report/info_json.h"
#include "heapprof/report/info_text.h"

namespace heapprof::info_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

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
  library.nameless_percent = 20;
  library.status = ModuleStatus::kSomeNames;
  library.info = {
      .file_state = FileState::kNoDebugInfo,
      .file = "/copy/libz.so.1",
      .wanted_build_id = "aabbcc",
      .build_id = "aabbcc",
      .return_addresses = 31,
      .after_call = 30,
      .debug_file = "",
      .tried = {{"/usr/lib/debug/.build-id/aa/bbcc.debug", "not found"},
                {"/copy/libz.so.debug", "belongs to another build"}},
      .reason = "no debug information for build id aabbcc",
      .suggestions = {{.text = "install it:",
                       .command = "dpkg -S",
                       .argument = "/usr/lib/libz.so.1"},
                      {.text = "or get it:",
                       .command = "curl",
                       .argument = "-o aabbcc",
                       .is_alternative = true},
                      {.text = "or build it"}}};
  ModuleRow program;
  program.path = "/srv/app";
  program.deleted = true;
  program.is_main_program = true;
  program.locations = 4;
  program.with_lines = 3;
  program.stacks = 2;
  program.percent = 75;
  program.resolved_percent = 100;
  program.status = ModuleStatus::kIncomplete;
  program.info.file = "/srv/app";
  program.info.build_id = "dd";
  program.info.debug_file = "/srv/app";
  program.info.dwarf_versions = {4, 5};
  program.info.problems = {"section .debug_str: damaged zlib data"};
  Info info;
  info.dump = {.path = "app.heap",
               .format = "jemalloc heap dump",
               .produced_by = "jemalloc 4.0 or later",
               .unused_files = {"app.dwp: not used"}};
  info.program = "/srv/app";
  info.time_seconds = 1700000000;
  info.sampling_period = 524288;
  info.has_memory_map = true;
  info.stacks = 7;
  info.threads = 2;
  info.more_sample_types = {"cold_space/bytes"};
  info.lists_objects = true;
  info.slab_classes = {
      {.region_size = 160, .slab_bytes = 20480, .used_bytes = 9760}};
  info.totals = {{Metric::kInuseSpace, 3 << 20, Interval{2 << 20, 5 << 20}},
                 {Metric::kInuseObjects, 12.6, std::nullopt}};
  info.modules.rows = {library, program};
  info.modules.unresolved = 1;
  info.modules.unresolved_percent = 20;
  info.modules.nameless_percent = 20;
  info.modules.lined_percent = 74.5;
  return info;
}

constexpr std::string_view kSummary = R"(app.heap
  program           /srv/app
  format            jemalloc heap dump (jemalloc 4.0 or later)
  written           2023-11-14 22:13:20 UTC
  sampling          one sample per 512 KiB on average
  live              3.0 MiB (2.0 MiB to 5.0 MiB with 95 % confidence), about 12
                    objects
  stacks            7, of 2 threads
  other types       cold_space/bytes; --sample-type=TYPE shows one
  objects           sizes and ages known; --min-age 2m shows only old ones
  slabs             10.5 KiB free of 20.0 KiB (52.3%), most for objects of 160 B
                    (10.5 KiB)
  named             80.0% of the live bytes, 74.5% with source lines
  does not fit      app.dwp: not used
  problem           app: section .debug_str: damaged zlib data

Modules by their share of the live bytes
  share  no names  status       module
  75.0%            incomplete   /srv/app (deleted or replaced)
  25.0%     20.0%  some names   /usr/lib/libz.so.1

No debug information: libz.so.1
  - install it:
    dpkg -S /usr/lib/libz.so.1
  - or build it
)";

TEST(WriteInfoTextTest, BeginsWithASummaryAndOneTable) {
  EXPECT_EQ(WriteInfoText(Example(), {}),
            std::string(kSummary) +
                "\n  --verbose shows all modules, and where files were looked "
                "for\n");
}

TEST(WriteInfoTextTest, AddsAllDetailsOfEachModule) {
  EXPECT_EQ(WriteInfoText(Example(), {.details = true}),
            std::string(kSummary) + R"(
/usr/lib/libz.so.1
  status            some names
  share             25.0%
  named             1 of 3 addresses, 1 of 5 stacks, 20.0% of its share
  with lines        0 of 3 addresses
  file              /copy/libz.so.1
  build id          aabbcc (as wanted)
  fit               97 % of 31 return addresses follow a call
  debug info        none
  tried             /usr/lib/debug/.build-id/aa/bbcc.debug
  tried             /copy/libz.so.debug: belongs to another build
  missing           no debug information for build id aabbcc
  remedy            install it:
    dpkg -S /usr/lib/libz.so.1
  remedy            or get it:
    curl -o aabbcc
  remedy            or build it

/srv/app (deleted or replaced)
  status            incomplete
  share             75.0%
  named             4 of 4 addresses, 2 of 2 stacks, 100% of its share
  with lines        3 of 4 addresses
  file              at this path
  build id          dd
  debug info        DWARF 4, 5 in the file itself
  problem           section .debug_str: damaged zlib data
)");
}

TEST(WriteInfoTextTest, FitsATerminal) {
  Info info = Example();
  ModuleRow row = info.modules.rows[0];
  row.path = "/usr/lib/" + std::string(90, 'x') + "/libz.so.1";
  row.info.suggestions[0].argument = std::string(40, 'y');
  info.modules.rows[0] = row;
  info.modules.rows.push_back(row);
  for (const size_t width : {60u, 80u, 120u, 200u}) {
    const std::string text = WriteInfoText(info, {.width = width});
    for (const auto line : text | std::views::split('\n'))
      EXPECT_LE(Columns(std::string_view(line)), width) << text;
  }
  // In a file, paths stay whole.
  EXPECT_THAT(WriteInfoText(info, {}), HasSubstr("  " + row.path + "\n"));
}

TEST(WriteInfoTextTest, NamesOneRemedyIfTheTerminalIsLow) {
  const std::string all = WriteInfoText(Example(), {});
  const auto lines = static_cast<size_t>(std::ranges::count(all, '\n'));
  EXPECT_EQ(WriteInfoText(Example(), {.rows = lines + 1}), all);
  const std::string shorter = WriteInfoText(Example(), {.rows = lines});
  EXPECT_THAT(shorter, HasSubstr("\n  - install it:\n    dpkg -S "
                                 "/usr/lib/libz.so.1\n  --verbose shows all "
                                 "modules, more remedies,"));
  EXPECT_THAT(shorter, Not(HasSubstr("build it")));
}

TEST(WriteInfoTextTest, NamesTwoModulesIfTheTerminalIsVeryLow) {
  Info info = Example();
  const ModuleRow row = info.modules.rows[0];
  info.modules.rows.insert(info.modules.rows.end(), 4, row);
  const auto rows_of = [&](size_t rows) {
    const std::string text = WriteInfoText(info, {.rows = rows});
    return std::pair(std::ranges::count(text, '\n'),
                     text.contains("4 more modules with "));
  };
  const auto [all, all_are_cut] = rows_of(0);
  EXPECT_FALSE(all_are_cut);
  const auto [few, is_cut] = rows_of(10);
  EXPECT_TRUE(is_cut);
  EXPECT_LT(few + 3, all);
}

TEST(WriteInfoTextTest, NamesAFewModulesWithTheSameGap) {
  Info info = Example();
  const ModuleRow row = info.modules.rows[0];
  info.modules.rows.insert(info.modules.rows.end(), 6, row);
  EXPECT_THAT(WriteInfoText(info, {}), HasSubstr("libz.so.1 and 1 more\n"));
}

TEST(WriteInfoTextTest, SumsSmallModules) {
  Info info = Example();
  ModuleRow small;
  small.path = "/lib/small";
  small.percent = 0.02;
  info.modules.rows.push_back(small);
  small.status = ModuleStatus::kNoLines;
  info.modules.rows.push_back(small);
  info.modules.rows.push_back(small);
  const std::string line = "\n  3 more modules with 0.06%: 1 ok, 2 no lines\n";
  EXPECT_THAT(WriteInfoText(info, {}), HasSubstr(line));
  const std::string all = WriteInfoText(info, {.modules = 0});
  EXPECT_THAT(all, Not(HasSubstr(" more modules")));
  EXPECT_THAT(all, HasSubstr("\n  0.02%            ok           /lib/small\n"));
}

TEST(WriteInfoTextTest, SaysWhyBoundsAreWide) {
  Info info = Example();
  info.threads_share_errors = true;
  EXPECT_THAT(WriteInfoText(info, {.width = 80}), HasSubstr(R"(
  stacks            7, of 2 threads, more than the memory map has stacks for:
                    some may share sampling errors, so all bounds are wider
                    (heapprof help accuracy)
)"));
}

TEST(WriteInfoTextTest, SaysWhatADumpLacks) {
  Info info;
  info.dump = {.path = "d", .format = "jemalloc heap dump"};
  EXPECT_EQ(WriteInfoText(info, {}), R"(d
  format            jemalloc heap dump
  sampling          period not known: no error bars
  memory map        none; --maps FILE takes that of FILE
  stacks            0
)");
}

TEST(WriteInfoTextTest, SaysHowJavaCodeGetsNames) {
  Info info = Example();
  info.generated_percent = 80;
  EXPECT_THAT(WriteInfoText(info, {}), Not(HasSubstr("jcmd")));
  info.runs_java = true;
  EXPECT_THAT(
      WriteInfoText(info, {}),
      HasSubstr("\nJava code without names calls for 80.0% of the live bytes\n"
                "  - list the compiled code while the JVM runs, and keep "
                "/tmp/perf-PID.map next\n    to the dump:\n"
                "    jcmd PID Compiler.perfmap\n"));
  info.generated_percent = 5;
  EXPECT_THAT(WriteInfoText(info, {}), Not(HasSubstr("jcmd")));
}

TEST(WriteInfoTextTest, CallsExactNumbersExact) {
  Info info;
  info.sampling_period = 1;
  info.is_symbolized = true;
  info.totals = {{Metric::kInuseSpace, 4096, Interval{4095, 5000}, true},
                 {Metric::kInuseObjects, 1, std::nullopt, true}};
  const std::string text = WriteInfoText(info, {});
  EXPECT_THAT(text, HasSubstr("\n  sampling          none: the totals are "
                              "exact\n"));
  EXPECT_THAT(text, HasSubstr("\n  names             in the file\n"));
  EXPECT_THAT(text, HasSubstr("\n  live              4.0 KiB, 1 object\n"));
}

TEST(WriteInfoTextTest, CallsADifferenceAChange) {
  Info info;
  info.is_difference = true;
  info.totals = {{Metric::kInuseSpace, 4096, Interval{1024, 8192}},
                 {Metric::kAllocSpace, -2048, std::nullopt}};
  EXPECT_THAT(WriteInfoText(info, {}),
              AllOf(HasSubstr("a change of +4.0 KiB (1.0 KiB to 8.0 KiB"),
                    HasSubstr("a change of -2.0 KiB")));
}

TEST(WriteInfoTextTest, SaysWhyEachKindOfModuleHasNoNames) {
  const auto text_of = [](ModuleStatus status, FileState state) {
    Info info;
    info.has_memory_map = true;
    ModuleRow row;
    if (status != ModuleStatus::kUnmapped) row.path = "/x/lib";
    row.percent = row.nameless_percent = 50;
    row.status = status;
    row.info.file_state = state;
    row.info.reason = "REASON";
    info.modules.rows = {row};
    const std::string text = WriteInfoText(info, {});
    const size_t start = text.rfind("\n\n", text.rfind("\n\n") - 1) + 2;
    return text.substr(start, text.rfind("\n\n") - start);
  };
  using enum ModuleStatus;
  EXPECT_EQ(text_of(kNoNames, FileState::kFound),
            "Not all addresses have a name or a line: lib\n  lib: REASON");
  EXPECT_EQ(text_of(kNoNames, FileState::kNoDebugInfo),
            "No debug information: lib");
  EXPECT_EQ(text_of(kMissing, FileState::kNotFound), "File not found: /x/lib");
  EXPECT_EQ(text_of(kUnreadable, FileState::kUnreadable),
            "File not readable: lib\n  lib: REASON");
  EXPECT_EQ(text_of(kWrongBuild, FileState::kAnotherBuild),
            "Not the file that ran: lib\n  lib: REASON");
  EXPECT_EQ(text_of(kGenerated, FileState::kGenerated),
            "Code made at run time: lib\n  lib: REASON");
  EXPECT_EQ(text_of(kNoAddresses, FileState::kNoAddresses),
            "Addresses of unknown kind: lib\n  lib: REASON");
  EXPECT_EQ(text_of(kUnmapped, FileState::kFound),
            "Addresses outside the memory map\n  REASON");
}

TEST(WriteInfoTextTest, ShowsTheBuildIdThatNoFileHas) {
  Info info;
  info.modules.rows.resize(2);
  info.modules.rows[0].info.wanted_build_id = "aa";
  info.modules.rows[1].info.wanted_build_id = "aa";
  info.modules.rows[1].info.file = "/x";
  const std::string text = WriteInfoText(info, {.details = true});
  EXPECT_THAT(text,
              HasSubstr("  build id          aa wanted, no file found\n"));
  EXPECT_THAT(text, HasSubstr("  build id          aa wanted, none found\n"));
  EXPECT_THAT(text, HasSubstr("\naddresses outside the memory map\n"));
}

TEST(WriteInfoTextTest, BreaksSentencesButNotPaths) {
  Info info;
  info.modules.rows.resize(1);
  const std::string path = "/" + std::string(90, 'x');
  info.modules.rows[0].info.reason =
      "one two three four five six seven eight nine ten \u00e9leven twelve " +
      path + " end";
  EXPECT_THAT(WriteInfoText(info, {.details = true}),
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
  info.modules.rows[0].info.suggestions[0].argument = "d\re";
  const std::string text = WriteInfoText(info, {.details = true});
  EXPECT_THAT(text, HasSubstr("a?[2J\n"));
  EXPECT_THAT(text, HasSubstr("  b?c\n"));
  EXPECT_THAT(text, HasSubstr("    dpkg -S d?e\n"));
}

TEST(WriteInfoJsonTest, SaysTheSameAsTheText) {
  const auto root = nlohmann::json::parse(WriteInfoJson(Example()));
  EXPECT_EQ(root, nlohmann::json::parse(R"({
    "schema": "heapprof.info", "schema_version": 2,
    "dump": {"path": "app.heap", "format": "jemalloc heap dump",
      "written_by": "jemalloc 4.0 or later", "time_seconds": 1700000000,
      "sampling_period": 524288, "has_memory_map": true,
      "is_symbolized": false, "stacks": 7, "threads": 2,
      "more_sample_types": ["cold_space/bytes"], "lists_objects": true,
      "is_difference": false,
      "slabs": [{"region_size": 160, "slab_bytes": 20480, "used_bytes": 9760}],
      "unused_files": ["app.dwp: not used"], "program": "/srv/app"},
    "totals": {
      "inuse_space": {"value": 3145728, "interval": {"lower": 2097152,
        "upper": 5242880, "confidence": 0.95}, "is_exact": false},
      "inuse_objects": {"value": 12, "interval": null, "is_exact": false}},
    "coverage": {"metric": "inuse_space", "modules": 2,
      "unresolved_modules": 1, "unresolved_share": 0.2,
      "nameless_share": 0.2, "share_with_lines": 0.745},
    "modules": [
      {"path": "/usr/lib/libz.so.1", "deleted": false, "share": 0.25,
       "addresses": 3, "unresolved_addresses": 2, "stacks": 5,
       "unresolved_stacks": 4, "value": 25,
       "unresolved_value": 20, "file": "/copy/libz.so.1",
       "wanted_build_id": "aabbcc", "build_id": "aabbcc",
       "return_addresses": 31, "after_call": 30, "debug_file": null,
       "index_file": null, "is_assumed": false,
       "dwarf_versions": [],
       "tried": [{"path": "/usr/lib/debug/.build-id/aa/bbcc.debug",
                  "outcome": "not found"},
                 {"path": "/copy/libz.so.debug",
                  "outcome": "belongs to another build"}],
       "problems": [],
       "missing": "no debug information for build id aabbcc",
       "suggestions": [
         {"text": "install it:", "command": "dpkg -S /usr/lib/libz.so.1"},
         {"text": "or get it:", "command": "curl -o aabbcc"},
         {"text": "or build it", "command": null}],
       "status": "some names", "is_main_program": false,
       "addresses_with_lines": 0, "nameless_share": 0.2},
      {"path": "/srv/app", "deleted": true, "share": 0.75, "addresses": 4,
       "unresolved_addresses": 0, "stacks": 2, "unresolved_stacks": 0,
       "value": 0, "unresolved_value": 0,
       "file": "/srv/app", "wanted_build_id": null, "build_id": "dd",
       "return_addresses": 0, "after_call": 0,
       "debug_file": "/srv/app", "index_file": null, "is_assumed": false,
       "dwarf_versions": [4, 5], "tried": [],
       "problems": ["section .debug_str: damaged zlib data"], "missing": null, "suggestions": [],
       "status": "incomplete", "is_main_program": true,
       "addresses_with_lines": 3, "nameless_share": 0.0}]})"));
}

TEST(WriteInfoTest, SaysWhichNamesAreFromIndexes) {
  Info info = Example();
  EXPECT_THAT(WriteInfoText(info, {}), Not(HasSubstr("indexes")));
  ModuleInfo& library = info.modules.rows.front().info;
  library.index_file = "/idx/aabbcc.idx";
  EXPECT_THAT(WriteInfoText(info, {}),
              HasSubstr("  indexes           name the frames of 1 module\n"));
  library.is_assumed = true;
  EXPECT_THAT(
      WriteInfoText(info, {}),
      HasSubstr("  indexes           name the frames of libz.so.1 (build "
                "aabbcc), chosen by"));
  const auto root = nlohmann::json::parse(WriteInfoJson(info));
  EXPECT_EQ(root["modules"][0]["index_file"], "/idx/aabbcc.idx");
  EXPECT_EQ(root["modules"][0]["is_assumed"], true);
  EXPECT_EQ(root["modules"][1]["is_assumed"], false);
}

TEST(WriteInfoJsonTest, BeginsWithTheSchemaAndEndsTheLine) {
  const std::string text = WriteInfoJson(Info{});
  EXPECT_TRUE(text.starts_with(
      "{\n  \"schema\": \"heapprof.info\",\n  \"schema_version\": 2,\n"))
      << text;
  EXPECT_TRUE(text.ends_with("}\n"));
}

TEST(WriteInfoJsonTest, StaysValidWhateverBytesAPathHas) {
  Info info;
  info.dump.path = "a\xff\"\x1b";
  const auto root = nlohmann::json::parse(WriteInfoJson(info));
  EXPECT_EQ(root["dump"]["path"], "a\uFFFD\"\x1b");
  EXPECT_EQ(root["dump"]["path_bytes"], "61ff221b");
}

}  // namespace
}  // namespace heapprof::info_test
