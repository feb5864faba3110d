// SPDX-License-Identifier: Apache-2.0
#include "report/flame_data.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "heapprof/base/hash.h"
#include "heapprof/base/printable.h"
#include "report/json_values.h"
#include "report/valid_utf8.h"

namespace heapprof {
namespace {

// Returns `text` as a string of JSON that does not end a CDATA section.
std::string Quoted(std::string_view text) {
  std::string quoted;
  for (const char c : QuotedJson(ValidUtf8(Printable(text)))) {
    if (c == '>')
      quoted += "\\u003e";
    else
      quoted += c;
  }
  return quoted;
}

class DataWriter {
 public:
  DataWriter(const FrameTree& tree, const FlameGraph& graph,
             const FlameColors& colors, ByteSink& out)
      : tree_(tree), graph_(graph), colors_(colors), out_(out) {}

  void Write(const FlamegraphOptions& options) {
    out_.Append("{");
    ChooseLabels();
    WriteLabels();
    WriteFrames();
    if (graph_.is_comparison) WriteChanges();
    if (graph_.frames.front().interval) WriteErrors();
    if (!tree_.sample_columns.empty()) WriteSamples();
    WriteOthers();
    WriteOptions(options);
    out_.Append("}");
  }

 private:
  static bool HasLabel(const FlameFrame& frame) {
    return frame.depth != 0 && !frame.IsOthers();
  }

  // Numbers the labels of frames. Others may have labels that nothing shows.
  void ChooseLabels() {
    numbers_.resize(tree_.labels.size(), -1);
    for (const FlameFrame& frame : graph_.frames)
      if (HasLabel(frame)) numbers_[frame.label] = 0;
    for (uint32_t label = 0; label < numbers_.size(); ++label) {
      if (numbers_[label] < 0) continue;
      numbers_[label] = static_cast<int64_t>(labels_.size());
      labels_.push_back(label);
    }
  }

  // Writes the member `key`: an array of what `text_of` returns for each
  // element of `elements`.
  template <typename Elements, typename TextOf>
  void WriteArray(std::string_view key, const Elements& elements,
                  TextOf text_of) {
    out_.Format("\"{}\":[", key);
    std::string_view separator;
    for (const auto& element : elements) {
      out_.Format("{}{}", separator, text_of(element));
      separator = ",";
    }
    out_.Append("],\n");
  }

  void WriteLabels() {
    const auto& labels = tree_.labels;
    WriteArray("names", labels_,
               [&](uint32_t i) { return Quoted(labels[i].name); });
    WriteArray("short", labels_, [&](uint32_t i) {
      const TreeLabel& label = labels[i];
      return label.short_name == label.name ? "0" : Quoted(label.short_name);
    });
    std::vector<std::string> modules;
    std::unordered_map<std::string, size_t, RandomHash> known;
    for (const uint32_t label : labels_)
      if (known.try_emplace(labels[label].module, modules.size()).second)
        modules.push_back(labels[label].module);
    WriteArray("modules", modules, Quoted);
    WriteArray("module", labels_,
               [&](uint32_t i) { return known.at(labels[i].module); });
    WriteArray("color", labels_,
               [&](uint32_t i) { return colors_.ClassOf(i); });
    WriteArray("own", labels_,
               [&](uint32_t i) { return labels[i].is_own ? 1 : 0; });
  }

  void WriteFrames() {
    WriteArray("label", graph_.frames, [&](const FlameFrame& frame) {
      return HasLabel(frame) ? numbers_[frame.label] : -1;
    });
    WriteArray("depth", graph_.frames,
               [](const FlameFrame& frame) { return frame.depth; });
    WriteArray("now", graph_.frames,
               [](const FlameFrame& frame) { return frame.self.now; });
  }

  void WriteChanges() {
    WriteArray("before", graph_.frames,
               [](const FlameFrame& frame) { return frame.self.base; });
    std::vector<size_t> changed;
    for (size_t i = 0; i < graph_.frames.size(); ++i)
      if (graph_.frames[i].change != FrameChange::kNone) changed.push_back(i);
    WriteArray("changed", changed, [](size_t i) { return i; });
    if (graph_.strictness)
      out_.Format("\"strictness\":{},\n", *graph_.strictness);
  }

  void WriteErrors() {
    const auto value_of = [&](const FlameFrame& frame) {
      const int64_t base = graph_.is_comparison ? frame.total.base : 0;
      return static_cast<double>(frame.total.now - base);
    };
    WriteArray("below", graph_.frames, [&](const FlameFrame& frame) {
      return std::round(value_of(frame) - frame.interval->lower);
    });
    WriteArray("above", graph_.frames, [&](const FlameFrame& frame) {
      return std::round(frame.interval->upper - value_of(frame));
    });
  }

  void WriteSamples() {
    WriteArray("samples", graph_.frames,
               [](const FlameFrame& frame) { return frame.samples; });
  }

  void WriteOthers() {
    std::vector<std::pair<size_t, uint32_t>> others;
    for (size_t i = 0; i < graph_.frames.size(); ++i)
      if (graph_.frames[i].IsOthers())
        others.emplace_back(i, graph_.frames[i].others);
    WriteArray("others", others, [](const auto& entry) {
      return fmt::format("[{},{}]", entry.first, entry.second);
    });
  }

  void WriteOptions(const FlamegraphOptions& options) {
    constexpr std::string_view kUnits[] = {"auto", "B", "objects"};
    out_.Format(
        "\"unit\":\"{}\",\"side\":{},\"inverted\":{},\"fixed\":{},"
        "\"least\":{},\"levels\":{}",
        kUnits[static_cast<size_t>(options.unit)],
        static_cast<size_t>(options.boxes.side), options.is_inverted,
        options.is_width_fixed, options.boxes.min_width,
        options.boxes.most_levels);
  }

  const FrameTree& tree_;
  const FlameGraph& graph_;
  const FlameColors& colors_;
  ByteSink& out_;
  std::vector<uint32_t> labels_;  // those that frames have
  std::vector<int64_t> numbers_;  // by label: its index in `labels_`, or -1
};

}  // namespace

void WriteFlameData(const FrameTree& tree, const FlameGraph& graph,
                    const FlamegraphOptions& options, const FlameColors& colors,
                    ByteSink& out) {
  DataWriter(tree, graph, colors, out).Write(options);
}

}  // namespace heapprof
