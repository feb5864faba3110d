// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/pprof.h"

#include <algorithm>
#include <limits>
#include <string_view>
#include <unordered_map>

#include <fmt/format.h>

#include "heapprof/io/gzip.h"
#include "heapprof/profile/baseline_labels.h"
#include "heapprof/view/recorded_counts.h"
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
// The metrics, in the order of Go's heap profiles. Unless the profile names
// another default, readers show the last metric.
constexpr MetricName kMetrics[] = {
    {Metric::kAllocObjects, "alloc_objects", "count"},
    {Metric::kAllocSpace, "alloc_space", "bytes"},
    {Metric::kInuseObjects, "inuse_objects", "count"},
    {Metric::kInuseSpace, "inuse_space", "bytes"},
};

struct RecordedName {
  const char* type;
  const char* unit;
  SampledCount RecordedCounts::* count;
  uint64_t SampledCount::* value;
  bool is_accumulated;
};
// The sample types that only a baseline has. They come before the other sample
// types, because readers show the last one by default.
constexpr RecordedName kRecorded[] = {
    {"sampled_alloc_objects", "count", &RecordedCounts::accumulated,
     &SampledCount::objects, true},
    {"sampled_alloc_space", "bytes", &RecordedCounts::accumulated,
     &SampledCount::bytes, true},
    {"sampled_inuse_objects", "count", &RecordedCounts::current,
     &SampledCount::objects, false},
    {"sampled_inuse_space", "bytes", &RecordedCounts::current,
     &SampledCount::bytes, false},
};

class Writer {
 public:
  Writer(const Profile& profile, const PprofOptions& options)
      : profile_(profile),
        options_(options),
        period_(options.is_baseline ? Runs().front().sampling_period
                                    : profile.sampling_period) {}

  Result<std::string> Write() {
    String("");
    WriteHeader();
    for (const Sample& sample : profile_.samples) WriteSample(sample);
    if (options_.is_baseline)
      for (const Sample& sample : profile_.thread_samples)
        WriteThreadSample(sample);
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

  bool HasCounters(bool is_accumulated) const {
    return is_accumulated ? profile_.has_accumulated : profile_.has_inuse;
  }

  void AddType(const char* type, const char* unit) {
    auto* out = out_.add_sample_type();
    out->set_type(String(type));
    out->set_unit(String(unit));
  }

  void WriteHeader() {
    if (options_.is_baseline)
      for (const RecordedName& name : kRecorded)
        if (HasCounters(name.is_accumulated)) AddType(name.type, name.unit);
    for (const MetricName& m : kMetrics) {
      if (!HasCounters(IsAccumulated(m.metric))) continue;
      if (IsObjectCount(m.metric) && !profile_.has_object_counts) continue;
      metrics_.push_back(m.metric);
      AddType(m.type, m.unit);
      if (m.metric == options_.default_metric)
        out_.set_default_sample_type(String(m.type));
    }
    out_.mutable_period_type()->set_type(String("space"));
    out_.mutable_period_type()->set_unit(String("bytes"));
    out_.set_period(static_cast<int64_t>(period_));
    constexpr int64_t kNanosPerSecond = 1'000'000'000;
    out_.set_time_nanos(profile_.time_seconds * kNanosPerSecond);
    for (const std::string& comment : options_.comments)
      out_.add_comment(String(comment));
    if (options_.is_baseline) out_.add_comment(String(ThreadStacksComment()));
    // The program must be mapping 1, because readers show the file of mapping 1
    // as their title.
    for (uint32_t i = 1; i < profile_.mappings.size(); ++i)
      if (profile_.mappings[i].filename == profile_.main_binary) {
        MappingOf(MappingId{i});
        break;
      }
  }

  // Returns a comment for the profile with the number of thread stacks in the
  // memory map of each run.
  std::string ThreadStacksComment() const {
    std::string comment(kThreadStacksComment);
    for (const InputRun& run : Runs())
      comment += fmt::format(" {}", run.thread_stacks);
    return comment;
  }

  std::vector<InputRun> Runs() const {
    const auto side = static_cast<size_t>(Side::kNew);
    if (!profile_.runs[side].empty()) return profile_.runs[side];
    return {{.sampling_period = profile_.sampling_period,
             .thread_stacks = profile_.thread_stacks[side]}};
  }

  // Appends the counts of a sample in the dump, or zeros if they are unknown.
  void AppendRecorded(const Sample& sample,
                      std::vector<int64_t>& values) const {
    const RecordedCounts counts =
        RecordedCountsOf(sample.values, period_).value_or(RecordedCounts());
    for (const RecordedName& name : kRecorded)
      if (HasCounters(name.is_accumulated))
        values.push_back(
            static_cast<int64_t>((counts.*name.count).*name.value));
  }

  void WriteThreadSample(const Sample& sample) {
    if (sample.side == Side::kBase) return;
    std::vector<int64_t> values;
    AppendRecorded(sample, values);
    values.resize(values.size() + metrics_.size());
    if (std::ranges::all_of(values, [](int64_t v) { return v == 0; })) return;
    auto* out = AddSample(sample, values);
    const Thread& thread = profile_.threads[sample.thread.index()];
    AddLabel(kThreadUidLabel, fmt::format("{}", thread.uid), *out);
    if (!thread.name.IsNone())
      AddLabel(kThreadNameLabel, profile_.String(thread.name), *out);
    AddRun(sample, *out);
  }

  pprof::Sample* AddSample(const Sample& sample,
                           const std::vector<int64_t>& values) {
    auto* out = out_.add_sample();
    for (LocationId frame : profile_.StackFrames(sample.stack))
      out->add_location_id(LocationOf(frame));
    for (int64_t value : values) out->add_value(value);
    return out;
  }

  void AddRun(const Sample& sample, pprof::Sample& out) {
    if (profile_.runs[static_cast<size_t>(Side::kNew)].size() > 1)
      AddLabel(kRunLabel, fmt::format("{}", sample.run), out);
  }

  void WriteSample(const Sample& sample) {
    if (options_.is_baseline && sample.side == Side::kBase) return;
    std::vector<int64_t> values;
    if (options_.is_baseline) AppendRecorded(sample, values);
    for (Metric metric : metrics_) {
      WholeValues& whole =
          whole_[static_cast<size_t>(sample.side)][static_cast<size_t>(metric)];
      const int64_t value = whole.Next(sample.values[metric].value);
      values.push_back(sample.side == Side::kBase ? -value : value);
    }
    if (std::ranges::all_of(values, [](int64_t v) { return v == 0; })) return;
    auto* out = AddSample(sample, values);
    if (options_.is_baseline) AddRun(sample, *out);
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
      // Locations have file addresses here, so that the profiles of two
      // processes can be merged. Locations outside any file may have any
      // address. The mapping must cover all these addresses.
      out->set_memory_limit(std::numeric_limits<uint64_t>::max());
    } else if (mapping.address_space == AddressSpace::kFileOffset) {
      out->set_memory_start(mapping.start);
      out->set_memory_limit(mapping.limit);
      out->set_file_offset(mapping.file_offset);
    }
    return it->second;
  }

  // Sets has_functions only for mappings in which every address has a name,
  // because readers do not look up names in mappings with this flag.
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

  // Each flag says whether something is true of all locations of a mapping.
  struct MappingFlags {
    bool occurs = false;
    bool all_named = true;
    bool all_files = true;
    bool all_lines = true;
  };

  const Profile& profile_;
  const PprofOptions& options_;
  const uint64_t period_;  // in a baseline, that of the new side
  pprof::Profile out_;
  std::vector<Metric> metrics_;
  WholeValues whole_[2][kMetricCount];       // by side and metric
  std::vector<MappingFlags> mapping_flags_;  // by index of out_.mapping
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
