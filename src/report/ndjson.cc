// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/ndjson.h"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "heapprof/view/metric_words.h"
#include "report/json_values.h"

namespace heapprof {
namespace {

std::string NumberOrNull(const std::optional<uint64_t>& number) {
  return number ? fmt::to_string(*number) : "null";
}

// Names are long, and most are in many rows, so that each is quoted once.
std::vector<std::string> AllQuotedJson(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const std::string& text : texts) quoted.push_back(QuotedJson(text));
  return quoted;
}

class RowWriter {
 public:
  RowWriter(const Profile& profile, const StackMeasures& measures,
            const DumpColumns& columns, ByteSink& out)
      : profile_(profile),
        stacks_(measures.stacks),
        labels_(AllQuotedJson(measures.stacks.labels)),
        places_(AllQuotedJson(measures.places)),
        start_(StartOf(columns)),
        all_threads_(fmt::format("\"thread\":{},\"thread_uid\":null,",
                                 QuotedJson(columns.thread))),
        end_(EndOf(columns)),
        out_(out) {}

  void Write(const StackMeasure& row) {
    out_.Append(start_);
    WriteThread(row.thread);
    out_.Format("\"metric\":\"{}\",\"value\":{}", MetricName(row.metric),
                row.value);
    if (row.interval) {
      const auto [lower, upper] = WholeBounds(*row.interval);
      out_.Format(",\"lower\":{},\"upper\":{}", lower, upper);
    } else {
      out_.Append(",\"lower\":null,\"upper\":null");
    }
    if (row.samples)
      out_.Format(",\"samples\":{}", *row.samples);
    else
      out_.Append(",\"samples\":null");
    const auto frames = stacks_.FramesOf(stacks_.rows[row.stack]);
    WriteList("frames", frames, labels_);
    WriteList("places", frames, places_);
    out_.Append(end_);
  }

 private:
  // Returns what each row begins with.
  static std::string StartOf(const DumpColumns& columns) {
    const auto host = std::ranges::find(
        columns.labels, "host", &std::pair<std::string, std::string>::first);
    return fmt::format(
        "{{\"v\":{},\"dump\":{},\"time\":{},\"host\":{},\"pid\":{},"
        "\"sequence\":{},\"program\":{},\"build_id\":{},",
        kRowVersion, QuotedJson(columns.dump),
        columns.time_seconds == 0 ? "null"
                                  : fmt::to_string(columns.time_seconds),
        host == columns.labels.end() ? "\"\"" : QuotedJson(host->second),
        NumberOrNull(columns.pid), NumberOrNull(columns.sequence),
        QuotedJson(columns.program), QuotedJson(columns.build_id));
  }

  static std::string EndOf(const DumpColumns& columns) {
    std::string end;
    for (const auto& [key, value] : columns.labels)
      if (key != "host")
        end += fmt::format(",\"{}\":{}", key, QuotedJson(value));
    return end + "}\n";
  }

  void WriteThread(ThreadId id) {
    if (id.IsNone()) return out_.Append(all_threads_);
    const Thread& thread = profile_.threads[id.index()];
    const std::string_view name = profile_.String(thread.name);
    out_.Format("\"thread\":{},\"thread_uid\":{},",
                QuotedJson(name.empty() ? fmt::to_string(thread.uid) : name),
                thread.uid);
  }

  void WriteList(std::string_view name, std::span<const uint32_t> frames,
                 const std::vector<std::string>& texts) {
    out_.Format(",\"{}\":", name);
    char separator = '[';
    for (const uint32_t frame : frames) {
      out_.Append({&separator, 1});
      out_.Append(texts[frame]);
      separator = ',';
    }
    out_.Append(frames.empty() ? "[]" : "]");
  }

  const Profile& profile_;
  const StackTable& stacks_;
  const std::vector<std::string> labels_;
  const std::vector<std::string> places_;
  const std::string start_;
  const std::string all_threads_;
  const std::string end_;
  ByteSink& out_;
};

}  // namespace

void WriteNdjson(const Profile& profile, const StackMeasures& measures,
                 const DumpColumns& columns, ByteSink& out) {
  RowWriter writer(profile, measures, columns, out);
  for (const StackMeasure& row : measures.rows) writer.Write(row);
}

}  // namespace heapprof
