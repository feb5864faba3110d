// SPDX-License-Identifier: Apache-2.0
//
// The tables of a pprof profile to which samples refer: locations, functions
// and mappings. Only rows that samples need get in, each once. Ids are 1, 2, …
// in the order of first use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "heapprof/base/id_table.h"
#include "heapprof/profile/profile.h"
#include "report/pprof_strings.h"
#include "report/wire_message.h"

namespace heapprof {

// One table: encoded messages without their ids.
class PprofRows {
 public:
  // Returns the id of the row with these fields; adds it if it is new.
  uint32_t IdOf(std::string_view fields);
  size_t size() const { return ends_.size(); }

  // Writes the rows as the field `field` of `out`. Calls `complete` with the id
  // of each row to add the fields that were not known before.
  void Write(uint32_t field, WireFile& out,
             const std::function<void(uint32_t id, WireMessage& row)>&
                 complete = nullptr) const;

 private:
  std::string_view FieldsOf(uint32_t id) const {
    const size_t start = id == 1 ? 0 : ends_[id - 2];
    return std::string_view(fields_).substr(start, ends_[id - 1] - start);
  }

  std::string fields_;        // of all rows, one after the other
  std::vector<size_t> ends_;  // by id - 1: where its fields end
  IdTable index_;
};

class PprofTableWriter {
 public:
  // Both must outlive this object.
  PprofTableWriter(const Profile& profile, PprofStrings& strings);

  uint32_t IdOf(LocationId id) {
    const uint32_t known = location_ids_[id.index()];
    return known != 0 ? known : AddLocation(id);
  }
  uint32_t IdOf(MappingId id);

  void Write(WireFile& out) const;

 private:
  // Each says whether something is true of all locations of a mapping.
  struct MappingFlags {
    bool occurs = false;
    bool all_named = true;
    bool all_files = true;
    bool all_lines = true;
  };

  uint32_t AddLocation(LocationId id);
  uint32_t IdOf(FunctionId id);
  void AddLine(const Line& line, MappingFlags& flags, WireMessage& location);
  void AddFlags(const MappingFlags& flags, WireMessage& mapping) const;

  const Profile& profile_;
  PprofStrings& strings_;
  // By id in the profile; 0: not added yet.
  std::vector<uint32_t> location_ids_;
  std::vector<uint32_t> function_ids_;
  std::vector<uint32_t> mapping_ids_;
  PprofRows locations_;
  PprofRows functions_;
  PprofRows mappings_;
  std::vector<MappingFlags> mapping_flags_;  // by id - 1
};

}  // namespace heapprof
