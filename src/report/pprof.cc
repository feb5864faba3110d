// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/pprof.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include "heapprof/io/gzip.h"
#include "heapprof/view/whole_values.h"
#include "profile.pb.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

struct MetricName {
  Metric metric;
  const char* type;
  const char* unit;
};
// In the order of Go's heap profiles. Readers use the last as default.
constexpr MetricName kMetrics[] = {
    {Metric::kAllocObjects, "alloc_objects", "count"},
    {Metric::kAllocSpace, "alloc_space", "bytes"},
    {Metric::kInuseObjects, "inuse_objects", "count"},
    {Metric::kInuseSpace, "inuse_space", "bytes"},
};

class Writer {
 public:
  Writer(const Profile& profile, const PprofOptions& options)
      : profile_(profile), options_(options) {}

  Result<std::string> Write() {
    String("");
    WriteHeader();
    for (const Sample& sample : profile_.samples) WriteSample(sample);
    SetMappingFlags();
    if (out_.ByteSizeLong() >
        static_cast<size_t>(std::numeric_limits<int>::max())) {
      return Fail(ErrorKind::kIo,
                  "the profile is larger than the pprof format allows (2 GiB)");
    }
    return Gzip(out_.SerializeAsString());
  }

 private:
  int64_t String(std::string_view text) {
    auto [it, added] =
        strings_.try_emplace(std::string(text), out_.string_table_size());
    if (added) out_.add_string_table(ValidUtf8(text));
    return it->second;
  }
  int64_t String(StringId id) { return String(profile_.String(id)); }

  void WriteHeader() {
    for (const MetricName& m : kMetrics) {
      if (IsAccumulated(m.metric) ? !profile_.has_accumulated
                                  : !profile_.has_inuse)
        continue;
      if (IsObjectCount(m.metric) && !profile_.has_object_counts) continue;
      metrics_.push_back(m.metric);
      auto* type = out_.add_sample_type();
      type->set_type(String(m.type));
      type->set_unit(String(m.unit));
      if (m.metric == options_.default_metric)
        out_.set_default_sample_type(type->type());
    }
    out_.mutable_period_type()->set_type(String("space"));
    out_.mutable_period_type()->set_unit(String("bytes"));
    out_.set_period(static_cast<int64_t>(profile_.sampling_period));
    constexpr int64_t kNanosPerSecond = 1'000'000'000;
    out_.set_time_nanos(profile_.time_seconds * kNanosPerSecond);
    for (const std::string& comment : options_.comments)
      out_.add_comment(String(comment));
    // The program comes first: readers use the file of mapping 1 as their
    // title.
    for (uint32_t i = 1; i < profile_.mappings.size(); ++i)
      if (profile_.mappings[i].filename == profile_.main_binary) {
        MappingOf(MappingId{i});
        break;
      }
  }

  void WriteSample(const Sample& sample) {
    std::vector<int64_t> values;
    for (Metric metric : metrics_) {
      WholeValues& whole =
          whole_[static_cast<size_t>(sample.side)][static_cast<size_t>(metric)];
      const int64_t value = whole.Next(sample.values[metric].value);
      values.push_back(sample.side == Side::kBase ? -value : value);
    }
    if (std::ranges::all_of(values, [](int64_t v) { return v == 0; })) return;
    auto* out = out_.add_sample();
    for (LocationId frame : profile_.StackFrames(sample.stack))
      out->add_location_id(LocationOf(frame));
    for (int64_t value : values) out->add_value(value);
    if (sample.side == Side::kBase) AddLabel("pprof::base", "true", *out);
    if (sample.lifetime != Lifetime::kUnknown)
      AddLabel("lifetime", LifetimeName(sample.lifetime), *out);
  }

  template <typename OutSample>
  void AddLabel(std::string_view key, std::string_view value, OutSample& out) {
    auto* label = out.add_label();
    label->set_key(String(key));
    label->set_str(String(value));
  }

  uint64_t LocationOf(LocationId id) {
    auto [it, added] = locations_.try_emplace(
        id.value, static_cast<uint64_t>(out_.location_size()) + 1);
    if (!added) return it->second;
    const Location& location = profile_.locations[id.index()];
    const uint64_t mapping_id = MappingOf(location.mapping);
    auto* out = out_.add_location();
    out->set_id(it->second);
    out->set_mapping_id(mapping_id);
    const Mapping& mapping = profile_.mappings[location.mapping.index()];
    const bool at_runtime = mapping.address_space == AddressSpace::kFileOffset;
    out->set_address(CallSiteAddress(
        location, at_runtime ? location.address : location.module_address));
    const auto lines = profile_.LocationLines(location);
    MappingFlags& flags = mapping_flags_[mapping_id - 1];
    flags.occurs = true;
    flags.all_named &= !lines.empty();
    for (const Line& line : lines) {
      auto* out_line = out->add_line();
      out_line->set_function_id(FunctionOf(line.function));
      out_line->set_line(line.line);
      out_line->set_column(line.column);
      const Function& function = profile_.functions[line.function.index()];
      flags.all_named &= !function.unresolved;
      flags.all_files &= !function.filename.IsNone();
      flags.all_lines &= line.line != 0;
    }
    return it->second;
  }

  uint64_t FunctionOf(FunctionId id) {
    auto [it, added] = functions_.try_emplace(
        id.value, static_cast<uint64_t>(out_.function_size()) + 1);
    if (!added) return it->second;
    const Function& function = profile_.functions[id.index()];
    auto* out = out_.add_function();
    out->set_id(it->second);
    out->set_name(String(function.name));
    out->set_system_name(String(function.system_name));
    out->set_filename(String(function.filename));
    out->set_start_line(function.start_line);
    return it->second;
  }

  uint64_t MappingOf(MappingId id) {
    auto [it, added] = mappings_.try_emplace(
        id.value, static_cast<uint64_t>(out_.mapping_size()) + 1);
    if (!added) return it->second;
    const Mapping& mapping = profile_.mappings[id.index()];
    auto* out = out_.add_mapping();
    mapping_flags_.emplace_back();
    out->set_id(it->second);
    out->set_filename(id.IsNone() ? String("[unknown]")
                                  : String(mapping.filename));
    out->set_build_id(String(mapping.build_id));
    if (mapping.address_space == AddressSpace::kFileAddress || id.IsNone()) {
      // Addresses are file addresses, and the mapping covers all of them, so
      // that profiles of two processes can be merged.
      out->set_memory_limit(std::numeric_limits<uint64_t>::max());
    } else if (mapping.address_space == AddressSpace::kFileOffset) {
      out->set_memory_start(mapping.start);
      out->set_memory_limit(mapping.limit);
      out->set_file_offset(mapping.file_offset);
    }
    return it->second;
  }

  // A reader that sees has_functions never looks for names again, so it is set
  // only if every address has a name.
  void SetMappingFlags() {
    for (size_t i = 0; i < mapping_flags_.size(); ++i) {
      auto* mapping = out_.mutable_mapping(static_cast<int>(i));
      const MappingFlags& flags = mapping_flags_[i];
      const bool named = flags.occurs && flags.all_named;
      mapping->set_has_functions(named);
      mapping->set_has_filenames(named && flags.all_files);
      mapping->set_has_line_numbers(named && flags.all_lines);
      mapping->set_has_inline_frames(named && flags.all_lines);
    }
  }

  // Properties that all locations of a mapping have.
  struct MappingFlags {
    bool occurs = false;
    bool all_named = true;
    bool all_files = true;
    bool all_lines = true;
  };

  const Profile& profile_;
  const PprofOptions& options_;
  pprof::Profile out_;
  std::vector<Metric> metrics_;
  WholeValues whole_[2][kMetricCount];       // by side, each with its own total
  std::vector<MappingFlags> mapping_flags_;  // by out_.mapping
  std::unordered_map<std::string, int> strings_;
  std::unordered_map<uint32_t, uint64_t> locations_;
  std::unordered_map<uint32_t, uint64_t> functions_;
  std::unordered_map<uint32_t, uint64_t> mappings_;
};

}  // namespace

Result<std::string> WritePprof(const Profile& profile,
                               const PprofOptions& options) {
  return Writer(profile, options).Write();
}

}  // namespace heapprof
