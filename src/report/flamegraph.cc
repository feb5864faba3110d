// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/flamegraph.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>

#include "heapprof/base/char_class.h"
#include "heapprof/base/counted.h"
#include "heapprof/base/text_columns.h"
#include "heapprof/base/unqualified_name.h"
#include "report/assets.h"
#include "report/flame_colors.h"
#include "report/flame_data.h"
#include "report/flame_text.h"
#include "report/xml_escaped.h"

namespace heapprof {
namespace {

// Lengths in pixels, as in assets/flamegraph/picture.js and style.css.
constexpr double kMargin = 10;
constexpr double kFrameHeight = 16;
constexpr double kGap = 1;  // between frames
constexpr double kHeader = 52;
constexpr double kLegend = 20;
constexpr double kTextMargin = 3;
constexpr double kBaseline = 11.5;  // below the top of a box
// Of one ASCII character; the font is monospaced. Other characters may be twice
// as wide.
constexpr double kCharWidth = 6.7;
constexpr double kTitleCharWidth = 10;
constexpr double kSummaryCharWidth = 7.4;

Side SideOf(const FlameGraph& graph) {
  const auto& total = graph.frames.front().total;
  return total.now == 0 ? Side::kBase : Side::kNew;
}

std::string Fitting(std::string_view text, double width, double char_width) {
  const auto room = static_cast<size_t>(std::max(1.0, width / char_width));
  return Shortened(text, room);
}

class SvgWriter {
 public:
  SvgWriter(const FrameTree& tree, const FlameGraph& graph,
            const FlamegraphOptions& options, ByteSink& out)
      : tree_(tree),
        graph_(graph),
        options_(options),
        colors_(tree, options.palette),
        change_colors_(graph),
        text_(graph, options.boxes.side, options.unit),
        boxes_(MakeFlameBoxes(graph, options.boxes)),
        out_(out) {
    for (const FlameBox& box : boxes_)
      levels_ = std::max(levels_, box.depth + 1);
  }

  void Write() {
    const double height = Top() + levels_ * kFrameHeight + kMargin;
    out_.Format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" "
        "height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n<title>{2}: {3}</title>\n",
        options_.width, height, XmlEscaped(Title()), XmlEscaped(Total()));
    out_.Format("<style><![CDATA[\n{}{}]]></style>\n",
                Asset("flamegraph.css").text,
                graph_.is_comparison ? ChangeColors::Rules() : colors_.Rules());
    WritePatterns();
    out_.Append("<rect id=\"page\" width=\"100%\" height=\"100%\"/>\n");
    WriteHeader();
    out_.Append("<g id=\"frames\">\n");
    for (const FlameBox& box : boxes_) WriteBox(box);
    out_.Append("</g>\n");
    WriteScripts();
    out_.Append("</svg>\n");
  }

 private:
  double Top() const { return kHeader + (graph_.is_comparison ? kLegend : 0); }

  // Where a box of this depth begins, from the top of the picture.
  double TopOf(uint32_t depth) const {
    const uint32_t level = options_.is_inverted ? depth : levels_ - 1 - depth;
    return Top() + level * kFrameHeight;
  }

  std::string Title() const {
    return options_.title.empty() ? options_.dumps.now : options_.title;
  }

  // Returns "312.6 ± 1.2 MiB live", and whether it is exact.
  std::string Total() const {
    std::string text = text_.Total();
    if (graph_.exactness == Exactness::kExact) text += ", exact";
    return text;
  }

  std::string Summary() const {
    const std::string dumps =
        options_.dumps.base.empty()
            ? options_.dumps.now
            : fmt::format("{} → {}", options_.dumps.base, options_.dumps.now);
    std::string text = fmt::format("{}: {}", dumps, Total());
    const double samples = graph_.frames.front().samples;
    if (samples != 0)
      text += ", " + Counted(static_cast<uint64_t>(samples), "sample");
    return text;
  }

  void WritePatterns() {
    constexpr std::string_view kPattern =
        "<pattern id=\"{0}\" width=\"5\" height=\"5\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate({1})\">"
        "<path class=\"hatch {0}-hatch\" d=\"M0 0V5\"/></pattern>\n";
    out_.Append("<defs>\n");
    out_.Format(fmt::runtime(kPattern), "new", 45);
    out_.Format(fmt::runtime(kPattern), "folded", 90);
    out_.Append("</defs>\n");
  }

  void WriteHeader() {
    const double width = options_.width - 2 * kMargin;
    out_.Append("<g id=\"header\">\n");
    const auto add = [&](std::string_view id, int y, double char_width,
                         const std::string& text) {
      out_.Format(
          "<text id=\"{}\" x=\"{}\" y=\"{}\" data-whole=\"{}\">{}</text>\n", id,
          kMargin, y, XmlEscaped(text),
          XmlEscaped(Fitting(text, width, char_width)));
    };
    add("title", 24, kTitleCharWidth, Title());
    add("summary", 43, kSummaryCharWidth, Summary());
    if (graph_.is_comparison) WriteLegend();
    out_.Append("</g>\n");
  }

  void WriteLegend() {
    double x = kMargin;
    const auto add = [&](std::string_view color, std::string_view overlay,
                         std::string_view text) {
      constexpr double kSize = 12, kWidthOfText = 6.8, kSpace = 18;
      out_.Format("<rect class=\"{}\" x=\"{}\" y=\"53\" {}/>", color, x,
                  "width=\"12\" height=\"12\"");
      if (!overlay.empty())
        out_.Format("<rect class=\"{}\" x=\"{}\" y=\"53\" {}/>", overlay, x,
                    "width=\"12\" height=\"12\"");
      x += kSize + 4;
      out_.Format("<text x=\"{}\" y=\"63\">{}</text>\n", x, text);
      x += kWidthOfText * static_cast<double>(Columns(text)) + kSpace;
    };
    out_.Append("<g id=\"legend\">\n");
    add(ChangeColors::kGrown, "", "grew");
    add(ChangeColors::kShrunk, "", "shrank");
    add(ChangeColors::kUnchanged, "",
        graph_.strictness ? "unchanged or may be chance" : "unchanged");
    add(ChangeColors::kGrownInside, "", "leads to a change");
    add(ChangeColors::kUnchanged, "new", "new");
    out_.Append("</g>\n");
  }

  const FlameFrame& FrameOf(const FlameBox& box) const {
    return box.kind == BoxKind::kFrame ? graph_.frames[box.frame] : box.sum;
  }

  std::string ColorOf(const FlameBox& box) const {
    if (graph_.is_comparison)
      return box.kind == BoxKind::kFrame ? change_colors_.ClassOf(box.frame)
                                         : change_colors_.ClassOf(box.sum);
    if (box.kind != BoxKind::kFrame || box.frame == 0) return "n";
    return fmt::format("c{}", colors_.ClassOf(graph_.frames[box.frame].label));
  }

  std::string_view OverlayOf(const FlameBox& box) const {
    if (box.kind != BoxKind::kFrame) return "folded";
    return FrameOf(box).is_new ? "new" : "";
  }

  std::string NameOf(const FlameBox& box) const {
    const uint32_t others = box.sum.others;
    if (box.kind == BoxKind::kOthers) return Counted(others, "other frame");
    if (box.kind == BoxKind::kDeeper) return Counted(others, "deeper frame");
    if (box.frame == 0) return "all";
    return tree_.labels[graph_.frames[box.frame].label].name;
  }

  // Returns the text in a box; empty if the box is too narrow.
  std::string LabelOf(const FlameBox& box) const {
    constexpr size_t kLeast = 3;
    const double width = box.width - 2 * kTextMargin;
    if (width < kLeast * kCharWidth) return "";
    const auto room = static_cast<size_t>(width / kCharWidth);
    const std::string name = NameOf(box);
    if (CellsOf(name) <= room || box.kind != BoxKind::kFrame || box.frame == 0)
      return CutTo(room, name);
    const std::string& short_name =
        tree_.labels[graph_.frames[box.frame].label].short_name;
    return CellsOf(short_name) <= room ? short_name
                                       : CutTo(room, LastPart(short_name));
  }

  // Returns "f" for "ns::f", as lastPart() in assets/shared/names.js does. A
  // part such as "{{closure}}" says nothing alone.
  static std::string LastPart(const std::string& name) {
    const std::string_view part = UnqualifiedName(name);
    const bool is_name = !part.empty() && (IsWord(part[0]) || part[0] == '~');
    return is_name ? std::string(part) : name;
  }

  static size_t CellsOf(char c) {
    if (IsContinuationByte(c)) return 0;
    return static_cast<unsigned char>(c) < 0x80 ? 1 : 2;
  }

  static size_t CellsOf(std::string_view text) {
    size_t cells = 0;
    for (const char c : text) cells += CellsOf(c);
    return cells;
  }

  // Cuts the end of `text` if it needs more cells than there are.
  static std::string CutTo(size_t room, std::string text) {
    if (CellsOf(text) <= room) return text;
    size_t end = 0;
    for (size_t cells = CellsOf(text[0]); cells < room;
         cells += CellsOf(text[++end])) {
    }
    text.resize(end);
    return text + "…";
  }

  void WriteBox(const FlameBox& box) {
    const double y = TopOf(box.depth);
    const std::string place =
        fmt::format("x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\"",
                    kMargin + box.x, y, box.width, kFrameHeight - kGap);
    const std::string_view overlay = OverlayOf(box);
    const std::string label = LabelOf(box);
    if (!label.empty()) out_.Append("<g>");
    out_.Format("<rect class=\"{}\" {}", ColorOf(box), place);
    if (box.kind == BoxKind::kFrame) out_.Format(" data-i=\"{}\"", box.frame);
    out_.Append("/>");
    if (!overlay.empty())
      out_.Format("<rect class=\"{}\" {}/>", overlay, place);
    if (!label.empty()) WriteLabel(box, label, y);
    out_.Append("\n");
  }

  void WriteLabel(const FlameBox& box, const std::string& label, double y) {
    const bool is_own = box.kind == BoxKind::kFrame && box.frame != 0 &&
                        tree_.labels[graph_.frames[box.frame].label].is_own;
    out_.Format("<text x=\"{:.2f}\" y=\"{}\"{}>{}</text><title>{}",
                kMargin + box.x + kTextMargin, y + kBaseline,
                is_own ? " class=\"own\"" : "", XmlEscaped(label),
                XmlEscaped(NameOf(box)));
    out_.Format("\n{}</title></g>", XmlEscaped(text_.Details(FrameOf(box))));
  }

  void WriteScripts() {
    out_.Append("<script id=\"data\" type=\"application/json\"><![CDATA[\n");
    WriteFlameData(tree_, graph_, options_, colors_, out_);
    out_.Format("]]></script>\n<script><![CDATA[\n{}]]></script>\n",
                Asset("flamegraph.js").text);
  }

  const FrameTree& tree_;
  const FlameGraph& graph_;
  const FlamegraphOptions& options_;
  const FlameColors colors_;
  const ChangeColors change_colors_;
  const FlameText text_;
  const std::vector<FlameBox> boxes_;
  ByteSink& out_;
  uint32_t levels_ = 0;
};

}  // namespace

void WriteFlamegraph(const FrameTree& tree, const FlameGraph& graph,
                     const FlamegraphOptions& options, ByteSink& out) {
  FlamegraphOptions placed = options;
  placed.boxes.side = SideOf(graph);
  placed.boxes.width = options.width - 2 * kMargin;
  SvgWriter(tree, graph, placed, out).Write();
}

}  // namespace heapprof
