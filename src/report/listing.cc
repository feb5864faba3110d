// SPDX-License-Identifier: Apache-2.0
#include "heapprof/report/listing.h"

#include <algorithm>

#include "heapprof/base/append_format.h"
#include "heapprof/base/printable.h"
#include "report/source_text.h"

namespace heapprof {
namespace {

constexpr size_t kContext = 5;
class ListingWriter {
 public:
  ListingWriter(const ListedFunction& function,
                const std::vector<std::string_view>& source, Unit unit,
                std::string_view columns, size_t width)
      : function_(function),
        source_(source),
        unit_(unit),
        columns_(columns),
        width_(width) {}

  std::string Write() && {
    const std::string_view file = function_.file;
    out_ = RoutineLine(function_.name, file.empty() ? "??" : file, width_);
    AppendFormat(
        out_, "{:>6} {:>6} Total {} ({})\n", FormatValue(function_.flat, unit_),
        FormatValue(function_.cumulative, unit_), UnitName(unit_), columns_);
    if (source_.empty())
      WriteLinesOnly();
    else
      WriteSource();
    return WithLinesCut(out_, width_);
  }

 private:
  std::string Value(double value) const {
    return value == 0 ? "." : FormatValue(value, unit_);
  }
  void WriteLine(const ListedLine& line, std::string_view text) {
    AppendFormat(out_, "{:>6} {:>6} {:>4}: {}\n", Value(line.flat),
                 Value(line.cumulative), line.line,
                 Printable(WithoutTabs(text)));
  }

  void WriteLinesOnly() {
    for (const ListedLine& line : function_.lines) WriteLine(line, "");
  }

  void WriteSource() {
    const SourceRange range = SourceRangeOf(function_, source_);
    // The listing begins with the values for which the compiler gave no line
    // number.
    auto known = function_.lines.begin();
    for (; known != function_.lines.end() && known->line == 0; ++known)
      WriteLine(*known, "");
    const size_t first = range.first > kContext ? range.first - kContext : 1;
    const size_t last = std::min(source_.size(), range.last + kContext);
    for (size_t number = first; number <= last; ++number) {
      if (number == range.first) out_ += "---\n";
      ListedLine line = {.line = static_cast<uint32_t>(number)};
      if (known != function_.lines.end() && known->line == number)
        line = *known++;
      WriteLine(line, source_[number - 1]);
      if (number == range.last) out_ += "---\n";
    }
    for (; known != function_.lines.end(); ++known) WriteLine(*known, "");
  }

  const ListedFunction& function_;
  const std::vector<std::string_view>& source_;
  const Unit unit_;
  const std::string_view columns_;
  const size_t width_;
  std::string out_;
};

}  // namespace

std::string WriteListing(const ListedFunction& function,
                         const std::vector<std::string_view>& source, Unit unit,
                         bool is_terminal, size_t width) {
  return ListingWriter(
             function, source, unit,
             is_terminal ? "self / with callees" : "flat / cumulative", width)
      .Write();
}

}  // namespace heapprof
