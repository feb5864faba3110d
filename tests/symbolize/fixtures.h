// SPDX-License-Identifier: Apache-2.0
//
// The output of make_fixtures.sh, and profiles of it.
#pragma once

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "heapprof/profile/profile.h"
#include "heapprof/profile/profile_builder.h"
#include "heapprof/symbolize/debuginfod.h"

namespace heapprof {

inline std::string Fixture(std::string_view name) {
  return std::string(HEAPPROF_FIXTURES) + "/" + std::string(name);
}

inline std::string FixtureText(std::string_view name) {
  std::ostringstream text;
  text << std::ifstream(Fixture(name)).rdbuf();
  return text.str();
}

// The instruction after a call.
struct CallSite {
  uint64_t offset = 0;   // in the file
  uint64_t address = 0;  // file address
  std::string symbol;    // the function that contains it
};

// The calls in the program's own functions, as objdump prints them.
inline std::vector<CallSite> CallsOf(std::string_view binary) {
  std::vector<CallSite> calls;
  std::ifstream in(Fixture(binary) + ".calls");
  CallSite call;
  while (in >> std::hex >> call.offset >> call.address >> call.symbol)
    if (call.symbol == "main" || call.symbol.starts_with("_ZN3app"))
      calls.push_back(call);
  EXPECT_GE(calls.size(), 10u) << binary;
  return calls;
}

inline std::vector<uint64_t> OffsetsOf(std::string_view binary) {
  std::vector<uint64_t> offsets;
  for (const CallSite& call : CallsOf(binary)) offsets.push_back(call.offset);
  return offsets;
}

// Servers with one file or none.
class FakeServers : public BuildIdServers {
 public:
  FakeServers() = default;
  FakeServers(BuildIdFile file, std::string path)
      : file_(file), path_(std::move(path)) {}

  Result<std::string> Fetch(BuildIdFile file,
                            const std::string& build_id) override {
    asked_.push_back(
        (file == BuildIdFile::kExecutable ? "executable " : "debuginfo ") +
        build_id);
    if (path_.empty() || file != file_)
      return Fail(ErrorKind::kNoData, "not found");
    return path_;
  }
  const std::vector<std::string>& asked() const { return asked_; }

 private:
  BuildIdFile file_ = BuildIdFile::kDebugInfo;
  std::string path_;
  std::vector<std::string> asked_;
};

// A profile as the parser makes it from a dump: file offsets, no names.
class DumpBuilder {
 public:
  static constexpr uint64_t kLoadedAt = 0x7f0000000000;

  // The first one is the program.
  MappingId AddFile(const std::string& path) {
    const StringId filename = builder_.InternString(path);
    if (builder_.profile().main_binary.IsNone())
      builder_.profile().main_binary = filename;
    // Small programs have their code in the second page.
    constexpr uint64_t kCodeOffset = 0x1000;
    return builder_.AddMapping({.start = kLoadedAt + kCodeOffset,
                                .file_offset = kCodeOffset,
                                .filename = filename,
                                .is_file = true});
  }
  MappingId AddRegion(std::string_view name) {
    return builder_.AddMapping({.filename = builder_.InternString(name)});
  }
  // Adds one stack with all these addresses.
  void AddStack(MappingId mapping, const std::vector<uint64_t>& offsets) {
    std::vector<LocationId> frames;
    for (uint64_t offset : offsets)
      frames.push_back(builder_.AddLocation({.address = kLoadedAt + offset,
                                             .module_address = offset,
                                             .mapping = mapping}));
    Sample sample = {.stack = builder_.AddStack(frames)};
    sample.values[Metric::kInuseSpace].value = 1;
    builder_.AddSample(sample);
  }
  Profile Finish() && { return std::move(builder_).Finish(); }

 private:
  ProfileBuilder builder_;
};

}  // namespace heapprof
