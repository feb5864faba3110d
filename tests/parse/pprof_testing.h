// SPDX-License-Identifier: Apache-2.0
//
// pprof profiles for tests, serialised by protobuf itself.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "profile.pb.h"

namespace heapprof {

// The addresses of a mapping.
struct TestRange {
  uint64_t start = 0;
  uint64_t limit = 0;
  uint64_t offset = 0;
};
inline constexpr TestRange kEverywhere = {0, UINT64_MAX, 0};

class PprofBuilder {
 public:
  PprofBuilder() { out_.add_string_table(""); }

  int64_t String(std::string_view text) {
    for (int i = 0; i < out_.string_table_size(); ++i)
      if (out_.string_table(i) == text) return i;
    out_.add_string_table(std::string(text));
    return out_.string_table_size() - 1;
  }
  PprofBuilder& Type(std::string_view type, std::string_view unit) {
    auto* value_type = out_.add_sample_type();
    value_type->set_type(String(type));
    value_type->set_unit(String(unit));
    return *this;
  }
  PprofBuilder& Period(int64_t period) {
    out_.mutable_period_type()->set_type(String("space"));
    out_.mutable_period_type()->set_unit(String("bytes"));
    out_.set_period(period);
    return *this;
  }
  PprofBuilder& Mapping(std::string_view file, TestRange range = kEverywhere,
                        std::string_view build_id = "") {
    auto* mapping = out_.add_mapping();
    mapping->set_id(static_cast<uint64_t>(out_.mapping_size()));
    mapping->set_memory_start(range.start);
    mapping->set_memory_limit(range.limit);
    mapping->set_file_offset(range.offset);
    mapping->set_filename(String(file));
    mapping->set_build_id(String(build_id));
    return *this;
  }
  // Adds a location with a function for each name, innermost inlined first.
  PprofBuilder& Location(uint64_t mapping, uint64_t address,
                         const std::vector<std::string>& names = {}) {
    auto* location = out_.add_location();
    location->set_id(static_cast<uint64_t>(out_.location_size()));
    location->set_mapping_id(mapping);
    location->set_address(address);
    for (const std::string& name : names) {
      auto* function = out_.add_function();
      function->set_id(static_cast<uint64_t>(out_.function_size()));
      function->set_name(String(name));
      function->set_filename(String(name + ".cc"));
      auto* line = location->add_line();
      line->set_function_id(function->id());
      line->set_line(7);
    }
    return *this;
  }
  PprofBuilder& Sample(const std::vector<uint64_t>& locations,
                       const std::vector<int64_t>& values) {
    auto* sample = out_.add_sample();
    for (uint64_t id : locations) sample->add_location_id(id);
    for (int64_t value : values) sample->add_value(value);
    return *this;
  }
  pprof::Profile& message() { return out_; }
  std::string Bytes() const { return out_.SerializeAsString(); }

 private:
  pprof::Profile out_;
};

// A profile as services provide it: bytes only, two files, two stacks.
inline PprofBuilder ServiceProfile() {
  PprofBuilder pprof;
  pprof.Type("inuse_space", "bytes")
      .Mapping("/srv/server", kEverywhere, "c0ffee")
      .Mapping("/lib/libc.so.6", kEverywhere, "beef")
      .Location(1, 0x1134)
      .Location(2, 0x2000)
      .Sample({1, 2}, {4096})
      .Sample({2}, {100});
  return pprof;
}

}  // namespace heapprof
