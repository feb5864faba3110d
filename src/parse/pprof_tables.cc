// SPDX-License-Identifier: Apache-2.0
#include "parse/pprof_tables.h"

#include <algorithm>
#include <limits>
#include <set>

#include <fmt/core.h>

#include "heapprof/base/base_name.h"
#include "heapprof/base/char_class.h"
#include "heapprof/base/deleted_mark.h"
#include "heapprof/base/lower_case.h"
#include "heapprof/base/recorder_library.h"
#include "heapprof/parse/memory_map.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/pprof_fields.h"
#include "heapprof/profile/program.h"
#include "parse/address_names.h"

namespace heapprof {
namespace {

constexpr uint64_t kEverything = std::numeric_limits<uint64_t>::max();

// Calls `read` with each length-delimited field whose number is `number`.
template <typename Read>
void ForEach(std::string_view bytes, uint32_t number, Read read) {
  WireCursor cursor(bytes, 0);
  while (const auto field = cursor.Next())
    if (field->number == number && field->has_bytes) read(*field);
}

uint32_t ToLineNumber(uint64_t value) {
  return value <= std::numeric_limits<uint32_t>::max()
             ? static_cast<uint32_t>(value)
             : 0;
}

}  // namespace

bool PprofIds::Add(uint64_t id, uint32_t row) {
  if (Find(id)) return false;
  if (id == in_order_.size() + 1)
    in_order_.push_back(row);
  else
    others_.emplace(id, row);
  return true;
}

std::optional<uint32_t> PprofIds::Find(uint64_t id) const {
  if (id != 0 && id <= in_order_.size()) return in_order_[id - 1];
  if (others_.empty()) return std::nullopt;
  const auto it = others_.find(id);
  return it == others_.end() ? std::nullopt : std::optional(it->second);
}

PprofCounts CountFields(std::string_view bytes) {
  using enum ProfileFields::Number;
  PprofCounts counts;
  WireCursor cursor(bytes, 0);
  while (const auto field = cursor.Next()) {
    if (!field->has_bytes) continue;
    counts.samples += field->number == kSample;
    counts.mappings += field->number == kMapping;
    counts.functions += field->number == kFunction;
    counts.locations += field->number == kLocation;
    counts.strings += field->number == kStringTable;
  }
  counts.problem = cursor.problem();
  return counts;
}

AddressSpace PprofTables::MappingMessage::Space() const {
  if (start == 0 && file_offset == 0 && limit == kEverything)
    return AddressSpace::kFileAddress;
  if (start == 0 && file_offset == 0 && limit == 0)
    return AddressSpace::kUnknown;
  return AddressSpace::kFileOffset;
}

bool PprofTables::MappingMessage::IsFile(const Profile& profile) const {
  return IsDiskPath(profile.String(filename));
}

PprofTables::PprofTables(std::string_view bytes, const std::string& name,
                         ProfileBuilder& builder, Diagnostics& diagnostics)
    : bytes_(bytes),
      name_(name),
      builder_(builder),
      diagnostics_(diagnostics) {}

void PprofTables::WarnOfDamage(std::string text) {
  if (first_damage_.empty()) first_damage_ = text;
  diagnostics_.Warn(WarningKind::kDamagedProfile,
                    fmt::format("{}: {}", name_, text));
}

void PprofTables::Read(const PprofCounts& counts) {
  using enum ProfileFields::Number;
  Profile& profile = builder_.profile();
  string_offsets_.reserve(counts.strings);
  ForEach(bytes_, kStringTable, [this](const WireField& field) {
    string_offsets_.push_back(static_cast<uint32_t>(field.start));
  });
  interned_.resize(string_offsets_.size());
  mapping_messages_.reserve(counts.mappings);
  ForEach(bytes_, kMapping,
          [this](const WireField& field) { ReadMapping(field); });
  SetProgram();
  function_ids_.Reserve(counts.functions);
  profile.functions.reserve(counts.functions + 1);
  ForEach(bytes_, kFunction,
          [this](const WireField& field) { ReadFunction(field); });
  location_ids_.Reserve(counts.locations);
  profile.locations.reserve(counts.locations + 1);
  ForEach(bytes_, kLocation,
          [this](const WireField& field) { ReadLocation(field); });
}

std::optional<std::string_view> PprofTables::FindString(uint64_t index) const {
  if (index >= string_offsets_.size()) return std::nullopt;
  const uint32_t offset = string_offsets_[index];
  WireCursor cursor(bytes_.substr(offset), offset);
  const auto field = cursor.Next();
  return field ? std::optional(field->bytes) : std::nullopt;
}

StringId PprofTables::StringOf(uint64_t index, uint64_t offset) {
  if (index == 0) return {};
  const auto text = FindString(index);
  if (!text) {
    WarnOfDamage(fmt::format(
        "byte {}: expected a string, found index {} in a table of {}", offset,
        index, string_offsets_.size()));
    return {};
  }
  StringId& id = interned_[index];
  if (id.IsNone()) id = builder_.InternString(*text);
  return id;
}

template <typename Reader>
bool PprofTables::ReadNumbers(const WireField& message, Reader read) {
  WireCursor cursor(message.bytes, message.offset);
  while (const auto part = cursor.Next())
    if (!part->has_bytes) read(*part);
  if (cursor.problem().empty()) return true;
  WarnOfDamage(cursor.problem());
  return false;
}

void PprofTables::ReadMapping(const WireField& field) {
  using enum MappingFields::Number;
  MappingMessage message;
  uint64_t id = 0;
  const bool is_whole = ReadNumbers(field, [&](const WireField& part) {
    const uint64_t value = part.value;
    if (part.number == kId) id = value;
    if (part.number == kStart) message.start = value;
    if (part.number == kLimit) message.limit = value;
    if (part.number == kFileOffset) message.file_offset = value;
    if (part.number == kFilename)
      message.filename = StringOf(value, part.offset);
    if (part.number == kBuildId)
      message.build_id = StringOf(value, part.offset);
    if (part.number == kHasFunctions) message.has_functions = value != 0;
  });
  if (!is_whole) return;
  Profile& profile = builder_.profile();
  message.filename = builder_.InternString(std::string(WithoutRecorderFolder(
      WithoutDeletedMark(profile.String(message.filename)))));
  // Keep only build ids in hexadecimal. Any other build id is Go's own, by
  // which no ELF file can be found.
  const std::string build_id = LowerCase(profile.String(message.build_id));
  message.build_id = builder_.InternString(IsAllHex(build_id) ? build_id : "");
  message.ordinal = ++ordinals_[{message.filename, message.build_id}];
  if (!mapping_ids_.Add(id, static_cast<uint32_t>(mapping_messages_.size())))
    return WarnOfDamage(
        fmt::format("byte {}: a second mapping with id {}", field.offset, id));
  mapping_messages_.push_back(message);
}

// By convention the first mapping is the program's, but not every writer
// follows it. Files of the same name are other versions of the program, which
// heapprof and pprof merge into one profile.
void PprofTables::SetProgram() {
  Profile& profile = builder_.profile();
  std::vector<std::string_view> paths;
  for (const MappingMessage& message : mapping_messages_)
    paths.push_back(message.IsFile(profile) ? profile.String(message.filename)
                                            : std::string_view());
  const auto program = FindProgram(paths);
  if (!program) return;
  profile.main_binary = mapping_messages_[*program].filename;
  std::set<StringId> others;
  for (size_t i = 0; i < paths.size(); ++i)
    if (const StringId file = mapping_messages_[i].filename;
        BaseName(paths[i]) == BaseName(paths[*program]) &&
        file != profile.main_binary && others.insert(file).second)
      profile.other_programs.push_back(file);
}

void PprofTables::ReadFunction(const WireField& field) {
  using enum FunctionFields::Number;
  Function function;
  uint64_t id = 0;
  const bool is_whole = ReadNumbers(field, [&](const WireField& part) {
    const uint64_t value = part.value;
    if (part.number == kId) id = value;
    if (part.number == kName) function.name = StringOf(value, part.offset);
    if (part.number == kSystemName)
      function.system_name = StringOf(value, part.offset);
    if (part.number == kFilename)
      function.filename = StringOf(value, part.offset);
    if (part.number == kStartLine) function.start_line = ToLineNumber(value);
  });
  if (!is_whole) return;
  if (function.name.IsNone()) function.name = function.system_name;
  if (function.system_name == function.name) function.system_name = {};
  if (!function_ids_.Add(id, builder_.InternFunction(function).value))
    WarnOfDamage(
        fmt::format("byte {}: a second function with id {}", field.offset, id));
}

std::optional<Line> PprofTables::ReadLine(const WireField& field) {
  using enum LineFields::Number;
  Line line;
  uint64_t id = 0;
  const bool is_whole = ReadNumbers(field, [&](const WireField& part) {
    if (part.number == kFunctionId) id = part.value;
    if (part.number == kLineNumber) line.line = ToLineNumber(part.value);
    if (part.number == kColumn) line.column = ToLineNumber(part.value);
  });
  if (!is_whole) return std::nullopt;
  const auto function = function_ids_.Find(id);
  if (!function) {
    WarnOfDamage(
        fmt::format("byte {}: no function has id {}", field.offset, id));
    return std::nullopt;
  }
  line.function = {*function};
  const Profile& profile = builder_.profile();
  const bool has_name = !profile.functions[*function].name.IsNone();
  return has_name ? std::optional(line) : std::nullopt;
}

void PprofTables::ReadLocation(const WireField& field) {
  using enum LocationFields::Number;
  Location location = {.is_return_address = false};
  uint64_t id = 0;
  uint64_t mapping_id = 0;
  bool all_lines = true;
  lines_.clear();
  WireCursor cursor(field.bytes, field.offset);
  while (const auto part = cursor.Next()) {
    if (part->has_bytes) {
      if (part->number != kLine) continue;
      const auto line = ReadLine(*part);
      all_lines &= line.has_value();
      if (line) lines_.push_back(*line);
      continue;
    }
    if (part->number == kId) id = part->value;
    if (part->number == kMappingId) mapping_id = part->value;
    if (part->number == kAddress) location.address = part->value;
  }
  if (!cursor.problem().empty()) return WarnOfDamage(cursor.problem());
  PlaceLocation(mapping_id, field.offset, location);
  // If one line cannot be used, use none: an incomplete chain of inlined calls
  // would be wrong.
  if (all_lines) location.lines = builder_.AddLines(lines_);
  const auto mapping = mapping_ids_.Find(mapping_id);
  if (IsPlaceholder(location,
                    mapping && mapping_messages_[*mapping].has_functions)) {
    Profile& profile = builder_.profile();
    profile.functions[lines_.front().function.index()].unresolved = true;
  }
  const LocationId row = builder_.AddLocation(location);
  if (!location_ids_.Add(id, row.value))
    WarnOfDamage(
        fmt::format("byte {}: a second location with id {}", field.offset, id));
}

// True if a location has only one function, whose name is just an address, and
// its mapping is not marked as having functions. Then the program that wrote
// the profile did not find the name of the function.
bool PprofTables::IsPlaceholder(const Location& location,
                                bool has_functions) const {
  if (has_functions || location.lines.count != 1) return false;
  const Profile& profile = builder_.profile();
  const Line& line = profile.lines[location.lines.first];
  const Function& function = profile.functions[line.function.index()];
  return line.line == 0 && function.filename.IsNone() &&
         StandsForAddress(profile.String(function.name));
}

void PprofTables::PlaceLocation(uint64_t mapping_id, uint64_t offset,
                                Location& location) {
  location.module_address = location.address;
  if (mapping_id == 0) return;
  const auto row = mapping_ids_.Find(mapping_id);
  if (!row) {
    return WarnOfDamage(
        fmt::format("byte {}: no mapping has id {}", offset, mapping_id));
  }
  const MappingMessage& message = mapping_messages_[*row];
  const Profile& profile = builder_.profile();
  // As heapprof's --proto writes it.
  if (profile.String(message.filename) == kNoMapping) return;
  if (message.Space() == AddressSpace::kFileOffset && location.address != 0) {
    if (location.address < message.start || location.address >= message.limit) {
      return WarnOfDamage(fmt::format(
          "byte {}: expected an address of mapping {}, {:#x} to {:#x}, found "
          "{:#x}",
          offset, mapping_id, message.start, message.limit, location.address));
    }
    // In memory that is neither a file nor a special region such as "[vdso]",
    // the module address is the runtime address.
    if (message.IsFile(profile) ||
        profile.String(message.filename).starts_with('['))
      location.module_address =
          location.address - message.start + message.file_offset;
  }
  location.mapping = MappingOf(message);
}

MappingId PprofTables::MappingOf(const MappingMessage& message) {
  const AddressSpace space = message.Space();
  const bool apart = space == AddressSpace::kUnknown;
  const uint32_t ordinal = apart ? message.ordinal : 0;
  auto [it, added] = mappings_.try_emplace(
      {message.filename, message.build_id, space, ordinal});
  if (added) {
    const bool is_file = message.IsFile(builder_.profile());
    const StringId filename = message.filename.IsNone()
                                  ? builder_.InternString(kAnonymousMapping)
                                  : message.filename;
    it->second = builder_.AddMapping({.start = message.start,
                                      .limit = message.limit,
                                      .file_offset = message.file_offset,
                                      .filename = filename,
                                      .build_id = message.build_id,
                                      .is_file = is_file,
                                      .address_space = space,
                                      .segment = ordinal});
  }
  Mapping& mapping = builder_.profile().mappings[it->second.index()];
  if (message.start < mapping.start) {
    mapping.start = message.start;
    mapping.file_offset = message.file_offset;
  }
  mapping.limit = std::max(mapping.limit, message.limit);
  return it->second;
}

std::optional<LocationId> PprofTables::FindLocation(uint64_t id) const {
  const auto row = location_ids_.Find(id);
  return row ? std::optional(LocationId{*row}) : std::nullopt;
}

}  // namespace heapprof
