// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/info_text.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "heapprof/base/printable.h"
#include "heapprof/view/units.h"

namespace heapprof {
namespace {

constexpr size_t kWidth = 80;
constexpr size_t kIndent = 2;
constexpr size_t kKeyWidth = 18;

// Length of the UTF-8 sequence's share of a line: bytes that continue a
// character take no column.
size_t Columns(std::string_view text) {
  size_t columns = 0;
  for (const char c : text)
    if ((static_cast<unsigned char>(c) & 0xc0) != 0x80) ++columns;
  return columns;
}

class Writer {
 public:
  void Title(std::string_view text) {
    fmt::format_to(sink(), "{}\n", Printable(text));
  }

  // "  key   text", broken between words where it is longer than a line. A
  // word that is longer than a line, such as a path, stays whole.
  void Fact(std::string_view key, std::string_view text) {
    out_ += fmt::format("{:{}}{:{}}", "", kIndent, key, kKeyWidth);
    const std::string indent(kIndent + kKeyWidth, ' ');
    const std::string printable = Printable(text);
    size_t column = indent.size();
    bool first = true;
    for (size_t at = 0; at < printable.size();) {
      const size_t end = std::min(printable.find(' ', at), printable.size());
      const std::string_view word =
          std::string_view(printable).substr(at, end - at);
      at = end + 1;
      if (!first && column + 1 + Columns(word) > kWidth) {
        out_ += '\n' + indent;
        column = indent.size();
      } else if (!first) {
        out_ += ' ';
        ++column;
      }
      out_ += word;
      column += Columns(word);
      first = false;
    }
    EndLine();
  }

  // On a line of its own, whole, for copying.
  void Command(std::string_view command) {
    fmt::format_to(sink(), "{:{}}{}\n", "", 2 * kIndent, Printable(command));
  }

  void Blank() { out_ += '\n'; }
  std::string Finish() && { return std::move(out_); }

 private:
  std::back_insert_iterator<std::string> sink() {
    return std::back_inserter(out_);
  }
  void EndLine() {
    out_.resize(out_.find_last_not_of(' ') + 1);
    out_ += '\n';
  }

  std::string out_;
};

std::string FormatTotal(const MetricTotal& total) {
  if (IsObjectCount(total.metric)) return fmt::format("{:.0f}", total.value);
  const std::string value = FormatBytes(total.value);
  if (!total.interval) return value;
  const std::string lower = FormatBytes(total.interval->lower);
  const std::string upper = FormatBytes(total.interval->upper);
  if (lower == upper) return value;
  return fmt::format("{} ({} to {} with {:.0f} % confidence)", value, lower,
                     upper, 100 * kInfoConfidence);
}

std::string FormatPeriod(uint64_t period) {
  if (period == 0) return "not known: no error bars";
  if (period == 1) return "1 byte: every allocation was sampled";
  return fmt::format("{} bytes", period);
}

void WriteDump(const Info& info, Writer& out) {
  out.Title(info.dump.path);
  out.Fact("format", info.dump.format);
  if (!info.dump.produced_by.empty())
    out.Fact("written by", info.dump.produced_by);
  if (info.time_seconds != 0)
    out.Fact("written at", fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                                       fmt::gmtime(info.time_seconds)));
  out.Fact("sampling period", FormatPeriod(info.sampling_period));
  out.Fact("memory map", info.has_memory_map ? "yes" : "none");
  if (info.is_symbolized) out.Fact("names", "in the file");
  out.Fact("stacks", fmt::format("{}", info.stacks));
  out.Fact("threads", fmt::format("{}", info.threads));
  for (const MetricTotal& total : info.totals)
    out.Fact(MetricName(total.metric), FormatTotal(total));
  for (const std::string& file : info.dump.useless_files)
    out.Fact("does not fit", file);
}

std::string FormatBuildId(const ModuleFacts& facts) {
  const std::string found = facts.build_id.empty() ? "none" : facts.build_id;
  if (facts.wanted_build_id.empty()) return facts.file.empty() ? "" : found;
  if (facts.wanted_build_id == facts.build_id) return found + " (as wanted)";
  return fmt::format("{} wanted, {} found", facts.wanted_build_id,
                     facts.file.empty() ? "no file" : found);
}

std::string FormatVersions(const ModuleFacts& facts) {
  std::string text;
  for (const uint16_t version : facts.dwarf_versions)
    text += fmt::format("{}{}", text.empty() ? "DWARF " : ", ", version);
  return text.empty() ? "DWARF" : text;
}

std::string FormatDebug(const ModuleFacts& facts) {
  if (facts.debug_file.empty()) return facts.file.empty() ? "" : "none";
  return fmt::format(
      "{} in {}", FormatVersions(facts),
      facts.debug_file == facts.file ? "the file itself" : facts.debug_file);
}

void WriteModule(const ModuleRow& row, const char* metric, Writer& out) {
  const ModuleFacts& facts = row.facts;
  out.Title(row.path.empty() ? "addresses outside the memory map"
            : row.deleted    ? row.path + " (deleted or replaced)"
                             : row.path);
  const auto fact = [&out](std::string_view key, const std::string& text) {
    if (!text.empty()) out.Fact(key, text);
  };
  fact("share", fmt::format("{:.1f} % of {}", row.percent, metric));
  fact("named", fmt::format("{} of {} addresses, {} of {} stacks, {:.1f} % of "
                            "its share",
                            row.locations - row.unresolved, row.locations,
                            row.stacks - row.unresolved_stacks, row.stacks,
                            row.resolved_percent));
  fact("file", facts.file == row.path ? "at this path" : facts.file);
  fact("build id", FormatBuildId(facts));
  if (facts.return_addresses != 0)
    fact("fit", fmt::format("{:.0f} % of {} return addresses follow a call",
                            100.0 * facts.after_call / facts.return_addresses,
                            facts.return_addresses));
  fact("debug info", FormatDebug(facts));
  for (const TriedPlace& place : facts.tried)
    fact("tried", place.outcome == "not found"
                      ? place.path
                      : fmt::format("{}: {}", place.path, place.outcome));
  for (const std::string& problem : facts.problems) fact("problem", problem);
  fact("missing", facts.reason);
  for (const Remedy& remedy : facts.remedies) {
    fact("remedy", remedy.text);
    if (!remedy.command.empty()) out.Command(remedy.command);
  }
}

}  // namespace

std::string WriteInfoText(const Info& info) {
  Writer out;
  WriteDump(info, out);
  const char* metric = MetricName(info.modules.metric);
  out.Blank();
  const size_t count = info.modules.rows.size();
  out.Title(info.modules.unresolved == 0
                ? fmt::format("Modules: {}, all resolved", count)
                : fmt::format("Modules: {} of {} unresolved ({:.1f} % of {})",
                              info.modules.unresolved, count,
                              info.modules.unresolved_percent, metric));
  for (const ModuleRow& row : info.modules.rows) {
    out.Blank();
    WriteModule(row, metric, out);
  }
  return std::move(out).Finish();
}

}  // namespace heapprof
