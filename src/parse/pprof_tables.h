// SPDX-License-Identifier: Apache-2.0
//
// The tables that samples of a pprof profile refer to: strings, mappings,
// functions and locations. Messages refer to each other by ids that the file
// chooses. Every id is checked, and an id without a message is reported.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "heapprof/base/diagnostics.h"
#include "heapprof/base/hash.h"
#include "heapprof/profile/profile_builder.h"
#include "parse/wire_cursor.h"

namespace heapprof {

// Maps the ids that a file uses to row numbers. Nearly all files use the ids 1,
// 2, 3 and so on in order; such an id takes only four bytes here.
class PprofIds {
 public:
  void Reserve(size_t count) { in_order_.reserve(count); }
  // Returns false if the id exists already.
  bool Add(uint64_t id, uint32_t row);
  std::optional<uint32_t> Find(uint64_t id) const;

 private:
  std::vector<uint32_t> in_order_;  // for ids 1, 2, …
  std::unordered_map<uint64_t, uint32_t, RandomHash> others_;
};

// The number of messages of each kind, and what is wrong where the file breaks
// off.
struct PprofCounts {
  size_t samples = 0;
  size_t mappings = 0;
  size_t functions = 0;
  size_t locations = 0;
  size_t strings = 0;
  std::string problem;  // empty: the file is complete
};

PprofCounts CountFields(std::string_view bytes);

class PprofTables {
 public:
  // `bytes`, `name` and `diagnostics` must outlive this object.
  PprofTables(std::string_view bytes, const std::string& name,
              ProfileBuilder& builder, Diagnostics& diagnostics);

  void Read(const PprofCounts& counts);

  // Returns nothing if the table has no string with this index.
  std::optional<std::string_view> FindString(uint64_t index) const;
  std::optional<LocationId> FindLocation(uint64_t id) const;

  // Warns of damage. `text` says where the damage is and what it is.
  void WarnOfDamage(std::string text);
  const std::string& first_damage() const { return first_damage_; }

 private:
  // A Mapping message: one line of a memory map or one PT_LOAD segment.
  struct MappingMessage {
    uint64_t start = 0;
    uint64_t limit = 0;
    uint64_t file_offset = 0;
    StringId filename = {};
    StringId build_id = {};
    bool has_functions = false;
    // The number of this message among those with the same filename and build
    // id, from 1, in the order in which the profile lists them.
    uint32_t ordinal = 0;
    AddressSpace Space() const;
    bool IsFile(const Profile& profile) const;
  };

  StringId StringOf(uint64_t index, uint64_t offset);
  void ReadMapping(const WireField& field);
  void SetProgram();
  void ReadFunction(const WireField& field);
  void ReadLocation(const WireField& field);
  // Calls `read` with each integer field of a message. If the message is
  // damaged, warns and returns false.
  template <typename Reader>
  bool ReadNumbers(const WireField& message, Reader read);
  std::optional<Line> ReadLine(const WireField& field);
  void PlaceLocation(uint64_t mapping_id, uint64_t offset, Location& location);
  MappingId MappingOf(const MappingMessage& message);
  bool IsPlaceholder(const Location& location, bool has_functions) const;

  std::string_view bytes_;
  const std::string& name_;
  ProfileBuilder& builder_;
  Diagnostics& diagnostics_;
  std::string first_damage_;

  // For each string, the offset of its field in the file. Offsets take four
  // bytes each; a std::string_view would often be larger than the string.
  std::vector<uint32_t> string_offsets_;
  // The id in the Profile of each string, by the string's index in the file;
  // none if the string is not interned yet.
  std::vector<StringId> interned_;
  std::vector<MappingMessage> mapping_messages_;
  std::vector<Line> lines_;  // of the location that is being read
  PprofIds mapping_ids_;     // rows of mapping_messages_
  PprofIds function_ids_;
  PprofIds location_ids_;
  // The mappings of the Profile. The key is the file's name, its build id, the
  // address space, and Mapping::segment.
  std::map<std::tuple<StringId, StringId, AddressSpace, uint32_t>, MappingId>
      mappings_;
  std::map<std::pair<StringId, StringId>, uint32_t> ordinals_;
};

}  // namespace heapprof
