// SPDX-License-Identifier: Apache-2.0
#include "report/pprof_tables.h"

#include <limits>

#include "heapprof/base/hash.h"
#include "heapprof/profile/mapping_names.h"
#include "heapprof/profile/pprof_fields.h"

namespace heapprof {
namespace {

// The field of each row that has its id.
constexpr uint32_t kId = 1;

}  // namespace

uint32_t PprofRows::IdOf(std::string_view fields) {
  const uint32_t id = index_.FindOrAdd(
      HashOfText(fields), ends_.size() + 1,
      [&](uint32_t known) { return FieldsOf(known) == fields; });
  if (id > ends_.size()) {
    fields_ += fields;
    ends_.push_back(fields_.size());
  }
  return id;
}

void PprofRows::Write(
    uint32_t field, WireFile& out,
    const std::function<void(uint32_t id, WireMessage& row)>& complete) const {
  WireMessage row;
  for (uint32_t id = 1; id <= ends_.size(); ++id) {
    row.Clear();
    row.AddNumber(kId, uint64_t{id});
    row.AddFields(FieldsOf(id));
    if (complete) complete(id, row);
    out.AddBytes(field, row.bytes());
  }
}

PprofTableWriter::PprofTableWriter(const Profile& profile,
                                   PprofStrings& strings)
    : profile_(profile),
      strings_(strings),
      location_ids_(profile.locations.size()),
      function_ids_(profile.functions.size()),
      mapping_ids_(profile.mappings.size()) {}

uint32_t PprofTableWriter::AddLocation(LocationId id) {
  using enum LocationFields::Number;
  const Location& location = profile_.locations[id.index()];
  const Mapping& mapping = profile_.mappings[location.mapping.index()];
  const bool at_runtime = mapping.address_space == AddressSpace::kFileOffset;
  const uint32_t mapping_id = IdOf(location.mapping);
  WireMessage row;
  row.AddNumber(kMappingId, uint64_t{mapping_id});
  row.AddNumber(kAddress, CallSiteAddress(
                              location, at_runtime ? location.address
                                                   : location.module_address));
  const auto lines = profile_.LocationLines(location);
  MappingFlags& flags = mapping_flags_[mapping_id - 1];
  flags.occurs = true;
  flags.all_named &= !lines.empty();
  for (const Line& line : lines) AddLine(line, flags, row);
  return location_ids_[id.index()] = locations_.IdOf(row.bytes());
}

void PprofTableWriter::AddLine(const Line& line, MappingFlags& flags,
                               WireMessage& location) {
  using enum LineFields::Number;
  WireMessage row;
  row.AddNumber(kFunctionId, uint64_t{IdOf(line.function)});
  row.AddNumber(kLineNumber, uint64_t{line.line});
  row.AddNumber(kColumn, uint64_t{line.column});
  location.AddBytes(LocationFields::kLine, row.bytes());
  const Function& function = profile_.functions[line.function.index()];
  flags.all_named &= !function.unresolved;
  flags.all_files &= !function.filename.IsNone();
  flags.all_lines &= line.line != 0;
}

uint32_t PprofTableWriter::IdOf(FunctionId id) {
  using enum FunctionFields::Number;
  uint32_t& known = function_ids_[id.index()];
  if (known != 0) return known;
  const Function& function = profile_.functions[id.index()];
  WireMessage row;
  row.AddNumber(kName, strings_.IndexOf(function.name));
  row.AddNumber(kSystemName, strings_.IndexOf(function.system_name));
  row.AddNumber(kFilename, strings_.IndexOf(function.filename));
  row.AddNumber(kStartLine, uint64_t{function.start_line});
  return known = functions_.IdOf(row.bytes());
}

uint32_t PprofTableWriter::IdOf(MappingId id) {
  using enum MappingFields::Number;
  uint32_t& known = mapping_ids_[id.index()];
  if (known != 0) return known;
  const Mapping& mapping = profile_.mappings[id.index()];
  WireMessage row;
  if (mapping.address_space == AddressSpace::kFileAddress || id.IsNone()) {
    // Locations have file addresses here, so that the profiles of two processes
    // can be merged. Locations outside any file may have any address. The
    // mapping must cover all these addresses.
    row.AddNumber(kLimit, std::numeric_limits<uint64_t>::max());
  } else if (mapping.address_space == AddressSpace::kFileOffset) {
    row.AddNumber(kStart, mapping.start);
    row.AddNumber(kLimit, mapping.limit);
    row.AddNumber(kFileOffset, mapping.file_offset);
  }
  row.AddNumber(kFilename, id.IsNone() ? strings_.IndexOf(kNoMapping)
                                       : strings_.IndexOf(mapping.filename));
  row.AddNumber(kBuildId, strings_.IndexOf(mapping.build_id));
  known = mappings_.IdOf(row.bytes());
  mapping_flags_.resize(mappings_.size());
  return known;
}

// Sets has_functions only if every address of the mapping has a name, because
// readers do not look up names in mappings with this flag.
void PprofTableWriter::AddFlags(const MappingFlags& flags,
                                WireMessage& mapping) const {
  using enum MappingFields::Number;
  const bool named = flags.occurs && flags.all_named;
  const bool lines = named && flags.all_lines;
  mapping.AddNumber(kHasFunctions, uint64_t{named});
  mapping.AddNumber(kHasFilenames, uint64_t{named && flags.all_files});
  mapping.AddNumber(kHasLineNumbers, uint64_t{lines});
  mapping.AddNumber(kHasInlineFrames, uint64_t{lines});
}

void PprofTableWriter::Write(WireFile& out) const {
  using enum ProfileFields::Number;
  mappings_.Write(kMapping, out, [this](uint32_t id, WireMessage& row) {
    AddFlags(mapping_flags_[id - 1], row);
  });
  locations_.Write(kLocation, out);
  functions_.Write(kFunction, out);
}

}  // namespace heapprof
